// The catalogue holds everything that operations declare, and says each thing one way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusals as processor } from '../../src/sandbox/simulators/processor/index.ts';
import { refusals as vendor } from '../../src/sandbox/simulators/vendor/index.ts';
import { events, machines, recordKinds } from '../../src/catalogue.ts';
import { modules, operations, refusals } from '../../src/sandbox/index.ts';
import { httpRefusals } from '../../src/http/refusals.ts';
import { STEPS } from '../../src/http/pipeline.ts';
import { refusalsOfSteps, STEP_REFUSALS } from '../../src/http/step-refusals.ts';
import { filesOf } from '../tidy/tree.ts';
import type { RefusalSpec } from '../../src/core/refusal.ts';

test('every module is listed, by the name of its folder', () => {
  const written = filesOf('src/{product,sandbox}/**/module.ts').map(({ path }) => {
    return path.replace(/^src\/(?:product|sandbox)\/(.*)\/module\.ts$/, '$1');
  });
  assert.deepEqual(modules.map(({ name }) => name).toSorted(), written.toSorted());
});

const all = [...refusals, ...Object.values<RefusalSpec>(httpRefusals)];

test('a code has one sentence, and one person who can act', () => {
  const said = new Map<string, RefusalSpec>();
  for (const spec of [...all, ...Object.values<RefusalSpec>({ ...processor, ...vendor })]) {
    const first = said.get(spec.code) ?? spec;
    said.set(spec.code, first);
    const { sentence, act, retry, cites } = spec;
    assert.deepEqual({ ...first, sentence, act, retry, cites }, first, spec.code);
  }
  assert.ok(said.size > 70, String(said.size));
});

test('a code with two statuses has them for an id in a path and in a body', () => {
  const statuses = new Map<string, Set<number>>();
  for (const { code, status } of all) {
    statuses.set(code, (statuses.get(code) ?? new Set()).add(status));
  }
  for (const [code, found] of statuses) {
    if (found.size === 1) continue;
    assert.match(code, /_NOT_FOUND$/);
    assert.deepEqual([...found].toSorted(), [400, 404], code);
  }
});

test('every refusal that an operation declares is in the catalogue', () => {
  const known = new Set(all.map((spec) => `${spec.code} ${spec.status} ${spec.sentence}`));
  for (const one of operations) {
    for (const spec of one.refusals) {
      const key = `${spec.code} ${spec.status} ${spec.sentence}`;
      assert.ok(known.has(key), `${one.id} declares ${key}`);
    }
    const codes = new Set(all.map((spec) => spec.code));
    for (const { code } of refusalsOfSteps(one)) assert.ok(codes.has(code), `${one.id} ${code}`);
  }
});

test('every refusal of the domain and of input is declared by some operation', () => {
  const declared = new Set(
    operations.flatMap((one) => [...one.refusals, ...refusalsOfSteps(one)].map(({ code }) => code)),
  );
  assert.deepEqual(refusals.map(({ code }) => code).filter((code) => !declared.has(code)), []);
});

test('every step of the pipeline has its row, in their order', () => {
  const steps = STEPS.map(({ name }) => name);
  assert.deepEqual(STEP_REFUSALS.map(({ step }) => step), ['address', ...steps]);
});

test('every event has a message, and a row that sends it unless it follows no move', () => {
  const sent = new Set(machines.flatMap(({ moves }) => moves.map(({ emits }) => emits?.name)));
  const kinds = new Set(recordKinds.map(({ kind }) => kind));
  for (const { name, record, stepless, message } of events) {
    assert.ok(sent.has(name) || stepless === true, `${name} is in no row`);
    assert.ok(record === undefined || kinds.has(record), `${name} shows a record that is none`);
    assert.ok(message !== undefined, `${name} has a message`);
  }
});
