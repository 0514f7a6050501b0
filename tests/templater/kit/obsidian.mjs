// What Obsidian's API does with frontmatter, by the rules read from the app.

import { parse } from 'yaml';

/** Obsidian parses properties with yaml 2.7.0 and these options. */
export function parseYaml(text) {
  return parse(text, null, { logLevel: 'error' });
}

/** Opening: exactly `---` first. Closing: the next line that is exactly `---`. */
export function getFrontMatterInfo(content) {
  const opening = /^---(\r?\n)/.exec(content);
  if (opening) {
    const from = opening[0].length;
    const closing = /---(\r?\n|$)/g;
    closing.lastIndex = from;
    for (let match = closing.exec(content); match; match = closing.exec(content)) {
      const to = match.index;
      if (content[to - 1] !== '\n') continue;
      const contentStart = to + match[0].length;
      return { exists: true, frontmatter: content.slice(from, to), from, to, contentStart };
    }
  }
  return { exists: false, frontmatter: '', from: 0, to: 0, contentStart: 0 };
}

/** `getFirstLinkpathDest`, rule for rule, over paths. */
export function resolveLink(paths, link, source) {
  const lowered = (path) => path.toLowerCase();
  const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);
  const named = (name) => paths.filter((path) => nameOf(lowered(path)) === name);
  if (!link) return source;
  let wanted = lowered(link);
  let found = nameOf(wanted).includes('.') ? named(nameOf(wanted)) : [];
  if (!found.length) {
    wanted = lowered(`${link}.md`);
    found = named(nameOf(wanted));
  }
  if (!found.length) return null;
  if (found.length === 1 && nameOf(wanted) === wanted) return found[0];
  const folder = lowered(source).split('/').slice(0, -1).join('/');
  const isRooted = wanted.startsWith('/');
  if (/^\.\.?\//.test(wanted)) {
    const parts = folder ? folder.split('/') : [];
    for (const part of wanted.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '.') parts.push(part);
    }
    wanted = parts.join('/');
  }
  if (isRooted) wanted = wanted.slice(1);
  const exact = found.find((path) => lowered(path) === wanted);
  if (exact || isRooted) return exact || null;
  const ending = found.filter((path) => lowered(path).endsWith(wanted));
  const near = ending.filter((path) => lowered(path).startsWith(folder));
  const byLength = (a, b) => a.length - b.length;
  return [...near.sort(byLength), ...ending.sort(byLength)][0] || null;
}

/** `fileToLinktext`: the bare name where only one file has it, else the path. */
export function linkText(paths, path) {
  const bare = (text) => text.replace(/\.md$/, '');
  const nameOf = (one) => one.slice(one.lastIndexOf('/') + 1).toLowerCase();
  const isOnly = paths.filter((one) => nameOf(one) === nameOf(path)).length === 1;
  return bare(isOnly ? path.slice(path.lastIndexOf('/') + 1) : path);
}
