// Templater as far as it takes part: how it loads a user script, renders a template and inserts
// the result. github.com/SilentVoid13/Templater 2.25.0; the engine is its own.

import * as fs from 'node:fs';
import { createRequire } from 'node:module';

import { getFrontMatterInfo, parseYaml } from './obsidian.mjs';

const FOLDER = new URL('../../../obsidian-templater/', import.meta.url);

export function shipped(name) {
  return fs.readFileSync(new URL(name, FOLDER), 'utf8');
}

/** Load a user script as Templater does, on a phone: there `require` is not there. */
export function loadScript(source) {
  const exported = {};
  const module = { exports: exported };
  const require = () => undefined;
  // eslint-disable-next-line no-eval -- the loader's own words
  const wrapped = (0, eval)(`(function anonymous(require, module, exports){${source}\n})`);
  wrapped(require, module, exported);
  return exported.default || module.exports;
}

/** The engine is made for bundlers: Node has to be told that it is a module. */
async function loadEngine() {
  const folder = createRequire(import.meta.url).resolve('@silentvoid13/rusty_engine/package.json');
  const file = (name) => fs.readFileSync(folder.replace(/package\.json$/, name));
  const source = file('rusty_engine.js').toString('base64');
  const engine = await import(`data:text/javascript;base64,${source}`);
  await engine.default(file('rusty_engine_bg.wasm'));
  return engine;
}

const engine = await loadEngine();

export async function render(template, tp) {
  const config = new engine.ParserConfig('<%', '%>', '\0', '*', '-', '_', 'tR');
  return new engine.Renderer(config).render_content(template, tp);
}

/** What a script is given as `tp`. `suggester` answers in the place of a person. */
export function makeTp(app, suggester, user) {
  class Notice {
    constructor(text) {
      app.notices.push(text);
    }
  }
  return {
    app,
    user,
    obsidian: { Notice, getFrontMatterInfo, parseYaml },
    system: { suggester },
  };
}

/** Press the hotkey: the insert command, from the template to the saved note. */
export async function pressHotkey(app, suggester) {
  const user = { vaultgraph_review: loadScript(shipped('vaultgraph_review.js')) };
  const view = app.workspace.activeEditor;
  const output = await render(shipped('vaultgraph review.md'), makeTp(app, suggester, user));
  if (view) {
    view.editor.replaceSelection(output);
    await view.save();
  }
  return output;
}
