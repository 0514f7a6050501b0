/* Draws the picture that stands in this page as data. All text of notes is set as text. */
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const order = Object.keys(data.states);
  const ROWS = 200; // so many rows of the list at once
  const READABLE = 0.45; // below this zoom a title cannot be read
  const TINY = 0.2; // and below this one no fill can be told from another
  const LARGE = 1500; // with more notes the picture begins around one of them
  const [WIDTH, HEIGHT] = [220, 52];
  const FONT = "system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, sans-serif";

  /* What is known of each note, by its number; notes are numbers everywhere below. */
  const notes = data.nodes;
  const numbers = new Map(notes.map((note, number) => [note.note, number]));
  const bases = notes.map(() => []);
  const dependents = notes.map(() => []);
  data.edges.forEach((edge) => {
    const [from, to] = [numbers.get(edge.dependent), numbers.get(edge.basis)];
    bases[from].push({ edge, other: to });
    dependents[to].push({ edge, other: from });
  });
  const findings = notes.map(() => []);
  data.findings.forEach((finding) => findings[numbers.get(finding.note)].push(finding));
  const hidden = new Set(); // states that are filtered out
  let chosen = null; // the note whose details are shown
  let query = "";
  let limit = ROWS;
  const isLarge = notes.length > LARGE;

  /* Elements -------------------------------------------------------------------------------- */
  const make = (tag, className, ...children) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
  };
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `14px ${FONT}`;
  const clip = (text, width) => {
    if (pen.measureText(text).width <= width) return text;
    const letters = Array.from(text.slice(0, 200));
    let [low, high] = [0, letters.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (pen.measureText(`${letters.slice(0, middle).join("")}…`).width <= width) low = middle;
      else high = middle - 1;
    }
    return `${letters.slice(0, low).join("").trimEnd()}…`;
  };
  /* A title in two lines at most, broken between words where that can be. */
  const folded = (title) => {
    const room = WIDTH - 24;
    if (pen.measureText(title).width <= room) return title;
    const words = title.split(" ");
    let first = words.shift();
    while (words.length && pen.measureText(`${first} ${words[0]}`).width <= room) first += ` ${words.shift()}`;
    return words.length ? `${clip(first, room)}\n${clip(words.join(" "), room)}` : clip(first, room);
  };

  /* The picture holds all notes at their places, or those around one note at places of their own;
     in a large one nobody could see the first, and the second is there at once. */
  const whole = new Map(data.places.map(([x, y], number) => [number, { x: x + WIDTH / 2, y: y + HEIGHT / 2 }]));
  let shown = whole;
  const lines = [
    ...data.edges.map((edge, number) => ({
      id: `e${number}`,
      from: numbers.get(edge.dependent),
      to: numbers.get(edge.basis),
      kind: edge.level,
      label: edge.probability === null ? edge.level : `${edge.level} ${edge.probability.toFixed(2)}`,
    })),
    ...data.became.map((pair, number) => ({
      id: `b${number}`, from: numbers.get(pair.note), to: numbers.get(pair.successor), kind: "became", label: data.became_word,
    })),
  ];
  const elementsOf = (places) => [
    ...[...places].map(([number, position]) => ({
      group: "nodes",
      data: { id: `${number}`, label: folded(notes[number].title) },
      position: { ...position },
      classes: hidden.has(notes[number].state) ? `${notes[number].state} out` : notes[number].state,
    })),
    ...lines.filter(({ from, to }) => places.has(from) && places.has(to)).map(({ id, from, to, kind, label }) => ({
      group: "edges",
      data: { id, source: `${from}`, target: `${to}`, label },
      classes: places.get(from).x < places.get(to).x ? `${kind} ahead` : kind,
    })),
  ];

  /* How it looks: every colour stands in the style sheet, and every state has a shape too. ---- */
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const isCrowd = () => shown === whole && isLarge;
  let cy;
  /* Of a note too small to read its border's colour is all that can be seen. */
  const isTiny = () => cy !== undefined && cy.zoom() < TINY;
  const style = () => [
    {
      selector: "node",
      style: {
        width: WIDTH, height: HEIGHT, shape: "rectangle", label: "data(label)",
        "font-family": FONT, "font-size": 14, color: colour("ink"), "text-wrap": "wrap",
        "text-max-width": WIDTH, "text-valign": "center", "line-height": 1.2,
        "min-zoomed-font-size": 7, "border-width": 1.5, "overlay-opacity": 0,
      },
    },
    ...order.map((state) => ({
      selector: `.${state}`,
      style: { "background-color": colour(`${state}-${isTiny() ? "line" : "fill"}`), "border-color": colour(`${state}-line`) },
    })),
    { selector: ".stale", style: { "border-width": 4 } },
    { selector: ".suspect", style: { "border-width": 3, shape: "round-rectangle" } },
    { selector: ".pointing", style: { "border-width": 2, "border-style": "dotted" } },
    { selector: ".at-risk", style: { "border-width": 2, "border-style": "dashed", shape: "round-rectangle" } },
    { selector: ".superseded", style: { "border-width": 6, "border-style": "double" } },
    { selector: ".ended", style: { "border-width": 2, "border-style": "dashed", shape: "cut-rectangle" } },
    {
      selector: "edge",
      style: {
        width: 1.5, "curve-style": isCrowd() ? "straight" : "bezier",
        "line-opacity": isCrowd() ? 0.3 : 1, "line-color": colour("line"),
        "target-arrow-color": colour("line"), "target-arrow-shape": "triangle", "arrow-scale": 1,
        "font-family": FONT, "font-size": 11, color: colour("quiet"), "min-zoomed-font-size": 9,
        "text-background-color": colour("ground"), "text-background-opacity": 1,
        "text-background-padding": 2, "overlay-opacity": 0,
      },
    },
    { selector: ".ahead", style: { "source-endpoint": "90deg", "target-endpoint": "270deg" } },
    { selector: "edge.confirmed", style: { width: 3 } },
    ...(isCrowd() ? [] : [{ selector: ".judged, .proposed, .became", style: { label: "data(label)" } }]),
    { selector: "edge.pointer", style: { "line-style": "dotted" } },
    {
      selector: "edge.became",
      style: {
        "line-style": "dashed", "line-color": colour("superseded-line"),
        "target-arrow-color": colour("superseded-line"),
      },
    },
    { selector: ".faded", style: { opacity: 0.18 } },
    { selector: ".out", style: { display: "none" } },
    { selector: "node.match", style: { "outline-color": colour("halo"), "outline-width": 3, "outline-offset": 4 } },
    {
      selector: "edge.way",
      style: { width: 4, "line-opacity": 1, "line-color": colour("halo"), "target-arrow-color": colour("halo"), label: "data(label)" },
    },
    {
      selector: "node.chosen",
      style: { "outline-color": colour("halo"), "outline-width": 5, "outline-offset": 4, "z-index": 9 },
    },
  ];

  cy = cytoscape({
    container: $("picture"),
    elements: [],
    style: style(),
    layout: { name: "preset", fit: false },
    minZoom: 0.01,
    maxZoom: 2.5,
    autoungrabify: true,
    autounselectify: true,
    boxSelectionEnabled: false,
    hideEdgesOnViewport: false,
    textureOnViewport: isLarge, // a large picture is moved as an image
    pixelRatio: isLarge ? 1 : "auto",
  });
  dark.addEventListener("change", () => cy.style(style()));
  let wasTiny = false;
  cy.on("zoom", () => {
    if (isTiny() === wasTiny) return;
    wasTiny = !wasTiny;
    cy.style(style());
  });
  const draw = (places) => {
    shown = places;
    cy.batch(() => {
      cy.elements().remove();
      cy.style(style());
      cy.add(elementsOf(places));
    });
    $("near").ariaPressed = `${places !== whole}`;
  };
  const at = (number) => cy.getElementById(`${number}`);

  /* Where one looks ------------------------------------------------------------------------- */
  const look = (target) => {
    if (calm.matches || isCrowd()) cy.viewport(target);
    else cy.stop().animate(target, { duration: 220 });
  };
  const boxOf = (some) => some.boundingBox({ includeLabels: false, includeOverlays: false });
  const zoomOf = (box) => Math.max(cy.minZoom(), Math.min(1, (cy.width() - 60) / (box.w || 1), (cy.height() - 120) / (box.h || 1)));
  const frameOf = (box) => {
    const zoom = zoomOf(box);
    const pan = { x: cy.width() / 2 - zoom * (box.x1 + box.w / 2), y: cy.height() / 2 - zoom * (box.y1 + box.h / 2) };
    return { zoom, pan };
  };
  const fitTo = (some) => look(frameOf(boxOf(some)));
  /* The box of all notes that are not filtered out, by their places alone: nothing need be drawn. */
  const boxOfWhole = () => {
    let [x1, y1, x2, y2] = [Infinity, Infinity, -Infinity, -Infinity];
    whole.forEach(({ x, y }, number) => {
      if (hidden.has(notes[number].state)) return;
      [x1, y1] = [Math.min(x1, x - WIDTH / 2), Math.min(y1, y - HEIGHT / 2)];
      [x2, y2] = [Math.max(x2, x + WIDTH / 2), Math.max(y2, y + HEIGHT / 2)];
    });
    return x2 < x1 ? { x1: 0, y1: 0, w: 0, h: 0 } : { x1, y1, w: x2 - x1, h: y2 - y1 };
  };
  const zoomBy = (factor) => {
    const level = Math.min(cy.maxZoom(), Math.max(cy.minZoom(), cy.zoom() * factor));
    const middle = { x: cy.width() / 2, y: cy.height() / 2 };
    const pan = cy.pan();
    const share = level / cy.zoom();
    look({ zoom: level, pan: { x: middle.x - (middle.x - pan.x) * share, y: middle.y - (middle.y - pan.y) * share } });
  };
  /* Bring a note into view; nothing moves where it can be read already. */
  const bring = (number) => {
    const box = at(number).renderedBoundingBox({ includeLabels: false });
    const isSeen = box.x1 > 10 && box.y1 > 10 && box.x2 < cy.width() - 10 && box.y2 < cy.height() - 10;
    if (isSeen && cy.zoom() > 0.5) return;
    const zoom = Math.max(cy.zoom(), 0.7);
    const place = at(number).position();
    look({ zoom, pan: { x: cy.width() / 2 - zoom * place.x, y: cy.height() / 2 - zoom * place.y } });
  };

  /* One note's details ---------------------------------------------------------------------- */
  const stateMark = (state) => make("span", "state", make("span", `mark ${state}`), data.states[state]);
  const noteButton = (number) => {
    const button = make("button", "note", notes[number].title);
    button.type = "button";
    button.dir = "auto";
    button.title = notes[number].note;
    button.addEventListener("click", () => choose(number, { isMoving: true }));
    return button;
  };
  const named = (name) => (numbers.has(name) ? noteButton(numbers.get(name)) : name);
  const places = (evidence) =>
    evidence.map(({ line, kind }) => (line ? `line ${line}: ${kind}` : kind)).join("; ");
  const howKnown = (edge) => [
    edge.probability === null ? edge.level : `${edge.level}, probability ${edge.probability.toFixed(2)}`,
    [edge.judge, edge.model].filter(Boolean).join(" "),
    edge.on,
    places(edge.evidence),
  ].filter(Boolean).join(" · ");
  const closedWords = (closed) => `${data.states[closed.how]}${closed.on ? ` ${closed.on}` : ""} (${closed.sign})`;
  const links = (title, rows) => {
    if (!rows.length) return [];
    const list = make("ul", "plain");
    for (const { edge, other } of rows.slice(0, 100)) {
      const how = make("div", "how", howKnown(edge));
      list.append(make("li", "", make("span", `mark ${notes[other].state}`), " ", noteButton(other), how));
    }
    if (rows.length > 100) list.append(make("li", "how", `and ${rows.length - 100} more`));
    return [make("h3", "", title), list];
  };
  const chainOf = (finding) => {
    const isPointer = finding.level === "pointer";
    const list = make("ol", isPointer ? "chain pointing" : "chain");
    finding.path.forEach((step) => list.append(make("li", "", named(step))));
    const state = isPointer && finding.state !== "handled" ? "pointing" : finding.state;
    const parts = [make("h3", "", data.states[state]), list];
    if (finding.closed) {
      parts.push(make("div", "how", closedWords(finding.closed)));
      if (finding.closed.words) parts.push(quote(finding.closed.words));
      if (finding.closed.successor) parts.push(make("div", "how", "now: ", named(finding.closed.successor)));
    }
    if (finding.sections.length) parts.push(make("div", "how", `changed: ${finding.sections.join("; ")}`));
    if (finding.evidence.length) parts.push(make("div", "how", places(finding.evidence)));
    return parts;
  };
  const quote = (words) => {
    const element = make("blockquote", "", words);
    element.dir = "auto";
    return element;
  };
  const detail = (number) => {
    const note = notes[number];
    const body = [make("p", "path", note.note), stateMark(note.state)];
    if (note.closed) {
      body.push(make("div", "how", closedWords(note.closed)));
      if (note.closed.words) body.push(quote(note.closed.words));
      if (note.closed.successor) body.push(make("div", "", "now: ", named(note.closed.successor)));
    }
    findings[number].forEach((finding) => body.push(...chainOf(finding)));
    const known = ({ edge }) => edge.level !== "pointer";
    const bare = ({ edge }) => edge.level === "pointer";
    body.push(
      ...links("Rests on", bases[number].filter(known)), ...links("What rests on it", dependents[number].filter(known)),
      ...links("Points at", bases[number].filter(bare)), ...links("What points at it", dependents[number].filter(bare)),
    );
    const open = make("a", "", "Open in Obsidian");
    open.href = `obsidian://open?vault=${encodeURIComponent(data.vault)}&file=${encodeURIComponent(note.note)}`;
    body.push(make("p", "", open));
    $("details-title").textContent = note.title;
    $("details-body").replaceChildren(...body);
    $("details").hidden = false;
  };
  const edgesOf = (path) => {
    let way = cy.collection();
    for (let step = 1; step < path.length; step += 1) {
      const [from, to] = [numbers.get(path[step - 1]), numbers.get(path[step])];
      if (from !== undefined && to !== undefined) way = way.union(at(from).edgesTo(at(to)));
    }
    return way;
  };
  const spoken = (number) => {
    const note = notes[number];
    const known = (links) => links.filter(({ edge }) => edge.level !== "pointer").length;
    return `${note.title}, ${data.states[note.state]}; rests on ${known(bases[number])}, ${known(dependents[number])} rest on it`;
  };
  function choose(number, { isMoving = false } = {}) {
    letGo();
    chosen = number;
    if (shown !== whole) drawAround(number);
    cy.batch(() => {
      const node = at(number);
      node.removeClass("out").addClass("chosen");
      let way = cy.collection();
      findings[number].forEach((finding) => { way = way.union(edgesOf(finding.path)); });
      way.addClass("way");
      if (shown === whole && !isLarge) {
        const kept = node.closedNeighbourhood().union(way).union(way.connectedNodes());
        cy.elements().not(kept).addClass("faded");
      }
    });
    detail(number);
    $("status").textContent = spoken(number);
    for (const row of $("rows").children) row.ariaCurrent = row.dataset.note === `${number}` ? "true" : null;
    if (shown === whole) bring(number);
    if (isMoving) $("details").focus({ preventScroll: true });
    document.querySelector("aside").scrollTop = 0;
  }
  function drawAround(number) {
    const way = new Set(findings[number].flatMap(({ path }) => path.map((step) => numbers.get(step))));
    const near = around(number, { bases, dependents, way, rank: (note) => rank.get(notes[note].state) });
    draw(near.places);
    fitTo(cy.elements());
    $("apart").textContent = near.leftOut ? `${near.leftOut.toLocaleString("en")} more stand by these` : "";
  }
  const drawWhole = () => {
    const frame = frameOf(boxOfWhole());
    if (shown !== whole) {
      // First where one looks: how notes look depends on how near they are, and to say it twice of
      // thousands takes seconds.
      cy.viewport(frame);
      draw(whole);
    }
    $("apart").textContent = "";
    if (chosen !== null) choose(chosen);
    look(frame);
  };
  function letGo() {
    cy.batch(() => {
      if (chosen !== null) at(chosen).toggleClass("out", hidden.has(notes[chosen].state));
      cy.elements(".chosen, .way, .faded").removeClass("chosen way faded");
    });
    chosen = null;
    $("details").hidden = true;
    for (const row of $("rows").children) row.ariaCurrent = null;
  }

  /* The list -------------------------------------------------------------------------------- */
  const rank = new Map(order.map((state, number) => [state, number]));
  const listed = notes.map((_, number) => number).sort((one, other) =>
    rank.get(notes[one].state) - rank.get(notes[other].state) || one - other);
  const isOpen = (number) => findings[number].length > 0;
  const matches = (number) => notes[number].note.toLowerCase().normalize("NFC").includes(query);
  const reason = (number) => {
    const cell = make("td", "");
    for (const finding of findings[number].slice(0, 3)) {
      const cause = finding.path[finding.path.length - 1];
      const line = make("div", "", named(cause));
      if (finding.closed) line.append(make("div", "how", closedWords(finding.closed)));
      else if (finding.sections.length) line.append(make("div", "how", `changed: ${finding.sections.join("; ")}`));
      cell.append(line);
    }
    if (findings[number].length > 3) cell.append(make("div", "how", `and ${findings[number].length - 3} more`));
    return cell;
  };
  const showList = () => {
    const found = listed.filter((number) =>
      !hidden.has(notes[number].state) && (query ? matches(number) : isOpen(number)));
    const rows = found.slice(0, limit).map((number) => {
      const row = make("tr", "", make("td", "", noteButton(number)), make("td", "", stateMark(notes[number].state)), reason(number));
      row.dataset.note = `${number}`;
      if (number === chosen) row.ariaCurrent = "true";
      return row;
    });
    $("rows").replaceChildren(...rows);
    $("list-title").textContent = query ? `${found.length.toLocaleString("en")} notes found` : `${found.length.toLocaleString("en")} notes with findings`;
    $("none").hidden = found.length > 0;
    $("more").hidden = found.length <= limit;
    $("more").textContent = `Show ${Math.min(ROWS, found.length - limit)} more`;
    return found;
  };
  const search = () => {
    query = $("query").value.trim().toLowerCase().normalize("NFC");
    limit = ROWS;
    const found = showList();
    cy.batch(() => {
      cy.elements(".match").removeClass("match");
      if (query) found.slice(0, 2000).filter((number) => shown.has(number)).forEach((number) => at(number).addClass("match"));
    });
    $("status").textContent = query ? `${found.length} found` : "";
    return found;
  };

  /* Filters --------------------------------------------------------------------------------- */
  const counts = new Map();
  notes.forEach(({ state }) => counts.set(state, (counts.get(state) || 0) + 1));
  order.filter((state) => counts.has(state)).forEach((state) => {
    const box = make("input", "");
    box.type = "checkbox";
    box.checked = true;
    box.name = state;
    box.addEventListener("change", () => {
      if (box.checked) hidden.delete(state);
      else hidden.add(state);
      cy.batch(() => cy.nodes(`.${state}`).toggleClass("out", !box.checked));
      if (chosen !== null && hidden.has(notes[chosen].state)) letGo();
      showList();
    });
    const count = make("b", "", counts.get(state).toLocaleString("en"));
    $("filters").append(make("label", "filter", box, make("span", `mark ${state}`), data.states[state], count));
  });

  /* Keys ------------------------------------------------------------------------------------ */
  const isShown = (number) => !hidden.has(notes[number].state);
  const nearest = (number, dx, dy) => {
    const here = at(number).position();
    let [best, least] = [null, Infinity];
    notes.forEach((_, other) => {
      const place = shown.get(other);
      if (other === number || !place || !isShown(other)) return;
      const along = (place.x - here.x) * dx + (place.y - here.y) * dy;
      const aside = Math.abs((place.x - here.x) * dy) + Math.abs((place.y - here.y) * dx);
      if (along <= 1 || along + 3 * aside >= least) return;
      [best, least] = [other, along + 3 * aside];
    });
    return best;
  };
  const next = (number, dx, dy) => {
    const along = dx > 0 ? bases[number] : dx < 0 ? dependents[number] : [];
    const linked = along.map(({ other }) => other).filter(isShown);
    return linked.length ? linked[0] : nearest(number, dx, dy);
  };
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const keys = {
    Enter: () => chosen !== null && $("details").focus(),
    "+": () => zoomBy(1.3),
    "=": () => zoomBy(1.3),
    "-": () => zoomBy(1 / 1.3),
    0: drawWhole,
    o: () => chosen !== null && $("near").click(),
  };
  $("picture").addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) {
      const start = listed.find(isShown);
      const to = chosen === null ? start : next(chosen, ...steps[event.key]);
      if (to !== null && to !== undefined) choose(to);
    } else if (event.key in keys) keys[event.key]();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && event.target.tagName !== "INPUT") {
      event.preventDefault();
      $("query").focus();
    }
    if (event.key === "Escape" && chosen !== null) {
      letGo();
      $("picture").focus();
    }
  });

  cy.on("tap", "node", (event) => choose(Number(event.target.id())));
  cy.on("tap", (event) => { if (event.target === cy) letGo(); });
  $("query").addEventListener("input", search);
  $("query").addEventListener("keydown", (event) => {
    const found = event.key === "Enter" ? search() : [];
    if (found.length) choose(found[0]);
  });
  $("close").addEventListener("click", () => { letGo(); $("picture").focus(); });
  $("more").addEventListener("click", () => { limit += ROWS; showList(); });
  $("nearer").addEventListener("click", () => zoomBy(1.3));
  $("farther").addEventListener("click", () => zoomBy(1 / 1.3));
  $("whole").addEventListener("click", drawWhole);
  $("near").addEventListener("click", () => {
    if (shown !== whole) return drawWhole();
    const number = chosen ?? listed.find(isShown);
    if (number === undefined) return undefined;
    shown = new Map();
    return choose(number);
  });

  /* Lines: what stands for what, where the picture has it. */
  const strokes = new Set(data.edges.map(({ level }) => level));
  if (data.became.length) strokes.add("became");
  ["confirmed", "proposed", "judged", "pointer", "became"].filter((kind) => strokes.has(kind)).forEach((kind) =>
    document.querySelector(".axis").append(make("span", "", make("i", `stroke ${kind}`), kind)));

  /* The beginning: everything where it can be read, else the worst finding and what is by it. */
  $("empty").hidden = notes.length > 0;
  showList();
  const first = listed.find(isOpen);
  if (isLarge && first !== undefined) {
    shown = new Map();
    choose(first);
  } else if (notes.length) {
    draw(whole);
    const isLegible = zoomOf(boxOf(cy.elements())) >= READABLE;
    const way = isLegible || first === undefined ? cy.elements() : edgesOf(findings[first][0].path).connectedNodes();
    fitTo(way.length ? way : cy.elements());
  }
  window.vaultgraph = { cy, choose, letGo, state: () => ({ chosen, hidden: [...hidden], query }) };
  document.documentElement.dataset.ready = "true";
})();
