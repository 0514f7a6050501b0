// The script as Templater meets it: on every template run, before anybody wants a review.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse as parseJs } from 'acorn';
import { parse } from 'yaml';

import { loadScript, makeTp, render, shipped } from './kit/templater.mjs';

const SOURCE = shipped('vaultgraph_review.js');
const TEMPLATE = shipped('vaultgraph review.md');

test('loads without a window, an app, a process or require, and does nothing', () => {
  const names = ['window', 'app', 'process', 'document', 'globalThis'];
  const script = Function(...names, 'module', `${SOURCE}\nreturn module.exports;`);
  const nothing = names.map(() => undefined);
  assert.equal(typeof script(...nothing, { exports: {} }), 'function');
});

test('exports one asynchronous function, by the name of its file', () => {
  const exported = loadScript(SOURCE);
  assert.equal(exported.name, 'vaultgraph_review');
  assert.equal(exported.constructor.name, 'AsyncFunction');
  assert.equal(exported.length, 1);
});

test('is JavaScript of 2018, without what old phones lack', () => {
  parseJs(SOURCE, { ecmaVersion: 2018, sourceType: 'script', allowReturnOutsideFunction: false });
  assert.doesNotMatch(SOURCE, /\(\?<[=!]/, 'lookbehind');
  assert.doesNotMatch(SOURCE, /\brequire\s*\(|\bprocess\.|\bBuffer\b|\bimport\b\s*\(/);
});

test('never rewrites frontmatter through Obsidian, nor writes notes past it', () => {
  assert.doesNotMatch(SOURCE, /processFrontMatter|vault\.modify|stringifyYaml/);
});

test('the template calls it and has no frontmatter, which would go into the open note', () => {
  assert.equal(TEMPLATE, '<%* await tp.user.vaultgraph_review(tp) -%>\n');
});

test('whatever the script returns, the template puts in nothing', async () => {
  for (const returned of ['', 'text', undefined]) {
    const tp = { user: { vaultgraph_review: async () => returned } };
    assert.equal(await render(TEMPLATE, tp), '');
  }
});

test('an app that is not ready is said, not thrown', async () => {
  const app = { notices: [], workspace: {}, vault: {} };
  const tp = makeTp(app, null, { vaultgraph_review: loadScript(SOURCE) });
  assert.equal(await render(TEMPLATE, tp), '');
  assert.match(app.notices[0], /^vaultgraph: stopped\./);
});

test('the queue as a base reads the default keys', () => {
  const base = parse(shipped('Review queue.base'));
  assert.deepEqual(
    base.views.map((view) => [view.type, view.name]),
    [
      ['table', 'Review queue'],
      ['table', 'Proposed on the open note'],
    ]
  );
  // In a formula a hyphen is a minus: such a name stands in brackets.
  const formulas = [...base.filters.and, base.formulas.waiting, base.views[1].filters];
  for (const formula of formulas) assert.doesNotMatch(formula, /note\.depends/);
  assert.equal(base.formulas.waiting, 'list(note["depends-on-proposed"]).length');
  for (const view of base.views) assert.doesNotMatch(view.name, /[#:|^]|\[\[|\]\]|%%/);
});
