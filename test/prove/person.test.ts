// The operator erases a person while the service runs: tokens end, the vendor erases too, no field
// can be read again, and ledger and history still verify. [PD3, PD6]
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { accountUuid } from '../../src/product/people/account/index.ts';
import type { Api } from '../kit/api.ts';
import { submission } from '../kit/identity.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import { CHECKOUT, launch } from '../start/launch.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-person-'));
const keyFile = join(folder, 'keys.json');
let fleet: Fleet;
let api: Api;
before(async () => {
  fleet = await startFleet(1, { HOLDFAST_KEY_FILE: keyFile, HOLDFAST_DATA_DIR: folder });
  const [first] = fleet.apis;
  assert.ok(first);
  api = first;
});
after(async () => {
  await fleet.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function holdfast(...args: string[]): Promise<{ code: number | string; said: string }> {
  const verb = launch({
    command: process.execPath,
    args: [join(CHECKOUT, 'src/main.ts'), ...args],
    env: { DATABASE_URL: fleet.url, HOLDFAST_DATA_DIR: folder, HOLDFAST_KEY_FILE: keyFile },
  });
  return { code: await verb.ended, said: verb.stdout() + verb.stderr() };
}

const person = (verb: string, account: string, reason = 'subject_request') =>
  holdfast('person', verb, account, '--reason', reason, '--json');

interface Pair {
  readonly token: { readonly access_token: string };
}

/** What a user's own token is answered. */
async function asUser(token: string, method = 'GET', body?: object): Promise<number> {
  return (await api.send('pii', method, '/v2/kyc', { token, ...(body && { body }) })).status;
}

test("nobody can read an erased person's data", { timeout: 120_000 }, async () => {
  const { account_id } = await api.register('somebody to erase');
  const wish = { account_id, return_token: true, mechanism: 'widget', flow: 'kyc' };
  const pair = await api.must<Pair>(200, 'auth', 'POST', '/authorize/user', { body: wish });
  const token = pair.token.access_token;
  assert.equal(await asUser(token, 'POST', submission()), 200);
  assert.equal((await person('hold', account_id, 'court_order')).code, 0);
  const held = await person('erase', account_id);
  assert.deepEqual([held.code, held.said.includes('PERSON_HELD')], [1, true], held.said);
  assert.equal((await person('release', account_id, 'court_order')).code, 0);
  assert.match((await person('erase', account_id, 'Because of Ada')).said, /must be a code/);
  assert.match((await person('erase', 'acct_x')).said, /no such account/);
  const dry = await holdfast('person', 'erase', account_id, '--reason', 'x', '--dry-run', '--json');
  assert.deepEqual(dry, { code: 0, said: `{"account":"${account_id}","state":"erasable"}\n` });
  assert.equal(await asUser(token), 200, 'nothing happened');
  const erased = await person('erase', account_id);
  assert.equal(erased.code, 0, erased.said);
  assert.equal(await asUser(token), 401, 'at once, though another process erased');
  const info = await api.must<{ username: string; email: unknown; is_blocked: boolean }>(
    ...([200, 'accounts', 'GET', `/v1/user-info/${account_id}`] as const),
  );
  assert.deepEqual([info.username, info.email, info.is_blocked], ['', null, true]);
  const update = { body: { city: 'x' } };
  const change = await api.send('accounts', 'PUT', `/user-info/${account_id}`, update);
  assert.deepEqual([change.status, change.codes], [400, ['ACCOUNT_ERASED']]);
  const deadline = Date.now() + 20_000;
  const { db } = fleet;
  const id = accountUuid(account_id);
  const left = async (): Promise<bigint> => {
    const [row] = await db.query<{ n: bigint }>({
      text: `select (select count(*) from erasure_job where id = $1)
        + (select count(*) from kyc_document where account_id = $1)
        + (select count(*) from vendor_check v join identity_check c on c.id::text = v.key
          where c.account_id = $1 and v.state <> 'forgotten') as n`,
      values: [id],
    });
    return row?.n ?? -1n;
  };
  while ((await left()) !== 0n) {
    assert.ok(Date.now() < deadline, `left: ${await left()}`);
    await pause(100);
  }
  const acts = await db.query<{ act: string }>({
    text: 'select act from audit_entry where subject = $1 order by at',
    values: [id],
  });
  assert.deepEqual(acts.map(({ act }) => act), ['person_held', 'person_released', 'person_erased']);
  const verified = await holdfast('verify');
  assert.equal(verified.code, 0, verified.said);
  assert.deepEqual(fleet.faults(), []);
});
