// The audit of a running service: blocks within a second, hashes in a file when it ends, and no
// audit row for a sale.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { anchorFile } from '../../src/providers/anchors/file.ts';
import { sealed } from '../kit/books.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-anchors-'));
const file = join(folder, 'kept/anchors');
/** A block is made each half second; a busy machine is given more. */
const SOON_MS = 10_000;

let platform: Platform;
before(async () => {
  platform = await startPlatform({ settings: { HOLDFAST_AUDIT_ANCHOR: file } });
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function numbers(text: string): Promise<bigint> {
  return (await platform.db.query<{ n: bigint }>(text))[0]?.n ?? 0n;
}

const rows = (): Promise<bigint> =>
  numbers(`select (select count(*) from audit_entry) + (select count(*) from audit_line)
    + (select count(*) from audit_pending) as n`);

async function until(text: string): Promise<void> {
  const deadline = Date.now() + SOON_MS;
  while ((await numbers(text)) > 0n) {
    assert.ok(Date.now() < deadline, 'the audit is behind');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const WAITING = 'select count(*) as n from audit_pending';
const UNCOVERED = `select count(*) as n from event e where not exists (select from audit_block b
  where b.workspace = e.workspace and e.sequence between b.first_event and b.last_event)`;

test('what the first start did is in blocks soon after', async () => {
  await until(WAITING);
  const acts = await platform.db.query<{ act: string }>('select distinct act from audit_entry');
  const names = acts.map(({ act }) => act).toSorted();
  const first = ['bank_account_set', 'client_created', 'method_added', 'operator_created'];
  const rest = ['settings_changed', 'terms_published', 'workspace_created'];
  assert.deepEqual(names, [...first, ...rest]);
});

test('a sale writes no row of the audit; what it announced is covered by ranges', async () => {
  const { api } = platform;
  const { account_id, method } = await api.register('buyer_of_much');
  await api.fund(account_id, 10_000);
  await until(WAITING);
  const before = await rows();
  for (let n = 0; n < 10; n += 1) {
    const parts = [{ payment_method_id: method }];
    const id = await api.created(api.sale(100, parts, { account_id }));
    assert.equal((await api.pay(id)).status, 200);
    assert.equal((await api.finished(id, SOON_MS)).state, 'success');
  }
  await sealed(platform.db);
  assert.equal(await rows(), before);
  await until(UNCOVERED);
});

test('the block hashes are in the file when the service has stopped', async () => {
  const heads = await platform.db.query<{ workspace: number; number: bigint; hash: Buffer }>(
    `select distinct on (workspace) workspace, number, hash from audit_block
      order by workspace, number desc`,
  );
  await platform.stop();
  const kept = (await collect(file)).map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const { workspace, number, hash } of heads) {
    const line = kept.findLast((one) => one['workspace'] === workspace);
    assert.ok(BigInt(String(line?.['number'])) >= number);
    if (line?.['number'] === String(number)) assert.equal(line['hash'], hash.toString('hex'));
  }
});

async function collect(path: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of (await anchorFile(path).read()) ?? []) lines.push(line);
  return lines;
}

test('the anchor file grows by whole lines and is read up to a fixed end', async () => {
  const path = join(folder, 'lines');
  assert.equal(await anchorFile(path).read(), null);
  writeFileSync(path, '{"half":');
  await anchorFile(path).append(['one', 'two']);
  const reading = await anchorFile(path).read();
  await anchorFile(path).append(['three']);
  const seen: string[] = [];
  for await (const line of reading ?? []) seen.push(line);
  assert.deepEqual(seen, ['{"half":', 'one', 'two']);
  assert.deepEqual(await collect(path), ['{"half":', 'one', 'two', 'three']);
});
