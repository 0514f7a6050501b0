// Holds the script's text editor against what the Python editor made of the same notes: JSON
// lines from make_cases.py on standard input.

import * as readline from 'node:readline';

import { getFrontMatterInfo, parseYaml } from '../kit/obsidian.mjs';
import { loadScript, shipped } from '../kit/templater.mjs';

const { applyEdits } = loadScript(shipped('vaultgraph_review.js'));
const resolve = (target) => `${target.toLowerCase().replace(/\.md$/, '')}.md`;

function outcomeOf({ text, edits, drops }) {
  try {
    const edited = applyEdits(text, edits, resolve, { getFrontMatterInfo, parseYaml }, drops);
    return { text: edited.text, created: edited.createdBlock };
  } catch (error) {
    if (error.name !== 'EditRefused') throw error;
    return { refused: error.code, why: error.message };
  }
}

function kindOf(row, ours, theirs) {
  if (ours.refused && theirs.refused) {
    return ours.refused === theirs.refused ? 'both refuse' : 'both refuse, by other names';
  }
  if (ours.refused) {
    return isReadable(row.text) ? 'ONLY THE SCRIPT REFUSES' : 'Obsidian cannot read it, Python can';
  }
  if (theirs.refused) return 'ONLY PYTHON REFUSES';
  if (ours.text !== theirs.text || ours.created !== theirs.created) return 'OTHER BYTES';
  return ours.text === row.text ? 'both leave it' : 'same bytes';
}

/** Whether Obsidian can read the block: libyaml, in Python, is the more lenient. */
function isReadable(text) {
  try {
    parseYaml(getFrontMatterInfo(text.replace(/^\ufeff/, '')).frontmatter);
    return true;
  } catch {
    return false;
  }
}

const counts = new Map();
for await (const line of readline.createInterface({ input: process.stdin })) {
  const row = JSON.parse(line);
  const ours = outcomeOf(row);
  const kind = kindOf(row, ours, row.python);
  counts.set(kind, (counts.get(kind) || 0) + 1);
  if (/^O(?:NLY|THER)/.test(kind)) {
    process.exitCode = 1;
    console.log(JSON.stringify({ kind, ...row, ours }));
  }
}
console.log(Object.fromEntries([...counts].sort()));
