// A stand-in for Obsidian's `app` over a folder on disk: as much of it as the script may use.
// Everything it is asked to do is kept in `events`, in order.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { getFrontMatterInfo, linkText, parseYaml, resolveLink } from './obsidian.mjs';

const BOM = '\ufeff';

export class FakeApp {
  /** `options`: isMobile, keepsMark (process leaves the byte order mark on), hasStorage. */
  constructor(root, options = {}) {
    this.root = root;
    this.options = options;
    this.isMobile = options.isMobile || false;
    this.events = [];
    this.notices = [];
    this.storage = new Map();
    if (options.hasStorage !== false) {
      this.loadLocalStorage = (key) => this.storage.get(key) || null;
      this.saveLocalStorage = (key, value) => this.storage.set(key, value);
    }
    this.files = list(root).map((file) => new TFile(file));
    this.vault = new Vault(this);
    this.metadataCache = new MetadataCache(this);
    this.workspace = new Workspace(this);
  }

  file(name) {
    return this.files.find((file) => file.path === name);
  }

  read(name) {
    return fs.readFileSync(path.join(this.root, name), 'utf8');
  }
}

class TFile {
  constructor(name) {
    this.path = name;
    this.name = path.posix.basename(name);
    this.extension = path.posix.extname(name).slice(1);
    this.basename = this.name.slice(0, -1 - this.extension.length);
  }
}

function list(root, folder = '') {
  const found = [];
  for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
    // Hidden files and folders are not in the app's index.
    if (entry.name.startsWith('.')) continue;
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) found.push(...list(root, name));
    else found.push(name);
  }
  return found;
}

class Vault {
  constructor(app) {
    this.app = app;
    this.adapter = new Adapter(app);
  }

  at(file) {
    return path.join(this.app.root, file.path);
  }

  getMarkdownFiles() {
    return this.app.files.filter((file) => file.extension === 'md');
  }

  async cachedRead(file) {
    return fs.readFileSync(this.at(file), 'utf8').replace(BOM, '');
  }

  async readBinary(file) {
    const bytes = fs.readFileSync(this.at(file));
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  }

  /** Read, change, write if it changed; a throwing `change` writes nothing. */
  async process(file, change) {
    this.app.events.push(`process ${file.path}`);
    if (this.app.options.beforeProcess) this.app.options.beforeProcess(file);
    const raw = fs.readFileSync(this.at(file), 'utf8');
    const text = this.app.options.keepsMark ? raw : raw.replace(BOM, '');
    const changed = change(text);
    if (typeof changed !== 'string') throw new TypeError('process: a promise, or no text');
    if (changed !== text) {
      fs.writeFileSync(this.at(file), changed);
      this.app.metadataCache.known.delete(file.path);
      this.app.events.push(`write ${file.path}`);
      for (const view of this.app.workspace.viewsOf(file)) view.reloadSoon(changed);
    }
    return changed;
  }
}

class Adapter {
  constructor(app) {
    this.app = app;
  }

  at(name) {
    // Notes are not the adapter's business: it bypasses what the app knows of them.
    if (!name.startsWith('.vaultgraph')) throw new Error(`adapter used for ${name}`);
    return path.join(this.app.root, name);
  }

  async exists(name) {
    return fs.existsSync(this.at(name));
  }

  async read(name) {
    return fs.readFileSync(this.at(name), 'utf8');
  }

  async write(name, text) {
    fs.writeFileSync(this.at(name), text);
  }

  async append(name, text) {
    // On a phone there must be a file to append to.
    fs.accessSync(this.at(name));
    fs.appendFileSync(this.at(name), text);
  }

  async mkdir(name) {
    fs.mkdirSync(this.at(name));
  }
}

class MetadataCache {
  constructor(app) {
    this.app = app;
    this.known = new Map();
    /** While false, as just after the start, nothing is known of any note. */
    this.isReady = true;
  }

  getFileCache(file) {
    if (!this.isReady || file.extension !== 'md') return null;
    if (!this.known.has(file.path)) this.known.set(file.path, cacheOf(this.app.read(file.path)));
    return this.known.get(file.path);
  }

  getFirstLinkpathDest(link, source) {
    const found = resolveLink(this.paths, link, source);
    return found === null ? null : this.app.file(found);
  }

  fileToLinktext(file, source, omitsExtension) {
    if (!omitsExtension) throw new Error('links to notes have no .md');
    return linkText(this.paths, file.path);
  }

  get paths() {
    return this.app.files.map((file) => file.path);
  }
}

function cacheOf(text) {
  const info = getFrontMatterInfo(text.replace(BOM, ''));
  try {
    const frontmatter = info.exists ? parseYaml(info.frontmatter) : null;
    return frontmatter && typeof frontmatter === 'object' ? { frontmatter } : {};
  } catch {
    return {};
  }
}

class Workspace {
  constructor(app) {
    this.app = app;
    this.leaves = [];
    this.activeEditor = null;
  }

  /** Open a note as its owner would, and select a stretch of it. */
  show(name, selection = [0, 0]) {
    const leaf = this.#add();
    leaf.view = new View(this.app, this.app.file(name));
    leaf.view.editor.selection = selection;
    this.activeEditor = leaf.view;
    return leaf.view;
  }

  /** A tab not looked at since the start: its view is not a note's yet. */
  defer(name) {
    this.#add().view = { file: this.app.file(name) };
  }

  viewsOf(file) {
    const views = this.leaves.map((leaf) => leaf.view);
    return views.filter((view) => view instanceof View && view.file === file);
  }

  getLeavesOfType(type) {
    if (type !== 'markdown') throw new Error(type);
    return this.leaves.filter((leaf) => leaf.view);
  }

  iterateAllLeaves(callback) {
    this.leaves.forEach(callback);
  }

  getLeaf(kind) {
    if (kind !== 'split' && kind !== 'tab') throw new Error(`the user's own leaf: ${kind}`);
    this.app.events.push(`leaf ${kind}`);
    return this.#add();
  }

  createLeafBySplit(leaf, direction) {
    if (!this.leaves.includes(leaf)) throw new Error('a leaf that is not there');
    this.app.events.push(`leaf ${direction}`);
    return this.#add();
  }

  #add() {
    const { app } = this;
    const leaf = {
      view: null,
      async openFile(file, state) {
        if (state.active !== false) throw new Error('takes the focus from the user');
        const line = state.eState ? `:${state.eState.line}` : '';
        app.events.push(`open ${file.path}${line}`);
        leaf.view = new View(app, file);
      },
    };
    this.leaves.push(leaf);
    return leaf;
  }
}

/** A note on the screen. It saves what it shows, and shows what was written a moment later. */
class View {
  constructor(app, file) {
    this.app = app;
    this.file = file;
    this.editor = new Editor(lineFed(app.read(file.path)));
    this.saved = this.editor.text;
  }

  getViewData() {
    return this.editor.text;
  }

  async save() {
    this.app.events.push(`save ${this.file.path}`);
    if (this.editor.text === this.saved) return;
    this.saved = this.editor.text;
    fs.writeFileSync(path.join(this.app.root, this.file.path), this.saved);
  }

  reloadSoon(text) {
    setTimeout(() => {
      this.editor.text = lineFed(text);
      this.saved = this.editor.text;
    }, this.app.options.reloadsAfter || 5);
  }
}

class Editor {
  constructor(text) {
    this.text = text;
    this.selection = [0, 0];
  }

  getCursor(side) {
    return this.selection[side === 'to' ? 1 : 0];
  }

  setCursor(at) {
    this.selection = [at, at];
  }

  replaceSelection(put) {
    const [from, to] = this.selection;
    this.text = this.text.slice(0, from) + put + this.text.slice(to);
    this.selection = [from + put.length, from + put.length];
  }
}

function lineFed(text) {
  return text.replace(BOM, '').replace(/\r\n/g, '\n');
}
