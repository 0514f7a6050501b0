// A vault for one test, and a person who answers in it.

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

import { FakeApp } from './app.mjs';
import { pressHotkey } from './templater.mjs';

/** Write `notes`, by path, to a new folder, and return the app that has it open. */
export function openVault(t, notes, options) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'vaultgraph-'));
  t.after(() => fs.rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(notes)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }
  const app = new FakeApp(root, options);
  const first = app.file('Home.md');
  if (first) app.workspace.show(first.path);
  return app;
}

/** What vaultgraph writes beside the notes: rows are dependent, basis, probability and more. */
export function proposalsFile(rows, keys = {}) {
  const proposals = rows.map(([dependent, basis, probability, more]) => ({
    dependent,
    basis,
    ...(probability === undefined ? {} : { probability, judge: 'jev', model: 'm-1' }),
    ...more,
  }));
  const names = {
    proposed: 'depends-on-proposed',
    accepted: 'depends-on',
    rejected: 'depends-on-rejected',
  };
  return JSON.stringify({ schema: 1, keys: { ...names, ...keys }, proposals });
}

/** A note that proposes `bases`, and says nothing else. */
export function proposing(...bases) {
  const entries = bases.map((basis) => `  - "[[${basis}]]"\n`).join('');
  return `---\nstatus: live\ndepends-on-proposed:\n${entries}---\nText.\n`;
}

/**
 * Press the hotkey and give `answers` in turn: a row's first word, `Esc`, or a function that is
 * called first and returns one. Returns what was shown each time, one line per question.
 */
export async function walk(app, answers) {
  const shown = [];
  const rest = [...answers];
  const suggester = async (textOf, items, throwsOnCancel, placeholder) => {
    if (throwsOnCancel !== false) throw new Error('Esc must not throw');
    const rows = items.map(textOf);
    shown.push({ placeholder, rows });
    let answer = rest.shift();
    if (typeof answer === 'function') answer = await answer();
    if (answer === undefined) throw new Error(`a question too many: ${placeholder}`);
    if (answer === 'Esc') return null;
    return items[rows.findIndex((row) => row.startsWith(answer))];
  };
  const output = await pressHotkey(app, suggester);
  return { output, shown, unused: rest, last: app.notices[app.notices.length - 1] };
}

/** The lines this device appended about decisions, parsed. */
export function decisionsOf(app) {
  const folder = path.join(app.root, '.vaultgraph', 'decisions');
  if (!fs.existsSync(folder)) return [];
  const [name, ...others] = fs.readdirSync(folder);
  if (others.length) throw new Error('two devices');
  if (!/^[\w-]+\.jsonl$/.test(name)) throw new Error(name);
  const lines = fs.readFileSync(path.join(folder, name), 'utf8').split('\n');
  if (lines.pop() !== '') throw new Error('the last line is not whole');
  return lines.map((line) => JSON.parse(line));
}

/** Every file of the vault, the hidden ones left out, by path. */
export function notesOf(app) {
  return Object.fromEntries(app.files.map((file) => [file.path, app.read(file.path)]));
}
