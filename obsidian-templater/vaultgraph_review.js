/*
 * Review proposed dependencies inside Obsidian, all of them, from one hotkey.
 *
 * A user script for Templater, which loads every script of its folder on every template run: this
 * one never throws while it loads, and does nothing until the template "vaultgraph review" calls
 * it. JavaScript of 2018, no Node, no lookbehind: it runs on a phone too.
 *
 * First the sitting, then the text editor: vaultgraph/text/ of the Python program once more,
 * without a parser that knows places. It finds lines by itself, has Obsidian's parser confirm
 * before and after what it found, and refuses where the two disagree. The table
 * tests/data/edit_cases.json holds both editors to the same bytes.
 */
'use strict';

const FOLDER = '.vaultgraph';
const DEFAULT_KEYS = {
  proposed: 'depends-on-proposed',
  accepted: 'depends-on',
  rejected: 'depends-on-rejected',
};

// ---- The sitting -------------------------------------------------------------------------------

/** Walk the queue. The template's output is always empty, and nothing is ever thrown. */
async function vaultgraph_review(tp) {
  try {
    const app = tp.app || window.app;
    collapseSelection(app);
    await new Sitting(app, tp).run();
  } catch (error) {
    // Thrown on, it would stop the template with Templater's own message, which says less.
    new tp.obsidian.Notice(`vaultgraph: stopped. ${error && error.message}`, 15000);
  }
  return '';
}

/** Templater puts our output where the selection is: what is selected would be deleted. */
function collapseSelection(app) {
  const active = app.workspace.activeEditor;
  if (active && active.editor) active.editor.setCursor(active.editor.getCursor('to'));
}

class Sitting {
  constructor(app, tp) {
    this.app = app;
    this.tp = tp;
    /** What was decided, the latest last: item, place in the queue, the note before and after. */
    this.decided = [];
    this.leaves = [];
    this.at = 0;
    this.shown = { item: null, since: 0 };
  }

  async run() {
    const file = await readProposals(this.app);
    if (file.problem) this.tell(file.problem);
    const { queue, unreached } = await findQueue(this.app, this.tp.obsidian, file);
    this.queue = queue;
    while (await this.step());
    const accepted = this.decided.filter((one) => one.decision === 'accepted').length;
    const rejected = this.decided.length - accepted;
    const outcome = `${accepted} accepted, ${rejected} rejected, of ${queue.length} proposals.`;
    this.tell(unreached ? `${outcome} Entries that reach no note: ${unreached}.` : outcome);
  }

  tell(text, milliseconds) {
    new this.tp.obsidian.Notice(`vaultgraph: ${text}`, milliseconds);
  }

  /** Ask once and do what was chosen; false when the sitting is over. */
  async step() {
    const item = this.queue[this.at];
    // Behind the last item the last decision can still be taken back.
    if (!item && !this.decided.length) return false;
    if (item !== this.shown.item) this.shown = { item, since: Date.now() };
    const choice = await ask(this.tp, item, this.at + 1, this.queue.length);
    if (choice === 'accepted' || choice === 'rejected') await this.decide(item, choice);
    else if (choice === 'skipped') this.at += 1;
    else if (choice === 'undo') await this.undo();
    else if (choice === 'open') await this.open(item);
    else return false;
    return true;
  }

  async decide(item, decision) {
    const seconds = Math.round((Date.now() - this.shown.since) / 100) / 10;
    const at = this.at;
    this.at += 1;
    const written = await this.write(item, item.edits[decision]);
    if (!written) return;
    this.decided.push(Object.assign({ item, decision, at }, written));
    await this.log(item, { decision, seconds });
  }

  /** Take the last decision back, byte for byte; as an edit where the note has changed since. */
  async undo() {
    const last = this.decided[this.decided.length - 1];
    if (!last) {
      this.tell('nothing to take back yet.');
      return;
    }
    const { item, decision, at } = last;
    if (!(await this.write(item, item.edits[`un${decision}`], last))) return;
    this.decided.pop();
    this.at = at;
    this.tell(`taken back: ${item.dependentName} depends on ${item.basisName}.`);
    await this.log(item, { decision: 'undone', undoes: decision });
  }

  /**
   * Make edits in the item's dependent; where it still is what `last` left, what it was before.
   * Where that is not safe, or the entry is gone, say so and return null: the queue goes on.
   */
  async write(item, edits, last) {
    const file = item.dependent;
    const change = (text) => {
      if (last && text === last.after) return last.before;
      return applyEdits(text, edits, resolverOf(this.app, file.path), this.tp.obsidian).text;
    };
    try {
      const written = await rewrite(this.app, file, change);
      if (written.before !== written.after) return written;
      this.tell(`${file.path} was left as it is: its entry for ${item.basisName} is gone`);
    } catch (error) {
      const where = error.line ? `${file.path}:${error.line}` : file.path;
      const code = error.code ? ` (${error.code})` : '';
      this.tell(`${where} was left as it is: ${error.message}${code}`, 15000);
    }
    return null;
  }

  async log(item, what) {
    if (!item.isLogged) return;
    const { probability, judge, model } = item.row;
    const pair = { dependent: nfc(item.dependent.path), basis: nfc(item.basis.path) };
    try {
      await appendDecision(this.app, Object.assign(what, pair, { probability, judge, model }));
    } catch (error) {
      // The note itself says what was decided; only the time is lost.
      this.tell(`the note is written, but not the log of decisions: ${error.message}`);
    }
  }

  /** Show both notes beside the user's own, in the same two leaves all through the sitting. */
  async open({ dependent, basis, row }) {
    const { workspace, isMobile } = this.app;
    const standing = new Set();
    workspace.iterateAllLeaves((leaf) => standing.add(leaf));
    const beside = () => workspace.getLeaf(isMobile ? 'tab' : 'split');
    const below = () => workspace.createLeafBySplit(this.leaves[0], 'horizontal');
    for (const [side, file] of [dependent, basis].entries()) {
      const make = side && !isMobile ? below : beside;
      if (!standing.has(this.leaves[side])) this.leaves[side] = make();
      const state = { active: false };
      if (row.evidence_note === nfc(file.path)) state.eState = { line: row.evidence_line - 1 };
      await this.leaves[side].openFile(file, state);
    }
  }
}

// ---- The queue ---------------------------------------------------------------------------------

/** What vaultgraph wrote for us: key names, and what to show beside each pair. Or nothing. */
async function readProposals(app) {
  const path = `${FOLDER}/proposals.json`;
  const nothing = { keys: DEFAULT_KEYS, pairs: null };
  if (!(await app.vault.adapter.exists(path))) return nothing;
  try {
    const { keys, proposals } = JSON.parse(await app.vault.adapter.read(path));
    const pairs = new Map();
    proposals.forEach((row, rank) => {
      pairs.set(pairName(row.dependent, row.basis), Object.assign({ rank }, row));
    });
    return { keys: Object.assign({}, DEFAULT_KEYS, keys), pairs };
  } catch (error) {
    return Object.assign({ problem: `${path} cannot be read; run vaultgraph propose.` }, nothing);
  }
}

function pairName(dependent, basis) {
  return JSON.stringify([nfc(dependent), nfc(basis)]);
}

/** Every open proposal of the vault, strongest first, and how many entries reach no note. */
async function findQueue(app, obsidian, file) {
  const queue = [];
  let unreached = 0;
  for (const dependent of app.vault.getMarkdownFiles()) {
    const properties = known(app, dependent) || (await readProperties(app, obsidian, dependent));
    if (isPrivate(properties)) continue;
    const seen = new Set();
    for (const entry of [].concat(valueOf(properties, file.keys.proposed))) {
      const target = entryTarget(entry);
      const basis = target && app.metadataCache.getFirstLinkpathDest(target, dependent.path);
      if (target && !basis) unreached += 1;
      if (!basis || seen.has(basis)) continue;
      seen.add(basis);
      if (isPrivate(known(app, basis) || (await readProperties(app, obsidian, basis)))) continue;
      queue.push(dependency(app, file, dependent, basis));
    }
  }
  return { queue: queue.sort(byStrength), unreached };
}

/**
 * One proposed dependency as an item of the queue. Another kind of proposal is another function
 * like this one: the sitting knows only what to show and which edits a decision stands for.
 */
function dependency(app, file, dependent, basis) {
  const name = pairName(dependent.path, basis.path);
  const row = (file.pairs && file.pairs.get(name)) || {};
  const note = nfc(basis.path);
  const target = linkText(app, basis, dependent.path);
  const { proposed, accepted, rejected } = file.keys;
  const move = (from, to) => [{ op: 'move', from, to, note, target }];
  return {
    dependent,
    basis,
    row,
    dependentName: app.metadataCache.fileToLinktext(dependent, '', true),
    basisName: app.metadataCache.fileToLinktext(basis, '', true),
    // vaultgraph leaves out of its file the pairs whose names are to stand in no file of ours.
    isLogged: !file.pairs || file.pairs.has(name),
    edits: {
      accepted: move(proposed, accepted),
      rejected: move(proposed, rejected),
      unaccepted: move(accepted, proposed),
      unrejected: move(rejected, proposed),
    },
  };
}

/** Strongest first, in the order of vaultgraph's file where equal; then, by path, the others. */
function byStrength(a, b) {
  const strength = ({ row }) => (typeof row.probability === 'number' ? row.probability : -1);
  const rank = ({ row }) => (row.rank === undefined ? Number.MAX_SAFE_INTEGER : row.rank);
  const isSame = a.dependent === b.dependent;
  const byPath = isSame ? 0 : a.dependent.path < b.dependent.path ? -1 : 1;
  return strength(b) - strength(a) || rank(a) - rank(b) || byPath;
}

/** The link Obsidian itself would write: the bare name where only one file has it. */
function linkText(app, file, source) {
  const isThere = (text) => app.metadataCache.getFirstLinkpathDest(text, source) === file;
  const whole = file.path.replace(/\.md$/i, '');
  return [app.metadataCache.fileToLinktext(file, source, true), whole].find(isThere) || file.path;
}

function resolverOf(app, source) {
  return (target) => {
    const file = app.metadataCache.getFirstLinkpathDest(target, source);
    return file ? nfc(file.path) : null;
  };
}

/** A file's properties as Obsidian remembers them; null just after its start. */
function known(app, file) {
  const cache = app.metadataCache.getFileCache(file);
  return cache || file.extension !== 'md' ? (cache && cache.frontmatter) || {} : null;
}

async function readProperties(app, obsidian, file) {
  try {
    return obsidian.parseYaml(splitNote(await app.vault.cachedRead(file)).block) || {};
  } catch (error) {
    return {};
  }
}

function valueOf(properties, key) {
  const name = Object.keys(properties).find((one) => one.toLowerCase() === key.toLowerCase());
  return name === undefined ? null : properties[name];
}

/** A private note makes no pair, and its name stands in no file of ours. */
function isPrivate(properties) {
  const value = strip(String(valueOf(properties, 'private'))).toLowerCase();
  return !['', 'null', 'undefined', 'false', 'no', 'off', '0'].includes(value);
}

// ---- One question, one write, one line in the log ----------------------------------------------

/** Ask about one item, or behind the last one whether all is well; null when Esc was pressed. */
async function ask(tp, item, number, total) {
  const undo = { choice: 'undo', text: 'Undo last' };
  // The list is fuzzy: what is typed picks a row. Rows that decide hold no names of notes, lest
  // an `r` meant for Reject finds an Accept of some Runbook.
  const items = item
    ? [
        { choice: 'accepted', text: 'Accept' },
        { choice: 'rejected', text: 'Reject' },
        { choice: 'skipped', text: 'Skip' },
        undo,
        { choice: 'open', text: `Open both: ${describe(item)}` },
        { choice: 'stop', text: 'Stop' },
      ]
    : [{ choice: 'stop', text: 'Done' }, undo];
  const placeholder = item
    ? `${number} of ${total}: ${describe(item)}`
    : `All ${total} seen. Done, or take the last decision back?`;
  // Objects with a text function: among equal strings Templater would show the wrong label.
  const chosen = await tp.system.suggester((one) => one.text, items, false, placeholder);
  return chosen ? chosen.choice : null;
}

function describe(item) {
  const { probability, evidence: sentence } = item.row;
  const score = typeof probability === 'number' ? ` (${probability.toFixed(2)})` : '';
  const evidence = sentence ? ` \u2013 \u201c${sentence}\u201d` : '';
  return `${item.dependentName} depends on ${item.basisName}${score}${evidence}`;
}

/** Change a note with `change`, from text to text; return both texts. */
async function rewrite(app, file, change) {
  for (const view of viewsOf(app, file)) await view.save();
  const mark = byteOrderMark(await app.vault.readBinary(file));
  const written = {};
  await app.vault.process(file, (text) => {
    // Obsidian takes the byte order mark off as it reads, and does not put it back.
    written.before = text.startsWith(BOM) ? text : mark + text;
    written.after = change(written.before);
    return written.after === written.before ? text : written.after;
  });
  await viewsToFollow(app, file, written.after);
  return written;
}

/** The mark a note begins with, or nothing; refuses a note that Obsidian could not read whole. */
function byteOrderMark(bytes) {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return decoder.decode(bytes).startsWith(BOM) ? BOM : '';
  } catch (error) {
    throw refusal('not-utf8', 'the note', 0);
  }
}

/** The views that show a note, those left out that have no editor yet and nothing to save. */
function viewsOf(app, file) {
  const views = app.workspace.getLeavesOfType('markdown').map((leaf) => leaf.view);
  return views.filter((view) => view.file && view.file.path === file.path && view.getViewData);
}

/** Wait, a second at most, until open views show what was written: they save what they show. */
async function viewsToFollow(app, file, text) {
  const isBehind = (view) => lineFed(view.getViewData()) !== lineFed(text);
  for (let waits = 0; waits < 40 && viewsOf(app, file).some(isBehind); waits += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function lineFed(text) {
  return text.replace(BOM, '').replace(/\r\n/g, '\n');
}

/** Append one line to this device's file: a synced vault never has two versions of a line. */
async function appendDecision(app, what) {
  // A hidden folder is not in Obsidian's index: the adapter is the only way to it.
  const { adapter } = app.vault;
  const folder = `${FOLDER}/decisions`;
  const path = `${folder}/${deviceId(app)}.jsonl`;
  const record = Object.assign({ schema: 1, at: new Date().toISOString() }, what);
  for (const one of [FOLDER, folder]) if (!(await adapter.exists(one))) await adapter.mkdir(one);
  if (!(await adapter.exists(path))) await adapter.write(path, '');
  await adapter.append(path, `${JSON.stringify(record)}\n`);
}

/** This device's name, made up once and kept where no sync carries it. */
function deviceId(app) {
  const name = 'vaultgraph-device';
  const isOurs = typeof app.loadLocalStorage === 'function';
  const known = isOurs ? app.loadLocalStorage(name) : window.localStorage.getItem(name);
  if (/^[a-z0-9-]{6,40}$/.test(String(known))) return known;
  const digit = () => Math.floor(Math.random() * 16).toString(16);
  const made = `obsidian-${Array.from({ length: 12 }, digit).join('')}`;
  if (isOurs) app.saveLocalStorage(name, made);
  else window.localStorage.setItem(name, made);
  return made;
}

// ---- Links and texts, as vaultgraph/text/links.py and quoting.py have them ----------------------

const LINK_TEXT = /^!?\[(?:[^[\]\\\n]|\\[^\n]|\n(?![ \t]*\r?\n)|\[[^[\]\\\n]*\](?!\())*\]\(/;
const ADDRESS = new RegExp(
  '^[ \\t]*(?:<([^<>\\n]*)>|([^\\s()<]*(?:\\([^\\s()]*\\)[^\\s()]*)*))' +
    '(?:[ \\t\\r\\n]+(?:"[^"\\n]{0,999}"|\'[^\'\\n]{0,999}\'|\\([^()\\n]{0,999}\\)))?[ \\t]*\\)$'
);

/** What an entry points at. A bare name is no link to Obsidian, and yet plainly meant as one. */
function entryTarget(entry) {
  if (entry === null || entry === undefined) return '';
  const text = strip(String(entry));
  return nfc(linkValue(text) || text);
}

/** The path of a text that is one link and nothing else. */
function linkValue(text) {
  const wikilink = /^!?\[\[([^[\]\n]+)\]\]$/.exec(text);
  if (wikilink) return linkPath(wikilink[1]);
  const opening = text.startsWith('[') && LINK_TEXT.exec(text);
  const address = opening && ADDRESS.exec(text.slice(opening[0].length));
  return address ? addressPath(address[1] || address[2] || '') : '';
}

function linkPath(written) {
  const bar = written.indexOf('|');
  // In a table the bar is written `\|`; an empty target does not start a display text.
  return pathPart(bar > 0 ? written.slice(0, bar).replace(/\\$/, '') : written);
}

function pathPart(text) {
  return strip(text.split('#')[0].replace(/\u00a0/g, ' '));
}

function addressPath(address) {
  if (!/^\.\.?\//.test(address) && address.includes(':')) return '';
  const plain = address.replace(/\\([!-/:-@[-`{-~])/g, '$1');
  try {
    return pathPart(decodeURI(plain));
  } catch (error) {
    // Not a valid escape: Obsidian leaves the address as it is.
    return pathPart(plain);
  }
}

// Texts are quoted as Obsidian would: its next rewrite of the block leaves our lines alone.
const NEEDS_QUOTES = /^$|^[\t ,[\]{}#&*!|>'"%@`]|^[?-](?:$|[ \t])|:[ \t]|[\t ]#|[\t :]$/;
const OTHER_TYPE = new RegExp(
  '^(?:~|[Nn]ull|NULL|[Tt]rue|TRUE|[Ff]alse|FALSE|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?[0-9]+' +
    '|[-+]?\\.(?:inf|Inf|INF)|\\.nan|\\.NaN|\\.NAN' +
    '|[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)[eE][-+]?[0-9]+' +
    '|[-+]?(?:\\.[0-9]+|[0-9]+\\.[0-9]*))$'
);
// With the `u` flag the surrogates stand for halves of a character only.
const UNWRITABLE = /[\0-\x08\n-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/u;
const UNLINKABLE = /[#^|[\]]|%%/;

function quoteText(text) {
  return NEEDS_QUOTES.test(text) || OTHER_TYPE.test(text) ? quoted(text) : text;
}

function quoteKey(key) {
  return /^(?:---|\.\.\.)/.test(key) ? quoted(key) : quoteText(key);
}

function quoted(text) {
  if (text.includes('"') && !text.includes("'")) return `'${text}'`;
  return `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\t/g, '\\t')}"`;
}

// ---- Why a note is not edited ------------------------------------------------------------------

/** By code: what is wrong with the note, the block or a property, and what would mend it. */
const REASONS = {
  'not-utf8': 'is not UTF-8; save it as UTF-8',
  'near-miss-frontmatter':
    'seems to have frontmatter where Obsidian sees none: its first line must be exactly ---, and' +
    ' a later line exactly ---',
  'fence-trailing-space': 'has a line --- with blanks behind it; remove the blanks',
  'document-marker': 'has a line that starts with --- or ...; remove it',
  'lone-carriage-return': 'has a carriage return without a line feed; save it anew',
  'template-commands': 'holds template commands (<%); templates are not written to',
  'bad-yaml': 'is not properties in valid YAML',
  'flow-root': 'is JSON, in braces; write it as lines',
  'duplicate-key': 'is given twice, in different letter case; merge the two',
  'odd-key': 'has a key that is not written as `key:`; write it so',
  'anchor-or-tag': 'has an anchor, alias or tag; write it plainly',
  'nested-list': 'has an entry that is no text; links must be in quotes, as in "[[Note]]"',
  'mapping-value': 'holds properties of its own, not a list of links',
  'list-value': 'is a list, where one value was to be written',
  'multi-line-scalar': 'has a text that runs over several lines; put it on one',
  'comment-in-flow-list': 'has a comment between its brackets; move it out',
  'comment-on-key-line': 'would be taken out, and a comment with it; move it to a line above',
  'odd-entry': 'has an entry that is not on the line of its dash; put it there',
  'unlinkable-name': 'can be named by no link: it holds # ^ | [ ] %% or a control character',
  'wrong-target': 'would not be reached by a link to its name',
  'unwritable-value': 'must be one line, without control characters',
  'verify-failed': 'would not read as it should afterwards; edit it by hand',
};

function refusal(code, subject, line, detail) {
  const text = `${subject} ${REASONS[code]}${detail ? `: ${detail}` : ''}`;
  return Object.assign(new Error(text), { name: 'EditRefused', code, line });
}

function propertyRefusal(property, code, at) {
  const where = at === undefined ? property.start : at;
  return refusal(code, `\`${property.name}\``, fileLine(property.text, where));
}

function fileLine(text, at) {
  return text.slice(0, at).split('\n').length + 1;
}

// ---- The frontmatter block and its properties --------------------------------------------------

const BOM = '\ufeff';
// What Python calls white space; JavaScript's own list differs in six characters.
const BLANKS =
  '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const OUTER_BLANKS = new RegExp(`^[${BLANKS}]+|[${BLANKS}]+$`, 'g');
const NEAR_MISS = new RegExp(`^[${BLANKS}]*---`);
const QUOTED = /^(?:"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"|'[^'\n]*(?:''[^'\n]*)*')/;
const KEY = new RegExp(
  `^((?:[&!]\\S*[ \\t]+)*)(${QUOTED.source.slice(1)}|[^ \\t"'[{][^\\n]*?)[ \\t]*:(?=[ \\t\\r\\n]|$)`
);
// A text without quotes ends before blanks and a comment or the line's end.
const PLAIN = /^[^\n]*?(?=[ \t]*(?:[ \t]#|\r?\n|$))/;
const PLAIN_IN_FLOW = /^[^\n,[\]{}]*?(?=[ \t]*(?:[ \t]#|[,[\]{}]|\r?\n|$))/;
// No `m` flag: to JavaScript U+2028 would begin a line, and to YAML it does not.
const CONTENT = /(?:^|\n)([ \t]*)[^ \t\r\n#]/;
const BLANK_FENCE = /(?:^|\n)---[ \t]+\r?(?=\n|$)/;
const UNSAFE = [
  [BLANK_FENCE, 'fence-trailing-space'],
  // Part of the key behind it or not: that depends on what stands above.
  [/(?:^|\n)\ufeff/, 'bad-yaml'],
  [/(?:^|\n)(?:---|\.\.\.)(?=[ \t\r\n])/, 'document-marker'],
  [/\r(?!\n)/, 'lone-carriage-return'],
  [/<%/, 'template-commands'],
  // The parser of the Python program takes neither a tab behind a dash nor these characters.
  [/(?:^|\n) *-[- ]*\t/, 'bad-yaml'],
  [/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]/u, 'bad-yaml'],
];

function nfc(text) {
  return text.normalize('NFC');
}

function strip(text) {
  return text.replace(OUTER_BLANKS, '');
}

function lineStart(text, at) {
  return at ? text.lastIndexOf('\n', at - 1) + 1 : 0;
}

/** Return where the line after that of `at` begins, or the end of the text. */
function lineEnd(text, at) {
  const newline = text.indexOf('\n', at);
  return newline < 0 ? text.length : newline + 1;
}

/** Return how the line that ends at `at` ends; where none does, as a line feed. */
function endingBefore(text, at) {
  return text.endsWith('\r\n', at) ? '\r\n' : '\n';
}

/** Cut a note at the fences Obsidian sees; the parts joined are the note. */
function splitNote(text) {
  const bom = text.startsWith(BOM) ? BOM : '';
  const bare = text.slice(bom.length);
  const opening = /^---\r?\n/.exec(bare);
  const inside = opening ? bare.slice(opening[0].length) : '';
  const closing = /(^|\n)---(?=\r?\n|$)/.exec(inside);
  if (!opening || !closing) return { bom, opening: '', block: '', rest: bare };
  const end = closing.index + closing[1].length;
  return { bom, opening: opening[0], block: inside.slice(0, end), rest: inside.slice(end) };
}

function joined(note) {
  return note.bom + note.opening + note.block + note.rest;
}

/**
 * Return the block of a note: its text, its values as Obsidian reads them, and where each
 * property stands. Refuses where no property of the note can be edited safely.
 */
function readBlock(note, obsidian) {
  refuseOtherCut(note, obsidian);
  const text = note.block;
  if (!note.opening) {
    refuseNearMiss(note.rest);
    const eol = endingBefore(note.rest, lineEnd(note.rest, 0));
    return { text, values: {}, properties: [], indent: '', eol };
  }
  for (const [pattern, code] of UNSAFE) {
    const found = pattern.exec(text);
    if (found) throw refusal(code, 'the block', fileLine(text, found.index + 1));
  }
  const values = parseBlock(text, obsidian);
  const first = CONTENT.exec(text);
  const indent = first ? first[1] : '';
  if (first) refuseOddRoot(text, first.index + first[0].length - 1, indent);
  const properties = findProperties(text, indent, values, obsidian);
  const above = note.opening + text;
  return { text, values, properties, indent, eol: endingBefore(above, above.length) };
}

/** Refuse where Obsidian itself sees the block at another place than we do. */
function refuseOtherCut(note, obsidian) {
  const info = obsidian.getFrontMatterInfo(note.opening + note.block + note.rest);
  const theirs = info.exists ? lineFed(info.frontmatter).trim() : '';
  if (theirs !== lineFed(note.block).trim()) throw refusal('near-miss-frontmatter', 'the note', 1);
}

function refuseNearMiss(text) {
  if (!NEAR_MISS.test(text)) return;
  const isBlank = /^---\r?\n/.test(text) && BLANK_FENCE.test(text.slice(3));
  throw refusal(isBlank ? 'fence-trailing-space' : 'near-miss-frontmatter', 'the note', 1);
}

function parseBlock(text, obsidian) {
  let values;
  try {
    values = obsidian.parseYaml(text);
  } catch (error) {
    const [, reason, line] = /^([^]*?)(?: at line (\d+)[^]*)?$/.exec(String(error.message));
    throw refusal('bad-yaml', 'the block', Number(line || 0) + 1, reason);
  }
  if (!isCollection(values) && !CONTENT.test(text)) return {};
  if (!isCollection(values) || Array.isArray(values)) throw refusal('bad-yaml', 'the block', 2);
  return values;
}

function isCollection(value) {
  return typeof value === 'object' && value !== null;
}

/** Refuse a block whose first property begins at `at` in a way that is no plain `key:`. */
function refuseOddRoot(text, at, indent) {
  const line = fileLine(text, at);
  if ('&!*'.includes(text[at])) throw refusal('anchor-or-tag', 'the block', line);
  const explicit = new RegExp(`(?:^|\\n)${indent}\\?(?=[ \\t\\r\\n])`);
  if (explicit.test(text)) throw refusal('odd-key', 'the block', line);
  // The value is a mapping: either this line is all of it, in braces, or its key is.
  const isKey = /\}[ \t]*:(?=[ \t\r\n])/.test(text.slice(at, lineEnd(text, at)));
  if (text[at] === '{' && !isKey) throw refusal('flow-root', 'the block', line);
}

/**
 * Return the properties and where they stand. Obsidian's parser has taken the block, and lets
 * nothing else begin at the first key's column: not the next line of a text or list, only dashes
 * and the last bracket of a list.
 */
function findProperties(text, indent, values, obsidian) {
  const properties = [];
  for (let at = 0; at < text.length; at = lineEnd(text, at)) {
    const start = at + indent.length;
    const sign = text.startsWith(indent, at) ? text[start] : ' ';
    if (!sign || ' \t\r\n#]}'.includes(sign) || isDash(text, start)) continue;
    if (properties.length) properties[properties.length - 1].end = at;
    properties.push(readProperty(text, start, values, obsidian));
  }
  const ours = properties.map((property) => property.key).sort();
  if (!isAlike(ours, Object.keys(values).sort())) throw refusal('verify-failed', 'the block', 2);
  return properties;
}

/** Whether a list's dash, not a text that begins with one, stands at `at`. */
function isDash(text, at) {
  return text[at] === '-' && (at + 1 === text.length || ' \t\r\n'.includes(text[at + 1]));
}

function readProperty(text, start, values, obsidian) {
  const found = KEY.exec(text.slice(start, lineEnd(text, start)));
  if (!found) throw refusal('odd-key', 'the block', fileLine(text, start));
  const [upToColon, marks, written] = found;
  const isPlain = /^[A-Za-z][\w-]*$/.test(written) && !/^null$/i.test(written);
  // Obsidian's name for a key, `7` for `007`; ours is what is written.
  const key = isPlain ? written : Object.keys(parseBlock(`${written}:`, obsidian))[0];
  return {
    text,
    key,
    name: /^["']/.test(written) ? key : written,
    value: values[key],
    isMarked: marks !== '',
    start,
    /** Just past the colon, and where the next property's line begins. */
    colon: start + upToColon.length,
    end: text.length,
  };
}

/** Return the property `key`, in any letter case, or undefined. */
function findProperty(block, key) {
  const isIt = (property) => property.name.toLowerCase() === key.toLowerCase();
  const [found, again] = block.properties.filter(isIt);
  if (again) throw propertyRefusal(again, 'duplicate-key');
  if (found && found.isMarked) throw propertyRefusal(found, 'anchor-or-tag');
  return found;
}

// ---- The forms a value can have ----------------------------------------------------------------

/**
 * Return the form of a property's value: its kind, `start` and `end` of the whole, `values` as
 * Obsidian reads its entries, and the `spans` where they stand. Refuses what is not line by line.
 */
function readForm(property) {
  const { text, value, colon, end } = property;
  const at = skipBlanks(text, colon, end);
  if (at < end && '&!*'.includes(text[at])) throw propertyRefusal(property, 'anchor-or-tag', at);
  if (!Array.isArray(value)) return readSingle(property, at);
  if (value.some(isCollection)) throw propertyRefusal(property, 'nested-list', at);
  const form = text[at] === '[' ? readFlowList(property, at) : readBlockList(property, at);
  if (form.spans.length !== value.length) throw propertyRefusal(property, 'verify-failed', at);
  return Object.assign(form, { values: value });
}

/** `key:`, `key: ~` or `key: text`, the text perhaps on the next line. */
function readSingle(property, at) {
  const { text, value, colon, end } = property;
  if (isCollection(value)) throw propertyRefusal(property, 'mapping-value', at);
  const span = at < end ? scalarSpan(property, at, false) : [colon, colon];
  const isOver = skipBlanks(text, span[1], end) < end;
  if (isOver) throw propertyRefusal(property, 'multi-line-scalar', at);
  const values = value === null || value === '' ? [] : [value];
  return { kind: 'single', values, spans: [span], start: span[0], end: span[1] };
}

/** `[a, b]`, on one line or over several. */
function readFlowList(property, opening) {
  const { text, end } = property;
  const spans = [];
  let at = skipBlanks(text, opening + 1, end);
  while (text[at] !== ']') {
    const span = scalarSpan(property, at, true);
    spans.push(span);
    at = skipBlanks(text, span[1], end);
    if (text[at] === ',') at = skipBlanks(text, at + 1, end);
    else if (text[at] !== ']') throw propertyRefusal(property, 'multi-line-scalar', at);
  }
  return { kind: 'flow', spans, start: opening, end: at + 1 };
}

/** One entry a line, behind a dash; comments and blank lines may stand between. */
function readBlockList(property, dash) {
  const { text, end } = property;
  const column = dash - lineStart(text, dash);
  const isOurs = (at) => isDash(text, at) && at - lineStart(text, at) === column;
  if (lineStart(text, dash) <= property.start) throw propertyRefusal(property, 'bad-yaml');
  const spans = [];
  for (let at = dash; at < end; at = skipBlanks(text, spans[spans.length - 1][1], end)) {
    // A line that is neither entry nor comment goes on with the entry above it.
    if (!isOurs(at)) throw propertyRefusal(property, 'multi-line-scalar', at);
    const start = skipBlanks(text, at + 1, end);
    const isEmpty = start >= end || isOurs(start);
    spans.push(isEmpty ? [at + 1, at + 1] : scalarSpan(property, start, false));
  }
  return { kind: 'block', spans, start: dash, end: spans[spans.length - 1][1] };
}

/** Return where, behind blanks, line ends and comments, something stands. */
function skipBlanks(text, at, end) {
  const blank = /(?:[ \t\r\n]+|#[^\n]*)*/y;
  blank.lastIndex = at;
  blank.test(text);
  return Math.min(blank.lastIndex, end);
}

/** Return where one text on one line begins and ends. */
function scalarSpan(property, at, isInFlow) {
  const line = property.text.slice(at, lineEnd(property.text, at));
  if ('&!*'.includes(line[0])) throw propertyRefusal(property, 'anchor-or-tag', at);
  const isQuoted = '"\''.includes(line[0]);
  const found = isQuoted ? QUOTED.exec(line) : (isInFlow ? PLAIN_IN_FLOW : PLAIN).exec(line);
  if (!found || '|>'.includes(line[0])) throw propertyRefusal(property, 'multi-line-scalar', at);
  return [at, at + found[0].length];
}

// What is cut and put in is given as splices: [from, to, what then stands there].

/** Keep some entries, by place, and put others behind them: at least one is left. */
function rewriteForm(property, form, kept, added) {
  if (form.kind === 'single') return rewriteSingle(property, form, kept.includes(true), added);
  if (form.kind === 'flow') return rewriteFlowList(property, form, kept, added);
  const { text } = property;
  const gone = form.spans.filter((_, number) => !kept[number]);
  const cuts = gone.map((span) => cutEntry(property, span));
  const below = lineEnd(text, form.end);
  const prefix = text.slice(lineStart(text, form.start), form.start);
  return [...cuts, [below, below, entryLines(prefix, added, endingBefore(text, below))]];
}

function cutEntry(property, [start, end]) {
  const first = lineStart(property.text, start);
  if (!/^ *-[ \t]*$/.test(property.text.slice(first, start))) {
    throw propertyRefusal(property, 'odd-entry', start);
  }
  return [first, lineEnd(property.text, end), ''];
}

/** Make a block list of a single value, its comment kept where it is. */
function rewriteSingle(property, { start, end }, stays, added) {
  const { text, colon } = property;
  const below = lineEnd(text, end);
  const eol = endingBefore(text, below);
  if (text.slice(colon, start).includes('\n')) {
    // On a line of its own the value only wants a dash: a comment above it stays above.
    const prefix = text.slice(lineStart(text, start), start);
    const turned = stays ? [start, start, '- '] : [start, end, `- ${quoteText(added[0])}`];
    return [turned, [below, below, entryLines(prefix, stays ? added : added.slice(1), eol)]];
  }
  const prefix = ' '.repeat(property.start - lineStart(text, property.start) + 2);
  const turned = stays ? [colon, start, `${eol}${prefix}- `] : [colon, end, ''];
  return [turned, [below, below, entryLines(prefix, added, eol)]];
}

/** Cut entries with one comma each, and put others in behind the last. */
function rewriteFlowList(property, form, kept, added) {
  refuseCommentInside(property, form);
  const { spans } = form;
  const fresh = added.map(quoteText).join(', ');
  const end = spans.length ? spans[spans.length - 1][1] : form.start + 1;
  const last = kept.lastIndexOf(true);
  if (last < 0) return [[spans.length ? spans[0][0] : end, end, fresh]];
  const splices = [[spans[last][1], end, '']];
  for (let number = 0; number < last; number += 1) {
    if (!kept[number]) splices.push([spans[number][0], spans[number + 1][0], '']);
  }
  if (!fresh) return splices;
  const comma = property.text.slice(end, form.end).indexOf(',') + 1;
  return [...splices, [end + comma, end + comma, (comma ? ' ' : ', ') + fresh]];
}

function refuseCommentInside(property, form) {
  let at = form.start + 1;
  for (const [start, end] of [...form.spans, [form.end, form.end]]) {
    const gap = property.text.slice(at, start);
    if (gap.includes('#')) throw propertyRefusal(property, 'comment-in-flow-list', at);
    at = end;
  }
}

function entryLines(prefix, entries, eol) {
  return entries.map((entry) => `${prefix}- ${quoteText(entry)}${eol}`).join('');
}

/** Take the property out; whole-line comments between the lines of a list stay. */
function removeForm(property, form) {
  const { text, colon } = property;
  const first = lineStart(text, property.start);
  if (form.kind === 'block') {
    const below = lineEnd(text, colon);
    refuseComment(property, colon, below);
    return [[first, below, ''], ...form.spans.map((span) => cutEntry(property, span))];
  }
  if (form.kind === 'flow') refuseCommentInside(property, form);
  const below = lineEnd(text, form.end);
  refuseComment(property, colon, form.start);
  refuseComment(property, form.end, below);
  return [[first, below, '']];
}

function refuseComment(property, start, end) {
  if (strip(property.text.slice(start, end))) {
    throw propertyRefusal(property, 'comment-on-key-line', start);
  }
}

/** Put another text in the place of a single one, a comment behind it kept. */
function replaceSingle(property, { start, end }, value) {
  const { text, colon } = property;
  if (start < end) return [[start, end, quoteText(value)]];
  const rest = text.slice(colon, lineEnd(text, colon));
  const blanks = strip(rest) ? 0 : /^[ \t]*/.exec(rest)[0].length;
  return [[colon, colon + blanks, ` ${quoteText(value)}`]];
}

/** Put a property in below all others, as Obsidian would. */
function lastProperty(block, key, value, entries) {
  const items = entryLines(`${block.indent}  `, entries, block.eol);
  const end = block.text.length;
  return [[end, end, `${block.indent}${quoteKey(key)}:${value}${block.eol}${items}`]];
}

// ---- What edits come to, before a character is changed -----------------------------------------

/** A list of entries: which of those there stay, and which come after them. */
class ListPlan {
  constructor(block, key, resolve) {
    this.block = block;
    this.key = key;
    this.resolve = resolve;
    this.property = findProperty(block, key);
    this.form = this.property && readForm(this.property);
    const values = this.form ? this.form.values : [];
    this.notes = values.map((value, at) => {
      // A number is the name it is written as: `007` is the note 007.
      const isText = value === null || typeof value === 'string';
      const target = entryTarget(isText ? value : block.text.slice(...this.form.spans[at]));
      return target ? resolve(target) : null;
    });
    this.kept = values.map(() => true);
    this.added = new Map();
    this.isCleared = false;
  }

  holds(note) {
    return this.added.has(note) || this.notes.some((held, at) => this.kept[at] && held === note);
  }

  add(target, note) {
    if (this.holds(note)) return;
    if (!strip(target) || UNLINKABLE.test(target) || UNWRITABLE.test(target)) {
      throw refusal('unlinkable-name', `\`${target}\``, 0);
    }
    if (this.resolve(nfc(target)) !== note) throw refusal('wrong-target', note, 0);
    this.added.set(note, target);
  }

  remove(note) {
    this.added.delete(note);
    this.kept = this.kept.map((stays, at) => stays && this.notes[at] !== note);
  }

  clear() {
    this.kept.fill(false);
    this.added.clear();
    this.isCleared = true;
  }

  get links() {
    return Array.from(this.added.values(), (target) => `[[${target}]]`);
  }

  get isEmpty() {
    return !this.added.size && !this.kept.includes(true);
  }

  get isChange() {
    if (this.added.size) return true;
    return Boolean(this.form) && (this.isCleared || this.kept.includes(false));
  }

  splices() {
    if (!this.form) return lastProperty(this.block, this.key, '', this.links);
    if (this.isEmpty) return removeForm(this.property, this.form);
    return rewriteForm(this.property, this.form, this.kept, this.links);
  }

  /** What the property must read as afterwards; undefined for gone. */
  expected() {
    if (this.isEmpty) return undefined;
    const stay = this.form ? this.form.values.filter((_, at) => this.kept[at]) : [];
    return [...stay, ...this.links];
  }
}

/** A single text, which is to be `value`. */
class TextPlan {
  constructor(block, key, value) {
    this.block = block;
    this.key = key;
    this.value = value;
    this.property = findProperty(block, key);
    const isList = this.property && Array.isArray(this.property.value);
    if (isList) throw propertyRefusal(this.property, 'list-value');
    this.form = this.property && readForm(this.property);
    if (UNWRITABLE.test(value)) throw refusal('unwritable-value', `\`${key}\``, 0);
  }

  get isChange() {
    return !this.property || this.property.value !== this.value;
  }

  splices() {
    if (this.form) return replaceSingle(this.property, this.form, this.value);
    return lastProperty(this.block, this.key, ` ${quoteText(this.value)}`, []);
  }

  expected() {
    return this.value;
  }
}

/** One plan for each key the edits name: those in the block, then new ones. */
function planEdits(block, edits, resolve) {
  const plans = new Map();
  const list = (key) => {
    const name = key.toLowerCase();
    if (!plans.has(name)) plans.set(name, new ListPlan(block, key, resolve));
    return plans.get(name);
  };
  for (const { op, key, from, to, note, target, value } of edits) {
    if (op === 'add') list(key).add(target, note);
    else if (op === 'remove') list(key).remove(note);
    else if (op === 'remove-key') list(key).clear();
    else if (op === 'set') plans.set(key.toLowerCase(), new TextPlan(block, key, value));
    // Whoever moves an entry has seen it; if it is gone, somebody decided meanwhile.
    else if (from.toLowerCase() !== to.toLowerCase() && list(from).holds(note)) {
      list(from).remove(note);
      list(to).add(target, note);
    }
  }
  return Array.from(plans.values()).sort((a, b) => !a.property - !b.property);
}

// ---- Edits made, and looked at again -----------------------------------------------------------

/**
 * Return the text with all edits made, the very same text where they change nothing; throw an
 * `EditRefused` where the note, or what was to be written, has a shape that is not safe to edit.
 * `obsidian` brings parseYaml and getFrontMatterInfo.
 */
function applyEdits(text, edits, resolve, obsidian, dropEmptyBlock) {
  const note = splitNote(text);
  const block = readBlock(note, obsidian);
  const plans = planEdits(block, edits, resolve).filter((plan) => plan.isChange);
  const createdBlock = plans.length > 0 && !note.opening;
  if (!plans.length) return { text, createdBlock };
  const edited = withBlock(note, spliced(block.text, plans), block.eol);
  verify(block, edited, plans, obsidian);
  const isBare = dropEmptyBlock && note.opening && !edited.block;
  return { text: isBare ? withoutBlock(edited) : joined(edited), createdBlock };
}

function spliced(text, plans) {
  const splices = [].concat(...plans.map((plan) => plan.splices()));
  // What is put in at one place stays in order: the sort is stable. From the end, no place moves.
  splices.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const put = (made, [start, end, words]) => made.slice(0, start) + words + made.slice(end);
  return splices.reduceRight(put, text);
}

function withBlock(note, block, eol) {
  if (note.opening) return Object.assign({}, note, { block });
  return { bom: note.bom, opening: `---${eol}`, block, rest: `---${eol}${note.rest}` };
}

function withoutBlock(note) {
  const newline = note.rest.indexOf('\n');
  const bare = note.bom + (newline < 0 ? '' : note.rest.slice(newline + 1));
  const again = splitNote(bare);
  // A body that itself begins like frontmatter would become what it looks like.
  return again.opening || NEAR_MISS.test(again.rest) ? joined(note) : bare;
}

/** Refuse unless the note, read again, is what was asked for and otherwise as before. */
function verify(before, edited, plans, obsidian) {
  const pairsOf = (block) => block.properties.map(({ name, value }) => [name, value]);
  const wanted = new Map(pairsOf(before));
  for (const plan of plans) {
    const name = plan.property ? plan.property.name : plan.key;
    const value = plan.expected();
    if (value === undefined) wanted.delete(name);
    else wanted.set(name, value);
  }
  let read = null;
  try {
    if (isAlike(splitNote(joined(edited)), edited)) read = pairsOf(readBlock(edited, obsidian));
  } catch (error) {
    if (!error.code) throw error;
  }
  if (!isAlike(read, Array.from(wanted))) throw refusal('verify-failed', 'the block', 0);
}

/** Whether two values of the YAML parser are equal all the way down. */
function isAlike(a, b) {
  if (!isCollection(a) || !isCollection(b)) return Object.is(a, b);
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  const has = Object.prototype.hasOwnProperty;
  return keys.every((key) => has.call(b, key) && isAlike(a[key], b[key]));
}

// For the tests; what Templater calls is the function.
vaultgraph_review.applyEdits = applyEdits;

module.exports = vaultgraph_review;
