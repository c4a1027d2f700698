// What a person reads on a machine that cannot run Holdfast: one sentence; and nothing on one that
// can.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { CHECKOUT } from './launch.ts';

interface Facts {
  platform: string;
  arch: string;
  node: number;
  glibc: boolean;
  account: boolean;
  free: number | null;
  ownDatabase: boolean;
}

// Plain JavaScript for whatever Node the machine has, so its types are told here.
const script = join(CHECKOUT, 'scripts/setup/preflight.mjs');
const { findObstacle, gatherFacts } = (await import(script)) as {
  findObstacle: (facts: Facts, firstRun: boolean) => string | null;
  gatherFacts: (root: string) => Facts;
};

const GOOD: Facts = {
  platform: 'linux',
  arch: 'x64',
  node: 20,
  glibc: true,
  account: true,
  free: 5e9,
  ownDatabase: false,
};

const OBSTACLES: readonly [string, Partial<Facts>, RegExp][] = [
  ['Windows', { platform: 'win32' }, /WSL/],
  ['an old Node', { node: 16 }, /Node 16 is too old/],
  ['musl', { glibc: false }, /musl/],
  ['musl with a database of its own but an old Node', { glibc: false, ownDatabase: true }, /musl/],
  ['another processor', { arch: 'ppc64' }, /ppc64/],
  ['an unmapped uid', { account: false }, /uid has no entry/],
  ['a full disk', { free: 9e8 }, /Only 900 MB/],
];

for (const [name, facts, sentence] of OBSTACLES) {
  test(`${name} is reported in one sentence`, () => {
    const obstacle = findObstacle({ ...GOOD, ...facts }, true) ?? '';
    assert.match(obstacle, sentence);
    assert.equal(obstacle.includes('\n'), false);
    assert.match(obstacle, /\.$/);
  });
}

test('a machine that can run it is not refused', () => {
  assert.equal(findObstacle(GOOD, true), null);
  assert.equal(findObstacle({ ...GOOD, free: null }, true), null);
  assert.equal(
    findObstacle({ ...GOOD, free: 9e8 }, false),
    null,
    'only a first run needs the room',
  );
  assert.equal(findObstacle({ ...GOOD, glibc: false, node: 24, ownDatabase: true }, true), null);
  assert.equal(findObstacle({ ...GOOD, account: false, ownDatabase: true }, true), null);
});

test('the facts of this machine are read', () => {
  const facts = gatherFacts(CHECKOUT);
  assert.equal(facts.platform, process.platform);
  assert.ok(facts.free !== null && facts.free > 0);
  assert.equal(facts.account, true);
});
