// Where the script's own reading and Obsidian's disagree, nothing is written: that is what makes
// a line scanner safe. An Obsidian that reads otherwise is made up here.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { getFrontMatterInfo, parseYaml } from './kit/obsidian.mjs';
import { loadScript, shipped } from './kit/templater.mjs';

const { applyEdits } = loadScript(shipped('vaultgraph_review.js'));
const TEXT = '---\nstatus: x\ndepends-on:\n  - "[[B]]"\n---\nText.\n';
const MOVE = [{ op: 'move', from: 'depends-on', to: 'rejected', note: 'B.md', target: 'B' }];
const ADD = [{ op: 'add', key: 'depends-on', target: 'A', note: 'A.md' }];

function edit(text, edits, obsidian) {
  const resolve = (target) => `${target}.md`;
  return applyEdits(text, edits, resolve, { getFrontMatterInfo, parseYaml, ...obsidian }).text;
}

function refuses(code, obsidian, text = TEXT) {
  assert.notEqual(edit(TEXT, MOVE), TEXT);
  for (const edits of [MOVE, ADD]) {
    assert.throws(() => edit(text, edits, obsidian), { name: 'EditRefused', code });
  }
}

test('Obsidian sees no frontmatter where the script does', () => {
  refuses('near-miss-frontmatter', {
    getFrontMatterInfo: () => ({ exists: false, frontmatter: '' }),
  });
});

test('Obsidian sees frontmatter where the script sees none', () => {
  const info = { exists: true, frontmatter: 'depends-on: x' };
  refuses('near-miss-frontmatter', { getFrontMatterInfo: () => info }, 'Text.\n');
});

test('Obsidian sees the block end at another line', () => {
  const info = { exists: true, frontmatter: 'status: x\n' };
  refuses('near-miss-frontmatter', { getFrontMatterInfo: () => info });
});

test('Obsidian reads a property more', () => {
  refuses('verify-failed', { parseYaml: (text) => ({ ...parseYaml(text), more: 1 }) });
});

test('Obsidian reads an entry more', () => {
  const more = (text) => ({ ...parseYaml(text), 'depends-on': ['[[B]]', '[[C]]'] });
  refuses('verify-failed', { parseYaml: more });
});

test('Obsidian reads another property otherwise after the edit', () => {
  const moody = (text) => ({ ...parseYaml(text), status: text.length });
  refuses('verify-failed', { parseYaml: moody });
});

test('Obsidian cannot read the block any more after the edit', () => {
  const strict = (text) => {
    if (/rejected|\[\[A\]\]/.test(text)) throw new Error('no');
    return parseYaml(text);
  };
  refuses('verify-failed', { parseYaml: strict });
});

test('the list is not what was asked for after the edit', () => {
  const blind = (text) => parseYaml(text.replace(/\[\[A\]\]|^rejected:\n {2}- "\[\[B\]\]"/m, 'x: y'));
  refuses('verify-failed', { parseYaml: blind });
});
