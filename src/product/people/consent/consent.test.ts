// Consents as rows: asked for until one covers all scopes, stored once, revoked once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { uuidOfWireId } from '../../../core/ids.ts';
import { createClient, SESSION_SCOPES } from '../../access/oauth/index.ts';
import { askedOf, attestConsent, giveConsent, missingConsent } from './index.ts';
import { revokeConsent, standingConsents } from './store.ts';

let bench: Bench;
let clientId = '';
before(async () => {
  bench = await openBench();
  const request = { workspace: bench.home.workspace, name: 'C', scopes: ['read_kycs'] };
  clientId = (await createClient(bench.services, request)).client_id;
});
after(() => bench?.close());

async function newAccount(): Promise<string> {
  const account = uuidOfWireId('acct', await bench.newAccount());
  assert.ok(account);
  return account;
}

/** In the home workspace. */
const missing = async (account: string, scopes: readonly string[]): Promise<string[]> => {
  const asked = await missingConsent(bench.db, bench.home.workspace, account, scopes);
  return asked.map(({ scope }) => scope);
};
const give = (account: string, scopes: readonly string[]): Promise<void> =>
  bench.db.transaction((tx) =>
    giveConsent(tx, { workspace: bench.home.workspace, account, clientId, scopes }),
  );

test('every scope that a session can hold has a sentence of its own', () => {
  const scopes = SESSION_SCOPES;
  const asked = askedOf([...scopes, ...scopes]);
  assert.deepEqual(asked.map(({ scope }) => scope), scopes.toSorted());
  assert.equal(new Set(asked.map(({ sentence }) => sentence)).size, scopes.length);
  assert.deepEqual(askedOf(['read_events', 'toString', '__proto__']), []);
});

test('all is asked until one agreement covers all', async () => {
  const account = await newAccount();
  const all = ['write_invoice', 'read_invoice', 'read_payment_method'];
  await give(account, ['read_invoice']);
  await give(account, ['write_invoice', 'read_payment_method']);
  assert.deepEqual(await missing(account, all), all.toSorted(), 'two halves are no whole');
  await give(account, all);
  assert.deepEqual(await missing(account, all), []);
  assert.deepEqual(await missing(account, ['write_invoice', 'write_invoice']), []);
  assert.deepEqual(await missing(account, ['read_kyc']), ['read_kyc']);
  assert.deepEqual(await missing(account, []), []);
  assert.deepEqual(await missing(await newAccount(), all), all.toSorted(), 'of another person');
  const { workspace } = bench.other;
  assert.equal((await missingConsent(bench.db, workspace, account, all)).length, 3, 'elsewhere');
});

test('many at once leave one agreement and one entry of the audit', async () => {
  const account = await newAccount();
  const scopes = ['read_kyc', 'read_kycs'];
  await Promise.all([scopes, scopes.toReversed(), scopes].map((one) => give(account, one)));
  const { workspace } = bench.home;
  const standing = await standingConsents(bench.db, workspace, account);
  assert.deepEqual(standing.map((one) => [one.client_id, one.scopes]), [[clientId, scopes]]);
  const text = `select count(*)::int as n from audit_entry where subject = $1`;
  const count = async (): Promise<number | undefined> =>
    (await bench.db.query<{ n: number }>({ text, values: [standing[0]?.id] }))[0]?.n;
  assert.equal(await count(), 1);
});

test('taken back once; agreeing again is another agreement', async () => {
  const account = await newAccount();
  const { workspace } = bench.home;
  await give(account, ['read_kyc']);
  const [first] = await standingConsents(bench.db, workspace, account);
  assert.ok(first);
  const revoke = (of: string): Promise<boolean> =>
    bench.db.transaction((tx) => revokeConsent(tx, workspace, of, first.id));
  assert.equal(await revoke(await newAccount()), false, 'not by another person');
  assert.equal(await revoke(account), true);
  assert.equal(await revoke(account), false);
  assert.deepEqual(await missing(account, ['read_kyc']), ['read_kyc']);
  await give(account, ['read_kyc']);
  const [second] = await standingConsents(bench.db, workspace, account);
  assert.notEqual(second?.id, first.id);
});

test('a tenant attests until the person took something back, then only they count', async () => {
  const account = await newAccount();
  const { workspace } = bench.home;
  const attest = (scopes: readonly string[]): Promise<boolean> =>
    bench.db.transaction((tx) => attestConsent(tx, { workspace, account, clientId, scopes }));
  assert.deepEqual([await attest(['read_kyc']), await attest(['read_kyc'])], [true, true]);
  assert.deepEqual(await missing(account, ['read_kyc']), ['read_kyc'], 'a flow asks all the same');
  await give(account, ['read_kyc', 'verify_kyc']);
  const [first, own] = await standingConsents(bench.db, workspace, account);
  assert.deepEqual([first?.given_by, own?.given_by], ['integrator', 'person']);
  await bench.db.transaction((tx) => revokeConsent(tx, workspace, account, own?.id ?? ''));
  assert.deepEqual(await standingConsents(bench.db, workspace, account), [], 'both words are void');
  assert.deepEqual(
    [await attest(['verify_kyc']), await attest(['read_kyc', 'read_kycs'])],
    [false, false],
  );
  assert.equal(await attest(['read_kycs']), true, 'of which nothing was taken back');
  await give(account, ['read_kyc']);
  assert.deepEqual([await attest(['read_kyc']), await attest(['verify_kyc'])], [true, false]);
});

test('the database itself changes and forgets none', async () => {
  const account = await newAccount();
  await give(account, ['verify_kyc']);
  for (const text of [
    `update consent set scopes = '{read_kyc}'`,
    `update consent set revoked = null`,
    `update consent set given = given - interval '1 day', revoked = now()`,
    `update consent set given_by = 'integrator', revoked = now()`,
    'delete from consent',
    'truncate consent',
  ]) {
    await assert.rejects(bench.db.execute(text), { code: '23514' }, text);
  }
});
