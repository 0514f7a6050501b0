// Runs every test here and says in one line how it went.

import * as fs from 'node:fs';
import { run } from 'node:test';

const folder = new URL('.', import.meta.url);
const names = fs.readdirSync(folder).filter((name) => name.endsWith('.test.mjs'));
const files = names.sort().map((name) => new URL(name, folder).pathname);
const started = Date.now();
const counts = { passed: 0, failed: 0, skipped: 0 };

/** A file is reported as a test as well, by its path. */
function isFile(data) {
  return files.includes(data.name) || names.includes(data.name);
}

for await (const { type, data } of run({ files, concurrency: 2 })) {
  if (type === 'test:fail') {
    if (!isFile(data)) counts.failed += 1;
    const { cause, message } = data.details.error;
    console.error(`FAILED ${data.name}\n${(cause && (cause.stack || cause)) || message}\n`);
    process.exitCode = 1;
  } else if (type === 'test:pass' && !isFile(data)) {
    counts[data.skip === undefined ? 'passed' : 'skipped'] += 1;
  } else if (type === 'test:stderr' || type === 'test:stdout') {
    process.stderr.write(data.message);
  }
}

const seconds = ((Date.now() - started) / 1000).toFixed(1);
const { passed, failed, skipped } = counts;
if (!passed) process.exitCode = 1;
console.log(
  `obsidian-templater: ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s`
);
