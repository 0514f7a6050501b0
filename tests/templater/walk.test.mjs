// Whole queues walked by a scripted person: what is asked, what is written, what is left alone.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';

import { decisionsOf, notesOf, openVault, proposalsFile, proposing, walk } from './kit/vault.mjs';

const FILE = '.vaultgraph/proposals.json';
const HOME = 'A note that is open.\n';
const BASES = { 'A.md': 'a\n', 'B.md': 'b\n', 'C.md': 'c\n' };

/** One note with three proposals, and the notes they are about. */
const THREE = { 'Home.md': HOME, ...BASES, 'Plan.md': proposing('A', 'B', 'C') };

function listed(key, ...bases) {
  return `${key}:\n${bases.map((basis) => `  - "[[${basis}]]"\n`).join('')}`;
}

function plan(...lists) {
  return `---\nstatus: live\n${lists.join('')}---\nText.\n`;
}

function rewriteNote(app, name, change) {
  const file = path.join(app.root, name);
  fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')));
}

test('accept, reject and skip: each entry goes where it belongs, and nothing else changes', async (t) => {
  const app = openVault(t, THREE);
  const { output, last } = await walk(app, ['Accept', 'Reject', 'Skip', 'Done']);
  assert.equal(output, '');
  assert.deepEqual(notesOf(app), {
    ...THREE,
    'Plan.md': plan(
      listed('depends-on-proposed', 'C'),
      listed('depends-on', 'A'),
      listed('depends-on-rejected', 'B')
    ),
  });
  assert.equal(last, 'vaultgraph: 1 accepted, 1 rejected, of 3 proposals.');
});

test('the strongest comes first, and each question says all there is to know', async (t) => {
  const app = openVault(t, {
    ...BASES,
    'Home.md': HOME,
    'One.md': proposing('A', 'B'),
    'Two.md': proposing('C', 'A'),
    [FILE]: proposalsFile([
      ['Two.md', 'C.md', 0.91, { evidence: 'It rests on C.', evidence_note: 'Two.md' }],
      ['One.md', 'A.md', 0.75],
      ['One.md', 'B.md', 0.99, { evidence: 'As B says.' }],
    ]),
  });
  const { shown } = await walk(app, ['Skip', 'Skip', 'Skip', 'Skip']);
  assert.deepEqual(
    shown.map(({ placeholder }) => placeholder),
    [
      '1 of 4: One depends on B (0.99) – “As B says.”',
      '2 of 4: Two depends on C (0.91) – “It rests on C.”',
      '3 of 4: One depends on A (0.75)',
      '4 of 4: Two depends on A',
    ]
  );
  assert.deepEqual(shown[1].rows, [
    'Accept',
    'Reject',
    'Skip',
    'Undo last',
    'Open both: Two depends on C (0.91) – “It rests on C.”',
    'Stop',
  ]);
});

test('of equal strength, the order of the file counts', async (t) => {
  const rows = [
    ['Plan.md', 'C.md', 0.8],
    ['Plan.md', 'A.md', 0.8],
    ['Plan.md', 'B.md'],
  ];
  const app = openVault(t, { ...THREE, [FILE]: proposalsFile(rows) });
  const { shown } = await walk(app, ['Skip', 'Skip', 'Skip']);
  assert.deepEqual(
    shown.map(({ placeholder }) => placeholder.split(' ')[6]),
    ['C', 'A', 'B']
  );
});

test('without proposals.json the order is that of the paths', async (t) => {
  const app = openVault(t, { ...THREE, 'sub/Late.md': proposing('Plan'), 'An.md': proposing('C') });
  app.files.reverse();
  const { shown } = await walk(app, ['Skip', 'Skip', 'Skip', 'Skip', 'Skip']);
  assert.deepEqual(
    shown.map(({ placeholder }) => placeholder),
    [
      '1 of 5: An depends on C',
      '2 of 5: Plan depends on A',
      '3 of 5: Plan depends on B',
      '4 of 5: Plan depends on C',
      '5 of 5: Late depends on Plan',
    ]
  );
});

test('a proposals.json that cannot be read is said, and does without', async (t) => {
  for (const text of ['{"schema": 1', '[]', '{}', 'null']) {
    const app = openVault(t, { ...THREE, [FILE]: text });
    const { shown } = await walk(app, ['Esc']);
    assert.equal(shown[0].placeholder, '1 of 3: Plan depends on A');
    assert.match(app.notices[0], /proposals\.json cannot be read; run vaultgraph propose/);
  }
});

test('nothing to review', async (t) => {
  const app = openVault(t, { 'Home.md': HOME });
  const { shown, last } = await walk(app, []);
  assert.equal(shown.length, 0);
  assert.equal(last, 'vaultgraph: 0 accepted, 0 rejected, of 0 proposals.');
});

for (const way of ['Esc', 'Stop']) {
  test(`${way} ends the sitting, and the next one goes on from there`, async (t) => {
    const app = openVault(t, THREE);
    const first = await walk(app, ['Accept', way]);
    assert.equal(first.last, 'vaultgraph: 1 accepted, 0 rejected, of 3 proposals.');
    const second = await walk(app, [way]);
    assert.equal(second.shown[0].placeholder, '1 of 2: Plan depends on B');
  });
}

test('a suggester that throws ends the sitting; what was decided stays', async (t) => {
  const app = openVault(t, THREE);
  const boom = () => {
    throw new Error('no modal');
  };
  const { output, last } = await walk(app, ['Accept', boom]);
  assert.equal(output, '');
  assert.equal(last, 'vaultgraph: stopped. no modal');
  assert.match(app.read('Plan.md'), /^depends-on:\n {2}- "\[\[A\]\]"/m);
});

// ---- Undo

test('undo takes decisions back byte for byte, one after the other, and asks again', async (t) => {
  const odd = '\ufeff---\r\ndepends-on-proposed: ["[[A|a]]", \'B\', ]\r\n---\r\nText.\r\n';
  const app = openVault(t, { 'Home.md': HOME, ...BASES, 'Plan.md': odd });
  const { shown, unused } = await walk(app, ['Accept', 'Reject', 'Undo', 'Undo', 'Esc']);
  assert.equal(app.read('Plan.md'), odd);
  assert.equal(shown[3].placeholder, '2 of 2: Plan depends on B');
  assert.equal(shown[4].placeholder, '1 of 2: Plan depends on A');
  assert.deepEqual(unused, []);
});

test('a skip is no decision: undo behind it takes back the decision before it', async (t) => {
  const app = openVault(t, THREE);
  const { shown } = await walk(app, ['Accept', 'Skip', 'Undo', 'Esc']);
  assert.equal(app.read('Plan.md'), THREE['Plan.md']);
  assert.equal(shown[3].placeholder, '1 of 3: Plan depends on A');
});

test('undo behind the last item', async (t) => {
  const app = openVault(t, { 'Home.md': HOME, ...BASES, 'Plan.md': proposing('A') });
  const { shown } = await walk(app, ['Accept', 'Undo', 'Reject', 'Done']);
  assert.deepEqual(shown[1].rows, ['Done', 'Undo last']);
  assert.equal(app.read('Plan.md'), plan(listed('depends-on-rejected', 'A')));
});

test('undo with nothing to take back', async (t) => {
  const app = openVault(t, THREE);
  await walk(app, ['Undo', 'Skip', 'Undo', 'Esc']);
  assert.deepEqual(notesOf(app), THREE);
  assert.equal(app.notices[0], 'vaultgraph: nothing to take back yet.');
});

test('undo of a note that was edited meanwhile keeps that edit', async (t) => {
  const app = openVault(t, THREE);
  const edit = () => {
    rewriteNote(app, 'Plan.md', (text) => text.replace('Text.', 'Another text.'));
    return 'Undo';
  };
  await walk(app, ['Accept', edit, 'Esc']);
  assert.equal(
    app.read('Plan.md'),
    plan(listed('depends-on-proposed', 'B', 'C', 'A')).replace('Text.', 'Another text.')
  );
});

test('undo where the entry was moved by hand changes nothing', async (t) => {
  const app = openVault(t, THREE);
  const edit = () => {
    rewriteNote(app, 'Plan.md', (text) => text.replace('depends-on:', 'mine:'));
    return 'Undo';
  };
  await walk(app, ['Accept', edit, 'Esc']);
  assert.match(app.notices[0], /^vaultgraph: Plan\.md was left as it is: its entry for A is gone/);
  assert.match(app.read('Plan.md'), /^mine:/m);
  assert.deepEqual(
    decisionsOf(app).map(({ decision }) => decision),
    ['accepted']
  );
});

// ---- What others do meanwhile

test('an entry gone between question and answer is not decided', async (t) => {
  const app = openVault(t, THREE);
  const mine = plan(listed('depends-on-proposed', 'B', 'C'), listed('depends-on-rejected', 'A'));
  const edit = () => {
    rewriteNote(app, 'Plan.md', () => mine);
    return 'Accept';
  };
  const { shown } = await walk(app, [edit, 'Esc']);
  assert.equal(app.read('Plan.md'), mine);
  assert.equal(shown[1].placeholder, '2 of 3: Plan depends on B');
  assert.match(app.notices[0], /its entry for A is gone/);
  assert.deepEqual(decisionsOf(app), []);
});

test('a note edited between question and answer keeps the edit', async (t) => {
  const app = openVault(t, THREE);
  const edit = () => {
    rewriteNote(app, 'Plan.md', (text) => text.replace('status: live', 'status:  draft # now'));
    return 'Accept';
  };
  await walk(app, [edit, 'Esc']);
  assert.equal(
    app.read('Plan.md'),
    plan(listed('depends-on-proposed', 'B', 'C'), listed('depends-on', 'A')).replace(
      'status: live',
      'status:  draft # now'
    )
  );
});

test('an edit in the last moment, inside process, is seen too', async (t) => {
  const mine = plan(listed('depends-on-proposed', 'B'));
  const beforeProcess = () => rewriteNote(app, 'Plan.md', () => mine);
  const app = openVault(t, THREE, { beforeProcess });
  await walk(app, ['Accept', 'Esc']);
  assert.equal(app.read('Plan.md'), mine);
});

test('what is being typed is saved before the note is read', async (t) => {
  const app = openVault(t, THREE);
  const view = app.workspace.show('Plan.md');
  app.workspace.defer('Plan.md');
  view.editor.text = view.editor.text.replace('Text.', 'Typed just now.');
  await walk(app, ['Accept', 'Esc']);
  assert.deepEqual(app.events.slice(0, 3), ['save Plan.md', 'process Plan.md', 'write Plan.md']);
  assert.equal(
    app.read('Plan.md'),
    plan(listed('depends-on-proposed', 'B', 'C'), listed('depends-on', 'A')).replace(
      'Text.',
      'Typed just now.'
    )
  );
});

test('a view that still shows the note as it was does not save that over a decision', async (t) => {
  const app = openVault(t, THREE, { reloadsAfter: 120 });
  const view = app.workspace.show('Plan.md');
  // Such a view would save whatever it shows, once anything is typed.
  const type = (answer) => () => {
    view.editor.text += 'More.\n';
    return answer;
  };
  await walk(app, [type('Accept'), type('Accept'), 'Esc']);
  const text = plan(listed('depends-on-proposed', 'C'), listed('depends-on', 'A', 'B'));
  assert.equal(app.read('Plan.md'), `${text}More.\nMore.\n`);
});

// ---- The note the hotkey was pressed in

test('a selection is not replaced by our output', async (t) => {
  const app = openVault(t, THREE);
  app.workspace.activeEditor.editor.selection = [2, 11];
  await walk(app, ['Accept', 'Esc']);
  assert.equal(app.read('Home.md'), HOME);
  assert.deepEqual(app.workspace.activeEditor.editor.selection, [11, 11]);
});

test('the note the hotkey was pressed in may be the dependent itself', async (t) => {
  const app = openVault(t, THREE);
  app.workspace.show('Plan.md', [0, 400]);
  await walk(app, ['Accept', 'Accept', 'Accept', 'Done']);
  assert.equal(app.read('Plan.md'), plan(listed('depends-on', 'A', 'B', 'C')));
});

test('no editor is active', async (t) => {
  const app = openVault(t, THREE);
  app.workspace.activeEditor = null;
  await walk(app, ['Accept', 'Esc']);
  assert.match(app.read('Plan.md'), /^depends-on:/m);
});

// ---- Open both

test('open shows both notes beside the own one, in the same leaves each time', async (t) => {
  const evidence = { evidence: 'So it is.', evidence_note: 'A.md', evidence_line: 7 };
  const file = proposalsFile([['Plan.md', 'A.md', 0.9, evidence]]);
  const app = openVault(t, { ...THREE, [FILE]: file });
  const { shown } = await walk(app, ['Open', 'Skip', 'Open', 'Esc']);
  assert.deepEqual(
    app.events.filter((event) => /^(leaf|open)/.test(event)),
    ['leaf split', 'open Plan.md', 'leaf horizontal', 'open A.md:6', 'open Plan.md', 'open B.md']
  );
  assert.equal(shown[1].placeholder, shown[0].placeholder);
  assert.deepEqual(notesOf(app), THREE);
});

test('a leaf that was closed meanwhile is made anew', async (t) => {
  const app = openVault(t, THREE);
  const close = () => {
    app.workspace.leaves.splice(1);
    return 'Open';
  };
  await walk(app, ['Open', close, 'Esc']);
  const leaves = app.events.filter((event) => event.startsWith('leaf'));
  assert.deepEqual(leaves, ['leaf split', 'leaf horizontal', 'leaf split', 'leaf horizontal']);
});

test('on a phone there are tabs', async (t) => {
  const app = openVault(t, THREE, { isMobile: true });
  await walk(app, ['Open', 'Esc']);
  const leaves = app.events.filter((event) => event.startsWith('leaf'));
  assert.deepEqual(leaves, ['leaf tab', 'leaf tab']);
});

// ---- Texts

const ODD = {
  'CRLF': '---\r\ndepends-on-proposed:\r\n  - "[[A]]"\r\n  - "[[B]]"\r\n---\r\nText.\r\n',
  'a byte order mark': '\ufeff---\ndepends-on-proposed:\n  - "[[A]]"\n  - "[[B]]"\n---\nText.\n',
  'comments and other styles':
    "---\n# mine\nzip: 007 # code\ndepends-on-proposed: # later\n- 'A' # first\n- \"[[B]]\"\n---\n",
  'no text behind': '---\ndepends-on-proposed:\n  - "[[A]]"\n  - "[[B]]"\n---',
};

for (const [name, text] of Object.entries(ODD)) {
  for (const keepsMark of [false, true]) {
    test(`${name}: only our own lines change (mark kept: ${keepsMark})`, async (t) => {
      const app = openVault(t, { 'Home.md': HOME, ...BASES, 'Plan.md': text }, { keepsMark });
      await walk(app, ['Accept', 'Esc']);
      const eol = text.includes('\r') ? '\r\n' : '\n';
      const entry = /[ ]*- (?:"\[\[A\]\]"|'A')[^\n]*\n/.exec(text)[0];
      const end = text.lastIndexOf('---');
      assert.equal(
        app.read('Plan.md'),
        `${text.slice(0, end)}depends-on:${eol}  - "[[A]]"${eol}${text.slice(end)}`.replace(entry, '')
      );
    });
  }
}

test('a flow list stays one, and the link is written as Obsidian writes it', async (t) => {
  const app = openVault(t, {
    'Home.md': HOME,
    'x/A.md': '',
    'y/A.md': '',
    'Plan.md': '---\ndepends-on: ["[[Home]]"]\ndepends-on-proposed: ["[[y/A|the a]]", "[[Home]]"]\n---\n',
  });
  await walk(app, ['Accept', 'Accept', 'Done']);
  assert.equal(app.read('Plan.md'), '---\ndepends-on: ["[[Home]]", "[[y/A]]"]\n---\n');
});

test('every spelling of one note is one proposal', async (t) => {
  const note = '---\ndepends-on-proposed:\n  - A\n  - "[[a|x]]"\n  - "[t](A.md)"\n---\n';
  const app = openVault(t, { 'Home.md': HOME, ...BASES, 'Plan.md': note });
  const { shown } = await walk(app, ['Reject', 'Done']);
  assert.equal(shown[0].placeholder, '1 of 1: Plan depends on A');
  assert.equal(app.read('Plan.md'), '---\ndepends-on-rejected:\n  - "[[A]]"\n---\n');
});

test('an entry that reaches no note is counted, and stays', async (t) => {
  const app = openVault(t, { ...THREE, 'Plan.md': proposing('Gone', 'A', 'Lost') });
  const { last } = await walk(app, ['Accept', 'Done']);
  assert.equal(
    last,
    'vaultgraph: 1 accepted, 0 rejected, of 1 proposals. Entries that reach no note: 2.'
  );
  assert.match(app.read('Plan.md'), /- "\[\[Gone\]\]"\n {2}- "\[\[Lost\]\]"/);
});

// ---- Refusals

const REFUSED = {
  'comment-on-key-line': '---\ndepends-on-proposed: # by hand\n  - "[[A]]"\n---\n',
  'anchor-or-tag': '---\ndepends-on-proposed: &x\n  - "[[A]]"\n---\n',
  'template-commands': '---\nday: "<% tp.date.now() %>"\ndepends-on-proposed:\n  - "[[A]]"\n---\n',
  'multi-line-scalar': '---\ndepends-on-proposed:\n  - >-\n    A\n---\n',
  'verify-failed': '---\nk: |+\n  t\ndepends-on-proposed:\n  - "[[A]]"\n\n---\n',
};

for (const [code, text] of Object.entries(REFUSED)) {
  test(`${code}: refused by name, and the queue goes on`, async (t) => {
    const notes = { 'Home.md': HOME, ...BASES, 'Bad.md': text, 'Plan.md': proposing('B') };
    const app = openVault(t, notes);
    const { shown } = await walk(app, ['Accept', 'Accept', 'Done']);
    assert.equal(app.read('Bad.md'), text);
    assert.equal(app.read('Plan.md'), plan(listed('depends-on', 'B')));
    assert.equal(shown[1].placeholder, '2 of 2: Plan depends on B');
    assert.match(app.notices[0], new RegExp(`^vaultgraph: Bad\\.md.* was left as it is: .*${code}`));
    assert.equal(decisionsOf(app).length, 1);
  });
}

test('a note that is not UTF-8 would lose bytes in Obsidian: refused', async (t) => {
  const app = openVault(t, THREE);
  const bytes = Buffer.concat([Buffer.from(THREE['Plan.md']), Buffer.from([0xff, 0xfe])]);
  fs.writeFileSync(path.join(app.root, 'Plan.md'), bytes);
  await walk(app, ['Accept', 'Esc']);
  assert.deepEqual(fs.readFileSync(path.join(app.root, 'Plan.md')), bytes);
  assert.match(app.notices[0], /is not UTF-8.*\(not-utf8\)/);
});

test('a name no link can hold is refused', async (t) => {
  const note = '---\ndepends-on-proposed:\n  - "[x](C%5ED.md)"\n---\n';
  const app = openVault(t, { 'Home.md': HOME, 'C^D.md': '', 'Plan.md': note });
  await walk(app, ['Accept']);
  assert.equal(app.read('Plan.md'), note);
  assert.match(app.notices[0], /unlinkable-name/);
});

test('a disk that takes nothing is said', async (t) => {
  const app = openVault(t, THREE);
  app.vault.process = async () => {
    throw new Error('ENOSPC');
  };
  await walk(app, ['Accept', 'Esc']);
  assert.equal(app.notices[0], 'vaultgraph: Plan.md was left as it is: ENOSPC');
});

// ---- Keys, privacy, the log

test('renamed keys come from proposals.json', async (t) => {
  const keys = { proposed: 'vermutet', accepted: 'beruht-auf', rejected: 'Beruht Nicht' };
  const app = openVault(t, {
    'Home.md': HOME,
    ...BASES,
    'Plan.md': '---\nVermutet:\n  - "[[A]]"\n  - "[[B]]"\ndepends-on-proposed: "[[C]]"\n---\n',
    [FILE]: proposalsFile([['Plan.md', 'A.md', 0.9]], keys),
  });
  await walk(app, ['Accept', 'Reject', 'Done']);
  assert.equal(
    app.read('Plan.md'),
    '---\ndepends-on-proposed: "[[C]]"\nberuht-auf:\n  - "[[A]]"\nBeruht Nicht:\n  - "[[B]]"\n---\n'
  );
});

test('private notes make no pair, whatever side they are on', async (t) => {
  const secret = '---\nPrivate: yes\ndepends-on-proposed:\n  - "[[A]]"\n---\n';
  const app = openVault(t, {
    'Home.md': HOME,
    ...BASES,
    'Secret.md': secret,
    'Open.md': '---\nprivate: no\n---\n',
    'Plan.md': proposing('Secret', 'Open'),
  });
  const { shown } = await walk(app, ['Skip']);
  assert.equal(shown[0].placeholder, '1 of 1: Plan depends on Open');
});

test('a pair that vaultgraph keeps out of its file is decided, and not logged', async (t) => {
  const app = openVault(t, { ...THREE, [FILE]: proposalsFile([['Plan.md', 'B.md', 0.9]]) });
  await walk(app, ['Accept', 'Accept', 'Undo', 'Esc']);
  assert.deepEqual(
    decisionsOf(app).map(({ basis }) => basis),
    ['B.md']
  );
});

test('each decision is a line: time, what, which pair, and what was shown', async (t) => {
  const rows = [
    ['Plan.md', 'A.md', 0.9],
    ['Plan.md', 'B.md', 0.85],
    ['Plan.md', 'C.md'],
  ];
  const app = openVault(t, { ...THREE, [FILE]: proposalsFile(rows) });
  const before = new Date().toISOString();
  await walk(app, ['Accept', 'Skip', 'Reject', 'Undo', 'Esc']);
  const lines = decisionsOf(app);
  const first = { basis: 'A.md', probability: 0.9, judge: 'jev', model: 'm-1' };
  assert.deepEqual(
    lines.map(({ at, seconds, ...rest }) => {
      assert.ok(at >= before && at <= new Date().toISOString() && at.endsWith('Z'));
      assert.equal(seconds === undefined, rest.decision === 'undone');
      return rest;
    }),
    [
      { schema: 1, decision: 'accepted', dependent: 'Plan.md', ...first },
      { schema: 1, decision: 'rejected', dependent: 'Plan.md', basis: 'C.md' },
      { schema: 1, decision: 'undone', undoes: 'rejected', dependent: 'Plan.md', basis: 'C.md' },
    ]
  );
});

test('the time of a decision counts from when its item was first shown', async (t) => {
  const app = openVault(t, THREE);
  const slowly = async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return 'Open';
  };
  await walk(app, [slowly, 'Accept', 'Accept', 'Esc']);
  const [first, second] = decisionsOf(app);
  assert.ok(first.seconds >= 0.2);
  assert.ok(second.seconds < first.seconds);
});

test('the device keeps its name, in the app or in the window', async (t) => {
  const stored = new Map();
  globalThis.window = {
    localStorage: {
      getItem: (key) => (stored.has(key) ? stored.get(key) : null),
      setItem: (key, value) => stored.set(key, value),
    },
  };
  t.after(() => delete globalThis.window);
  for (const hasStorage of [true, false]) {
    const app = openVault(t, THREE, { hasStorage });
    await walk(app, ['Accept', 'Esc']);
    await walk(app, ['Accept', 'Esc']);
    assert.equal(decisionsOf(app).length, 2);
    const [name] = fs.readdirSync(path.join(app.root, '.vaultgraph/decisions'));
    assert.match(name, /^obsidian-[0-9a-f]{12}\.jsonl$/);
    const storage = hasStorage ? app.storage : stored;
    assert.equal(`${storage.get('vaultgraph-device')}.jsonl`, name);
  }
});

test('a stored name that would be no file name is replaced', async (t) => {
  const app = openVault(t, THREE);
  app.saveLocalStorage('vaultgraph-device', '../../evil');
  await walk(app, ['Accept', 'Esc']);
  assert.equal(decisionsOf(app).length, 1);
});

test('a log that cannot be written is said, and the decision stands', async (t) => {
  const app = openVault(t, THREE);
  fs.mkdirSync(path.join(app.root, '.vaultgraph'));
  fs.writeFileSync(path.join(app.root, '.vaultgraph/decisions'), '');
  await walk(app, ['Accept', 'Esc']);
  assert.match(app.notices[0], /^vaultgraph: the note is written, but not the log of decisions/);
  assert.match(app.read('Plan.md'), /^depends-on:/m);
});

// ---- Size, and just after the start

test('before Obsidian knows the notes they are read', async (t) => {
  const broken = '---\na: b: c\n---\n';
  const app = openVault(t, { ...THREE, 'Broken.md': broken, 'None.md': 'x' });
  app.metadataCache.isReady = false;
  const { shown } = await walk(app, ['Accept', 'Esc']);
  assert.equal(shown[0].placeholder, '1 of 3: Plan depends on A');
  assert.match(app.read('Plan.md'), /^depends-on:/m);
});

test('a thousand proposals over six hundred notes, quickly', async (t) => {
  const notes = { 'Home.md': HOME };
  for (let number = 0; number < 500; number += 1) {
    notes[`deep/N${number}.md`] = proposing(`B${number % 100}`, `B${(number * 7 + 1) % 100}`);
  }
  for (let number = 0; number < 100; number += 1) notes[`B${number}.md`] = 'b\n';
  const app = openVault(t, notes);
  const answers = Array.from({ length: 1000 }, (_, n) => (n % 10 ? 'Accept' : 'Reject'));
  const started = process.hrtime.bigint();
  const { last } = await walk(app, [...answers, 'Done']);
  const milliseconds = Number(process.hrtime.bigint() - started) / 1e6;
  assert.equal(last, 'vaultgraph: 900 accepted, 100 rejected, of 1000 proposals.');
  assert.ok(milliseconds / 1000 < 20, `${milliseconds / 1000} ms a decision`);
  assert.equal(decisionsOf(app).length, 1000);
  for (const [name, text] of Object.entries(notesOf(app))) {
    if (name.startsWith('deep/')) assert.doesNotMatch(text, /proposed/);
    else assert.equal(text, notes[name]);
  }
});
