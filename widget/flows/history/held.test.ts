// What a seller reads of earnings that cannot be spent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../test/kit/english.ts';
import { heldLines } from './held.ts';

const APRIL = '2026-04';
const NOTHING = [{ reserves: [] }, { debts: [] }] as const;
const debt = { debt_id: 'd', display_amount: 'USD 8.20', created: '2026-03-12T12:00:00.000000Z' };

test('a reserve says until when, a debt what repays it, and what is repaid is not said', () => {
  assert.deepEqual(heldLines(...NOTHING), []);
  const releases = [{ due: `${APRIL}-01T12:00:00Z` }, { due: `${APRIL}-12T12:00:00Z` }];
  const reserves = [{ display_amount: 'USD 1.50', releases }];
  const debts = [{ ...debt, status: 'repaid' }, { ...debt, status: 'open' }];
  const [reserve, owed, ...more] = heldLines({ reserves }, { debts });
  assert.deepEqual(more, []);
  assert.deepEqual([reserve?.name, reserve?.amount], ['In reserve', 'USD 1.50']);
  assert.match(reserve?.why ?? '', /at the latest on 12 April 2026\.$/);
  assert.deepEqual([owed?.name, owed?.amount], ['You owe', 'USD 8.20']);
  assert.match(owed?.why ?? '', /lost on 12 March 2026\. Your next sales repay it\.$/);
});
