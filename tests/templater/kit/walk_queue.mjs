// A person who answers a long queue by a plan, for tests that compare this side with the terminal:
//   node walk_queue.mjs VAULT PLAN [question|log COUNT]
// With COUNT it kills itself after so many answers: at the next question, or when the next
// decision stands in its note and not yet in the log. Otherwise it prints all notices as JSON.

import * as fs from 'node:fs';

import { FakeApp } from './app.mjs';
import { pressHotkey } from './templater.mjs';

const [root, plan, moment, count] = process.argv.slice(2);
const left = JSON.parse(fs.readFileSync(plan, 'utf8'));
const rows = { a: 'Accept', r: 'Reject', s: 'Skip', u: 'Undo', q: 'Done' };
const app = new FakeApp(root);
app.workspace.show('Home.md');

let answers = 0;
let isSorry = false;
let diesAtLog = false;

function die() {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

const { adapter } = app.vault;
const append = adapter.append.bind(adapter);
adapter.append = (name, text) => (diesAtLog ? die() : append(name, text));

/** The question without its number, score and evidence, names without their folders. */
function questionOf(placeholder) {
  const found = /^\d+ of \d+: (.+?)(?: \(\d\.\d\d\).*)?$/.exec(placeholder);
  const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);
  return found && found[1].split(' depends on ').map(nameOf).join(' depends on ');
}

function keyFor(question) {
  if (isSorry) {
    isSorry = false;
    return 'u';
  }
  if (question === null) return 'q';
  if (!left[question]) throw new Error(`not in the plan: ${question}`);
  const [key, ...rest] = left[question];
  isSorry = rest[0] === 'u';
  left[question] = rest.slice(isSorry ? 1 : 0);
  return key;
}

async function suggester(textOf, items, throwsOnCancel, placeholder) {
  const isDue = moment && answers >= Number(count) && !isSorry;
  if (isDue && moment === 'question') await die();
  const key = keyFor(questionOf(placeholder));
  diesAtLog = Boolean(isDue) && moment === 'log' && !isSorry && key !== 's';
  answers += 1;
  return items.find((item) => textOf(item).startsWith(rows[key]));
}

await pressHotkey(app, suggester);
console.log(JSON.stringify(app.notices));
