// The table shared with the Python editor: the same bytes from both, or both refuse.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';

import { getFrontMatterInfo, parseYaml } from './kit/obsidian.mjs';
import { loadScript, shipped } from './kit/templater.mjs';

const { applyEdits } = loadScript(shipped('vaultgraph_review.js'));
const rows = JSON.parse(
  fs.readFileSync(new URL('../data/edit_cases.json', import.meta.url), 'utf8')
);
const obsidian = { getFrontMatterInfo, parseYaml };

function run(row) {
  const links = new Map(Object.entries(row.links));
  const resolve = (target) => links.get(target.toLowerCase()) || null;
  return applyEdits(row.text, row.edits, resolve, obsidian, row.drop_empty_block);
}

for (const row of rows) {
  test(`${row.name}: ${row.why}`, () => {
    if ('refused' in row) {
      assert.throws(() => run(row), { name: 'EditRefused', code: row.refused });
      return;
    }
    const edited = run(row);
    assert.equal(edited.text, 'becomes' in row ? row.becomes : row.text);
    assert.equal(edited.createdBlock, row.creates_block === true);
  });
}

// ---- The same rows once more, by what Obsidian reads rather than by bytes

/** What a property's entries reach, by a reading of links that is not the script's. */
function notesIn(row, value) {
  const links = new Map(Object.entries(row.links));
  return [value].flat().filter((entry) => entry !== null && entry !== undefined && entry !== '').map((entry) => {
    const [, wikilink, address, bare] =
      /^\s*(?:!?\[\[(.+?)(?:\\?\|.*)?\]\]|\[.*\]\(<?(.*?)>?\)|(.*?))\s*$/.exec(String(entry));
    const path = wikilink || (address && decodeURI(address)) || bare;
    return links.get(path.split('#')[0].normalize('NFC').toLowerCase()) || `text: ${entry}`;
  });
}

/** What each edited key must hold afterwards: notes in order, a text, or nothing at all. */
function wanted(row, before) {
  const named = new Map(Object.keys(before).map((key) => [key.toLowerCase(), key]));
  const held = new Map();
  const list = (key) => {
    const name = named.get(key.toLowerCase()) || key;
    if (!held.has(name)) held.set(name, notesIn(row, before[name]));
    return name;
  };
  const add = (key, note) => {
    const name = list(key);
    if (!held.get(name).includes(note)) held.get(name).push(note);
  };
  const remove = (key, note) => {
    const name = list(key);
    const isThere = held.get(name).includes(note);
    held.set(name, held.get(name).filter((one) => one !== note));
    return isThere;
  };
  for (const edit of row.edits) {
    if (edit.op === 'add') add(edit.key, edit.note);
    else if (edit.op === 'remove') remove(edit.key, edit.note);
    else if (edit.op === 'remove-key') held.set(list(edit.key), []);
    else if (edit.op === 'set') held.set(named.get(edit.key) || list(edit.key), edit.value);
    else if (remove(edit.from, edit.note)) add(edit.to, edit.note);
  }
  return held;
}

function propertiesOf(text) {
  const info = getFrontMatterInfo(text.replace(/^\ufeff/, ''));
  return (info.exists && parseYaml(info.frontmatter)) || {};
}

test('Obsidian reads in every result what was asked for, and all else as before', () => {
  const changed = rows.filter((row) => 'becomes' in row);
  for (const row of changed) {
    const before = propertiesOf(row.text);
    const after = propertiesOf(row.becomes);
    const held = wanted(row, before);
    for (const [key, value] of held) {
      const read = Array.isArray(value) ? notesIn(row, after[key]) : after[key];
      assert.deepEqual(read, value, `${row.name}: ${key}`);
      assert.equal(key in after, value.length > 0 || value === '', `${row.name}: ${key}`);
    }
    const others = (all) => Object.entries(all).filter(([key]) => !held.has(key));
    assert.deepEqual(others(after), others(before), row.name);
  }
  assert.ok(changed.length >= 100);
});

test('the table is there, and has more cases of leaving alone', () => {
  assert.ok(rows.length >= 150);
  assert.ok(rows.filter((row) => 'becomes' in row).length < rows.length / 2);
});
