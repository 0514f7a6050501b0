// Reads a JSON list of flowcharts on standard input and prints what Mermaid's own parser makes of
// each: notes, arrows and classes, or the error. Labels are as they would be drawn.

import { JSDOM } from 'jsdom';

const { window } = new JSDOM('<!doctype html><body></body>');
globalThis.window = window;
globalThis.document = window.document;
// Mermaid looks for a page to clean its labels in.
const { default: mermaid } = await import('mermaid');
mermaid.initialize({ startOnLoad: false });

/** As it is drawn: Mermaid keeps `#35;` in a form of its own until then. */
function drawn(label) {
  const html = label.replaceAll('ﬂ°°', '&#').replaceAll('ﬂ°', '&').replaceAll('¶ß', ';');
  const place = window.document.createElement('div');
  place.innerHTML = html.replace(/<br\s*\/?>/g, '\n');
  if (place.children.length) throw new Error(`markup in a label: ${html}`);
  return place.textContent;
}

async function read(text) {
  try {
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
    return {
      nodes: [...db.getVertices().values()].map(({ id, text: label, type, classes }) => ({
        id, label: drawn(label), type: type ?? null, classes,
      })),
      edges: db.getEdges().map(({ start, end, text: label, stroke, type }) => ({
        start, end, label, stroke, type,
      })),
      classes: [...db.getClasses().keys()],
    };
  } catch (error) {
    return { error: String(error) };
  }
}

let input = '';
for await (const part of process.stdin) input += part;
const answers = [];
for (const text of JSON.parse(input)) answers.push(await read(text));
process.stdout.write(JSON.stringify(answers));
