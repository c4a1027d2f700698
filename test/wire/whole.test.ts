// What is kept of the walk tells of every operation, and what compares two walks sees what it must.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { operations as processor } from '../../src/sandbox/simulators/processor/index.ts';
import { operations as vendor } from '../../src/sandbox/simulators/vendor/index.ts';
import { events } from '../../src/catalogue.ts';
import { operations } from '../../src/sandbox/index.ts';
import { healthOperations } from '../../src/http/health.ts';
import { laidOut } from './layout.ts';
import { Names } from './names.ts';
import { answered, differing, kept } from './record.ts';

const health = healthOperations({ alive: () => true, ready: () => true });
const ALL: readonly string[] = [...operations, ...processor, ...vendor, ...health].map(
  ({ id }) => id,
);
/** They succeed for a connected provider only, of which the walk has none. */
const FOREIGN: ReadonlySet<string> = new Set([
  'takeConnectionNotice',
  'takeIdentityConnectionNotice',
  'getKYCVendorPage',
]);
/**
 * Events that the walk does not cause, since its record names no days, and the test in which
 * each is delivered.
 */
const UNHEARD: ReadonlyMap<string, string> = new Map([
  ['disagreement-due', 'prove/disagreement'],
  ['dispute-response-due', 'prove/dispute-deadline'],
  ['escrow-date-near', 'prove/escrow-parts'],
  ['escrow-expiring', 'prove/escrow-clock'],
  ['identity-document-expiring', 'prove/document-expiry'],
  ['wallet-balance-alert', 'prove/wallet-alert'],
]);

test('every operation is walked, with a success and with a refusal', () => {
  const found = answered(kept());
  assert.ok(ALL.length > 140, String(ALL.length));
  const lacking = (holds: (status: number) => boolean): string[] =>
    ALL.filter((id) => ![...(found.get(id) ?? [])].some(holds));
  const act = 'take a step with it in a chapter of test/wire/chapters';
  const failed = lacking((status) => status < 400).filter((id) => !FOREIGN.has(id));
  assert.deepEqual(failed, [], `no success: ${act}`);
  assert.deepEqual(lacking((status) => status >= 400), [], `no refusal: ${act}`);
  assert.deepEqual([...found.keys()].filter((id) => !ALL.includes(id)), [], 'gone operations');
});

test('every event is delivered, or is known not to be', () => {
  const told = kept().get('26-deliveries') ?? '';
  const silent = events.map(({ name }) => name).filter((name) => !told.includes(`-- ${name}\n`));
  assert.deepEqual(silent.toSorted(), [...UNHEARD.keys()].toSorted());
  for (const [name, file] of UNHEARD) {
    const text = readFileSync(new URL(`../${file}.test.ts`, import.meta.url), 'utf8');
    assert.ok(text.includes(`'${name}'`), `${file} tells nothing of ${name}`);
  }
});

test('an order of keys, a space, an amount and a missing header are each a difference', () => {
  const names = (text: string): string => laidOut(new Names().in(text));
  const right = '{"id":"01a1fa75-0000-7000-8000-00000000000a","amount":5,"state":"open"}';
  for (const wrong of [
    right.replace('"amount":5,"state":"open"', '"state":"open","amount":5'),
    right.replace(':5', ': 5'),
    right.replace(':5', ':6'),
    right.replace('"state"', '"status"'),
    right.replace('"open"', '"opened"'),
    right.replace('-7000-', '-7000'),
  ]) {
    assert.notEqual(names(wrong), names(right), wrong);
  }
  const other = right.replace('000a', '000b');
  assert.equal(names(other), names(right), 'another id is no difference');
  const said = differing('== a 200\nx: 1\ny: 2\n{}\n', '== a 200\nx: 1\n{}\n');
  assert.equal(said, '== a 200\n  == a 200\n  x: 1\n- y: 2');
});

test('a name is kept for a thing wherever it comes again', () => {
  const names = new Names();
  names.begin('01');
  const one = '01a1fa75-0000-7000-8000-00000000000a';
  const two = one.replace('000a', '000b');
  assert.equal(names.in(`${one} ${two} ${one}`), '<id-01.1> <id-01.2> <id-01.1>');
  names.begin('02');
  assert.equal(names.in(`acct_01m7x7a0000000000000000000 ${two}`), '<acct-02.1> <id-01.2>');
  const at = '2026-01-01T00:00:00.000001Z';
  const later = '2026-01-01T00:00:00.000002Z';
  const moments = `{"created":"${at}","updated":"${later}","of":{"at":"${later}"},"now":"${at}"}`;
  assert.equal(
    names.in(moments),
    '{"created":"<time-1>","updated":"<time-2>","of":{"at":"<time-1>"},"now":"<time-1>"}',
  );
});
