// Late results of reads (a client that moved to another workspace, the database's clock, the
// signing keys) never overwrite newer knowledge.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportJWK, generateKeyPair } from 'jose';
import type { Database } from '../../../db/index.ts';
import type { OAuthServices } from './services.ts';
import { ALGORITHM, KeyRing } from './signing-keys.ts';
import { Tokens } from './tokens.ts';
import { RevocationCache } from './revocation-cache.ts';

test('a client read before news of it is as the news says', async () => {
  const id = '01a1fa9d-7256-730c-94fe-2f8786622f1a';
  const first = Promise.withResolvers<void>();
  const row = { clientId: id, integrator: id, scopes: [], disabled: false };
  let asked = 0;
  const query = async ({ name, values }: { name: string; values: string[][] }) => {
    if (name === 'oauth_clock') return [{ seconds: 0 }];
    if (name !== 'oauth_clients' || !values[0]?.includes(id)) return [];
    if (asked++ > 0) return [{ ...row, workspace: 2 }];
    await first.promise;
    return [{ ...row, workspace: 1 }];
  };
  const keys = { refresh: async () => {} } as unknown as KeyRing;
  const watch = new RevocationCache({ query } as unknown as Database, keys);
  const meeting = watch.client(id);
  await watch.refreshAnew();
  first.resolve();
  assert.equal((await meeting)?.workspace, 2);
  assert.equal(watch.knownClient(id)?.workspace, 2);
});

const ID = '01a1fa9d-7256-730c-94fe-2f8786622f1a';
const CLIENT = { clientId: ID, integrator: ID } as const;
/** A cache whose own clock and database clock stand still until the test moves them. */
async function clocked(keys: KeyRing) {
  const clock = { here: 0, there: 1_000_000, late: Promise.resolve() };
  const query = async ({ name }: { name: string }) => {
    if (name !== 'oauth_clock') return [];
    const seconds = clock.there;
    await clock.late;
    return [{ seconds }];
  };
  const watch = new RevocationCache(
    { query } as unknown as Database,
    keys,
    () => clock.here * 1_000,
  );
  await watch.refresh();
  const pass = (seconds: number): void => {
    clock.here += seconds;
    clock.there += seconds;
  };
  return { clock, watch, pass };
}

const NO_KEYS = { refresh: async () => {} } as unknown as KeyRing;

test('time as the database has it stays right when an answer comes late', async () => {
  const { clock, watch, pass } = await clocked(NO_KEYS);
  assert.equal(watch.now(), 1_000_000);
  const late = Promise.withResolvers<void>();
  clock.late = late.promise;
  const reading = watch.refresh();
  pass(90);
  assert.equal(watch.now(), 1_000_090);
  late.resolve();
  await reading;
  assert.equal(watch.now(), 1_000_090);
});

test('a database whose clock was put on, or back a little or much, is followed', async () => {
  const { clock, watch, pass } = await clocked(NO_KEYS);
  clock.there += 3_600;
  await watch.refresh();
  assert.equal(watch.now(), 1_003_600);
  clock.there -= 30;
  await watch.refresh();
  assert.equal(watch.now(), 1_003_600, 'time stands');
  pass(20);
  assert.equal(watch.now(), 1_003_600, 'until it has come so far again');
  pass(20);
  assert.equal(watch.now(), 1_003_610);
  clock.there -= 3_600;
  await watch.refresh();
  assert.equal(watch.now(), 1_000_010);
});

test('all who bring the first tokens of a new key at once wait for the key', async () => {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM);
  const late = Promise.withResolvers<void>();
  let known: typeof publicKey | null = null;
  const ring = { signer: () => ({ kid: 'new', key: privateKey }), verifying: () => known };
  const refresh = (): Promise<void> => late.promise.then(() => void (known = publicKey));
  const { watch } = await clocked(NO_KEYS);
  const services = { env: 'staging', random: { uuid: () => 'one' } } as unknown as OAuthServices;
  const keys = { ...ring, refresh } as unknown as KeyRing;
  const tokens = new Tokens(services, 'http://auth.example', keys, watch);
  const grant = { client: CLIENT, kind: 'client', accountId: null, scopes: [], seconds: 900 };
  const { token } = await tokens.issue(grant as Parameters<Tokens['issue']>[0]);
  const looks = Promise.all([tokens.inspect(token), tokens.inspect(token)]);
  await new Promise(setImmediate);
  late.resolve();
  assert.deepEqual(
    (await looks).map((claims) => claims?.jti),
    ['one', 'one'],
  );
});

test('keys that were asked for earlier and come later do not hide the newest one', async () => {
  const row = async (kid: string) => {
    const { publicKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    return { kid, public_jwk: JSON.stringify(await exportJWK(publicKey)), active: false };
  };
  const rows = [await row('old')];
  const late = Promise.withResolvers<void>();
  const waits = [late.promise, Promise.resolve()];
  const query = async () => {
    const known = [...rows];
    await waits.shift();
    return known;
  };
  const keys = new KeyRing({ db: { query } } as unknown as OAuthServices);
  const first = keys.refresh();
  rows.push(await row('new'));
  await keys.refresh();
  assert.notEqual(keys.verifying('new'), null);
  late.resolve();
  await first;
  assert.notEqual(keys.verifying('new'), null);
});
