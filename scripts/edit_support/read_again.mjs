// Reads notes again with Obsidian's own YAML library: JSON lines of {path, key, before, after,
// expected} on standard input, one JSON object of counts on standard output. A note counts as
// wrong where the list does not hold what is expected, or where another property reads otherwise.

import { isDeepStrictEqual } from 'node:util';
import * as readline from 'node:readline';

import { getFrontMatterInfo, parseYaml } from '../../tests/templater/kit/obsidian.mjs';

function read(text) {
  const bare = text.replace(/^\ufeff/, '');
  const info = getFrontMatterInfo(bare);
  return { values: (info.exists && parseYaml(info.frontmatter)) || {}, body: bare.slice(info.contentStart) };
}

function judge({ key, before, after, expected }) {
  let old;
  try {
    old = read(before);
  } catch {
    return 'Obsidian cannot read the note';
  }
  const now = read(after);
  if (old.body !== now.body) return 'WRONG: another body';
  const isOurs = (name) => name.toLowerCase() === key;
  const others = ({ values }) => Object.entries(values).filter(([name]) => !isOurs(name));
  if (!isDeepStrictEqual(others(old), others(now))) return 'WRONG: another property reads otherwise';
  const found = Object.entries(now.values).filter(([name]) => isOurs(name));
  if (found.length !== 1) return 'WRONG: not one list';
  const texts = [found[0][1]].flat().filter((entry) => entry !== null && entry !== '').map(String);
  return isDeepStrictEqual(texts, expected) ? 'as expected' : 'WRONG: another list';
}

const counts = {};
const wrong = [];
for await (const line of readline.createInterface({ input: process.stdin })) {
  const row = JSON.parse(line);
  let kind;
  try {
    kind = judge(row);
  } catch (error) {
    kind = `WRONG: Obsidian cannot read what was written: ${error.message.split('\n')[0]}`;
  }
  counts[kind] = (counts[kind] || 0) + 1;
  if (kind.startsWith('WRONG') && wrong.length < 20) wrong.push(`${row.path}: ${kind}`);
}
console.log(JSON.stringify({ counts, wrong }));
