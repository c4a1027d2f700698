// Rotation of the master key on a running service, killed at random points and then completed:
// nothing is under the old version, everything opens, and nobody was refused meanwhile. [PD3]
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileKeys } from '../../src/providers/keys/file.ts';
import { wrappedColumns } from '../../src/sandbox/index.ts';
import { openAccount, sealPerson } from '../../src/product/people/account/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { accountId, newUuid } from '../../src/core/ids.ts';
import { CHECKOUT, launch, type Launched } from '../start/launch.ts';
import type { Api } from '../kit/api.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';

const PEOPLE = 2_000;
const KILLS = Number(process.env['HOLDFAST_ROTATION_KILLS'] ?? 4);
const folder = mkdtempSync(join(tmpdir(), 'holdfast-rotation-'));
const keyFile = join(folder, 'keys.json');
const keys = await fileKeys(keyFile);
let fleet: Fleet;
let url: string;
let workspace: number;
const ids: string[] = [];

before(async () => {
  fleet = await startFleet(2, { HOLDFAST_KEY_FILE: keyFile });
  const [row] = await fleet.db.query<{ workspace: number }>(
    'select min(workspace) as workspace from account',
  );
  assert.ok(row);
  workspace = row.workspace;
  url = fleet.url;
  await makePeople();
});
after(async () => {
  await fleet.stop();
  rmSync(folder, { recursive: true, force: true });
});

const nameOf = (id: string): string => `person ${id}`;

async function makePeople(): Promise<void> {
  const person = {
    email: null,
    first_name: '',
    last_name: '',
    street_address_1: '',
    street_address_2: '',
    street_address_3: '',
    city: '',
    state_province: '',
    country_iso: '',
    zip_postal_code: '',
    external_platforms: {},
  };
  const rows = await Promise.all(
    Array.from({ length: PEOPLE }, async () => {
      const id = newUuid();
      ids.push(id);
      const named = { ...person, username: nameOf(id), full_name: nameOf(id) };
      return { id, ...(await sealPerson(keys, systemRandom, workspace, id, named)) };
    }),
  );
  await fleet.db.execute({
    text: `with made as (
        insert into account (workspace, id, username_key, created, updated)
        select $1, id, id::text, clock_timestamp(), clock_timestamp() from unnest($2::uuid[]) t(id)
      )
      insert into account_person (workspace, id, wrapped_key, sealed, updated)
      select $1, t.id, t.key, t.sealed, clock_timestamp()
      from unnest($2::uuid[], $3::text[], $4::text[]) t(id, key, sealed)`,
    values: [
      workspace,
      rows.map((row) => row.id),
      rows.map((row) => row.wrapped_key),
      rows.map((row) => row.sealed),
    ],
  });
}

function holdfast(...args: string[]): Launched {
  return launch({
    command: process.execPath,
    args: [join(CHECKOUT, 'src/main.ts'), ...args],
    env: { DATABASE_URL: url, HOLDFAST_DATA_DIR: folder, HOLDFAST_KEY_FILE: keyFile },
  });
}

async function ran(...args: string[]): Promise<{ code: number | string; said: string }> {
  const verb = holdfast(...args);
  return { code: await verb.ended, said: verb.stdout() + verb.stderr() };
}

async function under(version: string): Promise<number> {
  const counts = wrappedColumns.map(async ({ table, column }) => {
    const [row] = await fleet.db.query<{ n: bigint }>({
      text: `select count(*) as n from ${table} where ${column} like $1`,
      values: [`${version}.%`],
    });
    return Number(row?.n ?? 0n);
  });
  return (await Promise.all(counts)).reduce((sum, n) => sum + n, 0);
}

/** Asks a node about a person; null if it knows them, else what it answered. */
async function oddAnswer(api: Api, id: string): Promise<string | null> {
  const reply = await api.send('accounts', 'GET', `/v1/user-info/${accountId(id)}`);
  const { username } = reply.payload as { username: string };
  return reply.status === 200 && username === nameOf(id) ? null : reply.text;
}

/** Asks both nodes about people until told to end; gives how many answers, and the odd ones. */
function asking(): { stop(): Promise<{ right: number; odd: string[] }> } {
  const seen = { right: 0, odd: [] as string[] };
  let open = true;
  const work = fleet.apis.map(async (api, node) => {
    for (let n = node; open; n += 7) {
      const odd = await oddAnswer(api, ids[n % ids.length] ?? '');
      if (odd === null) seen.right += 1;
      else seen.odd.push(odd);
    }
  });
  return {
    async stop() {
      open = false;
      await Promise.all(work);
      return seen;
    },
  };
}

test(`a rotation killed ${KILLS} times ends with the next run`, { timeout: 240_000 }, async () => {
  const service = asking();
  let left = await under('v1');
  assert.ok(left > PEOPLE);
  let halfWay = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const target = Math.floor(left * Math.random());
    const verb = holdfast('keys', 'rotate', '--json');
    // Two runs at once only share the work.
    const second = kill === 2 ? holdfast('keys', 'rotate', '--json') : null;
    const whenKilled = left < 300 ? 300 + Math.random() * 700 : 20_000;
    const deadline = Date.now() + whenKilled;
    while (Date.now() < deadline && (await under('v1')) > Math.max(target, PEOPLE / 20)) {
      await pause(1);
    }
    verb.child.kill('SIGKILL');
    second?.child.kill('SIGKILL');
    await Promise.all([verb.ended, second?.ended]);
    const before = left;
    left = await under('v1');
    if (left > 0 && left < before) halfWay += 1;
    const file = JSON.parse(readFileSync(keyFile, 'utf8')) as { wrapping: object };
    assert.deepEqual(Object.keys(file.wrapping), ['v1', 'v2'], 'no run begins another rotation');
  }
  assert.ok(halfWay > 0, 'no kill hit the work');
  assert.equal((await ran('keys', 'drop', 'v1')).code, 1);
  const last = (): ReturnType<typeof ran> => ran('keys', 'rotate', '--json');
  const ends = await Promise.all([last(), last()]);
  for (const end of ends) assert.equal(end.code, 0, end.said);
  assert.equal(await under('v1'), 0);
  const fresh = await fleet.apis[0]?.register('registered after the rotation');
  assert.ok(fresh);
  assert.equal(await under('v1'), 0, 'a running node wraps under the new version');
  const { right, odd } = await service.stop();
  assert.deepEqual(odd, []);
  assert.ok(right > 100, `only ${right} answers`);
});

test('then the old version can go, and everything still opens', { timeout: 120_000 }, async () => {
  const early = await ran('keys', 'drop', 'v1');
  assert.match(early.said, /less than 15 minutes/);
  const file = JSON.parse(readFileSync(keyFile, 'utf8')) as { replaced: Record<string, string> };
  file.replaced['v1'] = '2020-01-01T00:00:00Z';
  writeFileSync(keyFile, JSON.stringify(file), { mode: 0o600 });
  assert.equal((await ran('keys', 'drop', 'v1')).code, 0);
  const status = await ran('keys', 'status', '--json');
  const shown = JSON.parse(status.said) as Record<string, unknown>;
  assert.equal(shown['current'], 'v2');
  assert.ok(!('v1' in shown));
  assert.ok(Number(shown['v2']) > PEOPLE);
  const [{ wrapped_key = '' } = {}] = await fleet.db.query<{ wrapped_key: string }>({
    text: 'select wrapped_key from account_person where id = $1',
    values: [ids[0]],
  });
  const put = (key: string): Promise<unknown> =>
    fleet.db.execute({
      text: 'update account_person set wrapped_key = $2 where id = $1',
      values: [ids[0], key],
    });
  await put('v1.damaged');
  const unread = await ran('keys', 'rotate', '--json');
  assert.equal(unread.code, 1);
  assert.match(unread.said, /"unreadable":1/);
  await put(wrapped_key);
  for (const id of ids) {
    const parts = { db: fleet.db, keys, random: systemRandom };
    assert.equal((await openAccount(parts, workspace, id))?.full_name, nameOf(id));
  }
  for (const api of fleet.apis) {
    for (const id of ids.slice(0, 10)) assert.equal(await oddAnswer(api, id), null);
  }
  assert.deepEqual(fleet.faults(), []);
});
