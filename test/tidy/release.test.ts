// What a release says about itself: the notes of a version, the refusals, the line of a checksum.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checksumLine, notesOf } from '../../scripts/release-notes.ts';
import { ROOT } from './tree.ts';

const CHANGELOG = `# Changelog

## 1.10.0, not released yet

- Soon.

## 1.1.0, 2026-02-03

- An **event**.

### Details

- ## is no heading inside a line.

## 1.0.0, 2026-01-31
`;

test('the notes are the section of that version and of no other', () => {
  assert.deepEqual(notesOf(CHANGELOG, '1.1.0'), {
    text: '- An **event**.\n\n### Details\n\n- ## is no heading inside a line.\n',
  });
});

test('a version without a section, without a day or without a word is no release', () => {
  const objections = ['1.1', '1.10.0', '1.0.0'].map((version) => notesOf(CHANGELOG, version));
  const said = objections.map((notes) => ('objection' in notes ? notes.objection : ''));
  assert.match(said[0] ?? '', /no section of 1\.1,/);
  assert.match(said[1] ?? '', /day of the release .+"## 1\.10\.0, 2026-01-31"/);
  assert.match(said[2] ?? '', /1\.0\.0 in CHANGELOG\.md is empty/);
});

test('the changelog of today has the section of the next release on top', () => {
  const text = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const [, version = ''] = /^## (\d+\.\d+\.\d+), (?:not released yet|\d{4}-.+)$/m.exec(text) ?? [];
  const dated = text.replace('not released yet', '2026-01-31');
  const notes = notesOf(dated, version);
  assert.ok('text' in notes && /^Interface digest: [0-9a-f]{12}$/m.test(notes.text));
});

test('a checksum is as sha256sum writes it', () => {
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  assert.equal(checksumLine('a.tgz', new Uint8Array()), `${empty}  a.tgz\n`);
});
