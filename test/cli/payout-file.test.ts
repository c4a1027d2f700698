// `holdfast payout-file`: two operators prove who they are, the file is written once and matches
// its digest, and the bank's words settle it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Installation } from '../../src/cli/context.ts';
import { runProgram } from '../../src/cli/program.ts';
import {
  codeAt,
  createOperator,
  type Credentials,
} from '../../src/product/access/operator/index.ts';
import { openBench, type Bench } from '../kit/domain-bench.ts';
import { FilePayouts } from '../kit/file-payouts.ts';

let bench: Bench;
let files: FilePayouts;
const home = mkdtempSync(join(tmpdir(), 'holdfast-payout-file-'));
before(async () => {
  bench = await openBench();
  files = new FilePayouts(bench);
  await files.ownAccount();
});
after(async () => {
  await bench.proved();
  await bench.close();
  rmSync(home, { recursive: true, force: true });
});

interface Spoken {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function holdfast(password: string, ...args: string[]): Promise<Spoken> {
  let out = '';
  let err = '';
  const given = ['payout-file', ...args, '--integrator', bench.home.integrator, '--json'];
  const code = await runProgram(given, {
    environment: { DATABASE_URL: 'of the bench', HOLDFAST_OPERATOR_PASSWORD: password },
    home,
    print: (text) => void (out += text),
    say: (line) => void (err += `${line}\n`),
    colours: false,
    startSystem: () => Promise.reject(new Error('nothing is to start')),
    openInstallation: async () =>
      ({ ...bench.services, close: async () => {} }) as unknown as Installation,
    asked: new Promise(() => {}),
  });
  return { code, out, err };
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const spoken = await holdfast('', ...args);
  assert.equal(spoken.code, 0, spoken.err);
  return JSON.parse(spoken.out) as Record<string, unknown>;
}

type Role = 'reviewer' | 'supervisor';

async function operator(username: string, role: Role): Promise<Credentials> {
  const request = { name: username, username, roles: [role], workspaces: 'all' } as const;
  const made = await createOperator(bench.services, request, 'operator');
  await bench.db.execute({
    text: 'update operator set password_initial = false where id = $1',
    values: [made.id],
  });
  return made;
}

/** Runs a verb as an operator, with the code of so many steps later: each opens once. */
async function as(who: Credentials, steps: number, ...args: string[]): Promise<Spoken> {
  const code = codeAt(who.totp_secret, Date.now() / 1000 + 30 * steps);
  return holdfast(who.password, ...args, '--operator', who.username, '--code', code);
}

test('a file goes from one operator by another to the bank, and is settled', async () => {
  const [maker, second] = [
    await operator('first.person', 'supervisor'),
    await operator('second.person', 'supervisor'),
  ];
  const reviewer = await operator('third.person', 'reviewer');
  const [one, two] = [await files.sent(1_000), await files.sent(2_000)];
  const waiting = [{ currency: 'EUR', n: 2, total: '2970' }];
  assert.deepEqual((await json('list'))['waiting'], waiting);

  const wrong = await as({ ...maker, password: 'wrong' }, 0, 'make', '--currency', 'EUR');
  assert.match(wrong.err, /is wrong/);
  const made = await as(maker, 0, 'make', '--currency', 'EUR');
  assert.equal(made.code, 0, made.err);
  const file = JSON.parse(made.out) as Record<string, string>;
  assert.deepEqual([file['total'], file['state']], ['2970', 'collected']);
  const id = file['file_id'] ?? '';
  const confirming = ['confirm', id, '--sha256', file['sha256'] ?? ''];
  const out = join(home, 'payouts.xml');

  const early = await holdfast('', 'hand-over', id, '--out', out);
  assert.match(early.err, /^PAYOUT_FILE_NOT_CONFIRMED/);
  assert.match((await as(reviewer, 0, ...confirming)).err, /an operator with the role supervisor/);
  assert.match((await as(maker, 1, ...confirming)).err, /^PAYOUT_FILE_SECOND_PERSON/);
  const unseen = await as(second, 0, 'confirm', id, '--sha256', 'f'.repeat(64));
  assert.match(unseen.err, /^PAYOUT_FILE_DIGEST/);
  const confirmed = await as(second, 1, ...confirming);
  assert.equal(confirmed.code, 0, confirmed.err);

  await json('hand-over', id, '--out', out);
  const bytes = readFileSync(out);
  assert.equal(createHash('sha256').update(bytes).digest('hex'), file['sha256']);
  assert.equal(statSync(out).mode & 0o077, 0, 'for its owner alone');
  const other = join(home, 'again.xml');
  const twice = await holdfast('', 'hand-over', id, '--out', other);
  assert.match(twice.err, /^PAYOUT_FILE_HANDED_OVER: .* nothing was changed/);
  assert.match((await holdfast('', 'show', id, '--out', out)).err, /exists already/);
  const shown = await json('show', id, '--out', other);
  assert.deepEqual(readFileSync(other), bytes);
  assert.doesNotMatch(JSON.stringify(shown), /NL91|FR14|ES91|ngstr/);

  await json('return', one.endToEnd, '--reference', 'R1');
  await json('reject', two.endToEnd, '--reference', 'R2');
  const again = await json('reject', two.endToEnd, '--reference', 'R2');
  assert.equal(again['outcome'], 'known');
  assert.equal((await json('show', id))['state'], 'settled');
  assert.deepEqual(await auditedOf(id), ['collect', 'confirm', 'hand_over', 'settle']);
  // A return says that the money had left.
  assert.deepEqual(await auditedOf(one.transfer), ['hand_over', 'paid', 'returned']);
  assert.deepEqual(await auditedOf(two.transfer), ['hand_over', 'declined']);
});

test('what waits and cannot be paid is listed with its id, and rejected by it', async () => {
  const { transfer } = await files.sent(1_000, { iban: 'BR1800360305000010009795493C1' });
  const { payouts } = await json('list');
  const [far] = payouts as { end_to_end_id: string; hindrance: string | null }[];
  assert.deepEqual(far?.hindrance, 'other_format');
  const made = await json('reject', far?.end_to_end_id ?? '', '--reference', 'no way there');
  assert.equal(made['outcome'], 'settled');
  assert.deepEqual(await auditedOf(transfer), ['declined']);
});

/** The steps of a resource that the audit has, in their order. */
async function auditedOf(id: string): Promise<readonly string[]> {
  const rows = await bench.db.query<{ event: string }>({
    text: `select event from history s where resource_id = $1 and exists (
        select from audit_pending p where p.id = s.resource_id and p.version = s.version
        union all
        select from audit_line l where l.id = s.resource_id and l.version = s.version)
      order by version`,
    values: [id],
  });
  return rows.map(({ event }) => event);
}

test('a CSV has the columns of the mapping; a wrong one is refused before anything', async () => {
  await files.sent(1_000);
  const maker = await operator('fourth.person', 'reviewer');
  const mapping = join(home, 'mapping.json');
  const columns = [{ header: 'to', field: 'iban' }, { header: 'sum', field: 'amount' }];
  writeFileSync(mapping, JSON.stringify({ columns: [{ header: 'x', field: 'nothing' }] }));
  const make = ['make', '--currency', 'EUR', '--format', 'csv', '--mapping', mapping];
  assert.match((await as(maker, 0, ...make)).err, /^--mapping takes JSON/);
  writeFileSync(mapping, JSON.stringify({ columns }));
  const day = await as(maker, 0, ...make, '--execute-on', '2026-02-31');
  assert.match(day.err, /^--execute-on takes/);
  const made = await as(maker, 0, ...make);
  assert.equal(made.code, 0, made.err);
  const { file_id: id = '', sha256 = '' } = JSON.parse(made.out) as Record<string, string>;
  const out = join(home, 'payouts.csv');
  const alone = await holdfast('', 'show', id, '--out', out);
  assert.match(alone.err, /^PAYOUT_FILE_NOT_HANDED_OVER/, 'nobody uploads what one person made');
  const second = await operator('fifth.person', 'supervisor');
  await as(second, 0, 'confirm', id, '--sha256', sha256);
  await json('hand-over', id, '--out', out);
  assert.match(readFileSync(out, 'utf8'), /^to,sum\r\n[A-Z]{2}\d{2}\w+,9\.90\r\n$/);
  assert.equal((await json('settle', id, '--reference', 'S1'))['outcome'], 'settled');
  assert.deepEqual(await auditedOf(id), ['collect', 'confirm', 'hand_over', 'settle']);
});
