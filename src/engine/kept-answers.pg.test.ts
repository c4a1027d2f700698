// Kept answers in their stored form: what is stored of a sale's is read as it was written, also
// while an upgrade is open, when the last release reads it too.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../core/ids.ts';
import type { Table } from '../core/table.ts';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import {
  idempotencyTable,
  isOfRequest,
  isUnder,
  recordOf,
  storedRecord,
  type IdempotencyRow,
} from './kept-answers.ts';
import { Writes, writeStatement } from './write.ts';

const PRINT = 'SvaD-5C-WNZLKtXVJhzXEC';
const OTHER = 'SvaD-6C-WNZLKtXVJhzXEC';

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
});
after(() => base?.drop());

/** Writes an answer of each kind in one statement, and gives them as they are stored. */
async function stored(kinds: readonly (string | null)[]): Promise<IdempotencyRow[]> {
  const writes = new Writes();
  const scopes = kinds.map((kind) => {
    const shown = kind === null ? undefined : { kind, id: newUuid(), version: 3 };
    const answer = kind === null ? '{"a":1}' : null;
    const of = { workspace: 1, scope: newUuid(), fingerprint: PRINT, status: 201, answer };
    const row = { ...of, ...storedRecord(shown) };
    writes.addInsert(idempotencyTable as unknown as Table, row);
    return { scope: of.scope, shown: shown ?? null };
  });
  await base.db.query(writeStatement(writes));
  const rows: IdempotencyRow[] = [];
  for (const { scope, shown } of scopes) {
    const text = `select * from idempotency i where workspace = 1 and ${isUnder('$1')}`;
    const [row] = await base.db.query<IdempotencyRow>({ text, values: [scope] });
    assert.ok(row);
    assert.deepEqual(recordOf(row), shown);
    const asked = [PRINT, OTHER, PRINT.slice(0, 13)];
    const same = asked.map((fingerprint) => isOfRequest(row, { fingerprint }));
    assert.deepEqual(same, [true, false, false]);
    rows.push(row);
  }
  return rows;
}

const KINDS = ['invoice', 'escrow', null];

test('an answer of a sale is stored without its kind and time, and comes back whole', async () => {
  for (const kinds of [KINDS, ['invoice', 'invoice'], ['escrow']]) {
    const rows = await stored(kinds);
    const isSale = kinds.map((kind) => kind === 'invoice');
    const records = kinds.map((kind) => (kind === 'invoice' ? null : kind));
    assert.deepEqual(rows.map(({ record }) => record), records);
    assert.deepEqual(rows.map(({ created }) => created === null), isSale);
    assert.ok(rows.every(({ fingerprint }) => fingerprint === PRINT.slice(0, 14)));
  }
});

test('until the upgrade is finished it is stored as the last release reads it', async () => {
  await base.db.transaction(async (tx) => {
    await tx.execute(`create trigger idempotency_form before insert on idempotency for each row
        when (new.record is null and new.record_id is not null)
        execute function store_old_answer()`);
    await tx.execute(`create or replace function kept_print() returns int language sql stable
      as 'select 22'`);
  });
  const rows = await stored(KINDS);
  assert.deepEqual(rows.map(({ record }) => record), KINDS);
  assert.ok(rows.every(({ created, fingerprint }) => created !== null && fingerprint === PRINT));
});
