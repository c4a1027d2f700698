// Agreeing to terms: once for each version, only to the current text, and before a session pays.
// The rows are immutable.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { uuidOfWireId } from '../../../core/ids.ts';
import { ensureSandboxTerms, publishTerms, readTerms } from './publish.ts';
import { refusals } from './refusals.ts';
import { requireSignedTerms, signTerms, termsFor } from './sign.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench?.close());

async function person(): Promise<{ wire: string; id: string }> {
  const wire = await bench.newAccount();
  return { wire, id: uuidOfWireId('acct', wire) ?? '' };
}

const sign = (id: string, version: number): Promise<void> =>
  bench.db.transaction((tx) => signTerms(tx, bench.home.workspace, id, version));

test('what may be published is plain text', () => {
  const read = (text: string): string => readTerms(Buffer.from(text));
  assert.equal(read('\ufeff One \t\r\n\r\nTwo\r'), 'One\n\nTwo');
  assert.equal(read('1 < 2 > 0'), '1 < 2 > 0');
  for (const wrong of ['', ' \n ', '<b>x', '</b>', '<!-- x', 'a\u0000b', 'a\u0085b', 'a\u001bb']) {
    assert.throws(() => read(wrong), /^Error: The terms /, JSON.stringify(wrong));
  }
  const most = '\u00e9'.repeat(100_000);
  assert.equal(read(most), most);
  assert.throws(() => read(`${most}x`), /longer/);
  assert.throws(() => readTerms(Uint8Array.of(0xc3, 0x28)), /UTF-8/);
});

test('without a text there is nothing to agree to, and nothing in the way', async () => {
  const { wire, id } = await person();
  const { workspace } = bench.home;
  assert.deepEqual(await termsFor(bench.db, workspace, id), { current: null, signed: true });
  await requireSignedTerms(bench.db, bench.caller(bench.home, 'session', wire));
  await assert.rejects(sign(id, 1), { spec: refusals.TERMS_VERSION_STALE });
});

test('a sandbox gets one text, whoever else starts', async () => {
  await Promise.all([1, 2, 3].map(() => ensureSandboxTerms(bench.db)));
  const { id } = await person();
  const { current, signed } = await termsFor(bench.db, bench.home.workspace, id);
  assert.deepEqual([current?.version, signed], [1, false]);
  assert.equal(readTerms(Buffer.from(current?.content ?? '')), current?.content, 'is plain itself');
});

test('only a session waits for its person, and for the newest text', async () => {
  const { wire, id } = await person();
  const session = bench.caller(bench.home, 'session', wire);
  const refused = { spec: refusals.TERMS_NOT_SIGNED };
  await assert.rejects(requireSignedTerms(bench.db, session), refused);
  for (const kind of ['client', 'user'] as const) {
    await requireSignedTerms(bench.db, bench.caller(bench.home, kind, wire));
  }
  await Promise.all([sign(id, 1), sign(id, 1), sign(id, 1)]);
  await requireSignedTerms(bench.db, session);
  const elsewhere = bench.caller(bench.other, 'session', wire);
  await assert.rejects(requireSignedTerms(bench.db, elsewhere), refused, 'of another workspace');
  const { terms } = await publishTerms(bench.db, 'Other words.');
  await assert.rejects(requireSignedTerms(bench.db, session), refused);
  await assert.rejects(sign(id, 1), { spec: refusals.TERMS_VERSION_STALE });
  await sign(id, terms.version);
  await requireSignedTerms(bench.db, session);
  const text = `select count(*)::int as n from audit_entry where act = 'terms_signed'
    and subject = $1`;
  const [entries] = await bench.db.query<{ n: number }>({ text, values: [wire] });
  assert.equal(entries?.n, 2, 'one for each version');
});

test('the database itself changes and forgets neither text nor agreement', async () => {
  for (const text of [
    `update terms_version set content = 'x'`,
    'delete from terms_signature',
    'truncate terms_version cascade',
    `update terms_signature set version = 1`,
  ]) {
    await assert.rejects(bench.db.execute(text), { code: '23514' }, text);
  }
});
