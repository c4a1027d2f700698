// A tenant moves between two installations that serve under load, and its command is killed at each
// step: exactly one side owns it at any time, no acknowledged payment is lost or doubled, webhooks
// and the stream go on without a gap, and the other tenants of both sides notice nothing. Every
// block of docs/scaling.md is typed as it stands: operatorSteps('scaling').
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { holdfast } from '../cli/terminal.ts';
import { proved, sealed, settled } from '../kit/books.ts';
import { turn } from '../kit/generations.ts';
import { startDirectory, startProxy } from '../kit/haproxy.ts';
import { endAll, type Launched } from '../start/launch.ts';
import { allTyped, install, introduce, speak, Tenant, typeBlock } from './two-installations.ts';
import type { Installation } from './two-installations.ts';

const SELLERS = 3;
/** No tenant may be refused for longer. */
const REFUSED_MS = 10_000;
const WITHIN_MS = 60_000;

let here: Installation;
let there: Installation;
let mover: Tenant;
let others: Tenant[];
/** How far its stream was read before it moved. */
let cursor = 0;
/** Links into its pages that were made before. */
let links: URL[] = [];
/** What its operators chose of its matches. */
let weights: unknown[] = [];
before(async () => {
  here = await install(0);
  there = await install(1, here);
  introduce(here, there);
  introduce(there, here);
  mover = await Tenant.make('Mover', [here, there]);
  others = [await Tenant.make('Stayer', [here]), await Tenant.make('Resident', [there])];
  await mover.grow(here, Number(process.env['HOLDFAST_MOVE_ROWS'] ?? 2_000));
  await here.db.query({
    text: `insert into match_weights (workspace, estimated, persons, pairs, pairs_of_one, shares,
        used)
      select workspace, clock_timestamp(), 5000, 90, 80, '{"phone": {"differs": 0.1}}',
        '{"phone": {"differs": 0.2}}' from workspace where integrator = $1`,
    values: [mover.integrator],
  });
  weights = await weightsAt(here);
  // What came before lies in the past of its tables, and moves like the rest.
  const kept = await here.db.query<{ name: string }>('select name from generation');
  for (const { name } of kept) await turn(here.db, name);
  for (const tenant of [mover, ...others]) await tenant.sell(tenant === mover ? SELLERS : 1);
});
after(async () => {
  for (const tenant of [mover, ...others]) {
    await tenant?.end();
    tenant?.close();
  }
  endAll();
  await Promise.all([here?.stop(), there?.stop()]);
});

/** Its weights of matches there, whatever its workspace's number is. */
function weightsAt({ db }: Installation): Promise<unknown[]> {
  return db.query({
    text: `select (to_jsonb(m) - 'workspace')::text as row
      from match_weights m join workspace w using (workspace) where w.integrator = $1`,
    values: [mover.integrator],
  });
}

function move(from: Installation, to: Installation): Launched {
  return holdfast(from.settings, 'tenant', 'move', mover.integrator, '--to', to.file, '--json');
}

/** Waits until the command has said this. */
async function heard(command: Launched, text: string): Promise<void> {
  const end = Date.now() + WITHIN_MS;
  while (!command.stderr().includes(text)) {
    const over = command.child.exitCode !== null || Date.now() > end;
    assert.ok(!over, `${text} was not said: ${command.stderr()}`);
    await pause(5);
  }
}

/** Holds a lock that the command runs into after it has said this; kills it there, and lets go. */
async function killAt(
  { db }: Installation,
  lock: string,
  command: Launched,
  after: string,
): Promise<void> {
  await heard(command, after);
  const holder = await db.connection();
  await holder.execute('begin');
  await holder.execute(lock);
  const waits = `select from pg_stat_activity where wait_event_type = 'Lock'
    and application_name = 'holdfast cli' and datname = current_database()`;
  for (const end = Date.now() + WITHIN_MS; (await db.query(waits)).length === 0; await pause(10)) {
    const over = command.child.exitCode !== null || Date.now() > end;
    assert.ok(!over, `it did not come to ${lock}: ${command.stderr()}`);
  }
  command.child.kill('SIGKILL');
  await command.ended;
  await holder.execute('rollback');
  holder.release();
}

/** Where a round begins; where the tenant is opened; where it is left. */
const ROUND = 'select from tenant_move for update';
const OPEN = 'lock table link in access exclusive mode';
const LEAVE = 'lock table link in share mode';

/** How its workspace ends on each side: null serves, '-infinity' waits, a time has given it up. */
async function owners(): Promise<string> {
  const ends = await Promise.all([here, there].map(async ({ db }) => {
    const text = `select case when ended is null then 'serves' when ended = '-infinity' then 'waits'
      else 'gave up' end as how from workspace where integrator = $1`;
    const [row] = await db.query<{ how: string }>({ text, values: [mover.integrator] });
    return row?.how ?? 'absent';
  }));
  return ends.join(', ');
}

/** Waits until so many more payments were acknowledged. */
async function sells(tenant: Tenant, more = 5): Promise<void> {
  const enough = tenant.paid.length + more;
  for (const end = Date.now() + WITHIN_MS; tenant.paid.length < enough; await pause(20)) {
    assert.ok(Date.now() < end, `nothing is sold: ${JSON.stringify([...tenant.refused])}`);
  }
}

test('killed while it copies: the tenant was served all the time', async () => {
  await sells(mover);
  const command = move(here, there);
  await heard(command, 'copied');
  command.child.kill('SIGKILL');
  await command.ended;
  assert.equal(await owners(), 'serves, waits');
  await sells(mover);
  assert.deepEqual([...mover.refused], []);
});

test('killed while it is frozen: it thaws by itself, in time', async () => {
  mover.longestMs = 0;
  await killAt(there, ROUND, move(here, there), 'frozen');
  assert.equal(await owners(), 'waits, waits');
  await sells(mover);
  assert.equal(await owners(), 'serves, waits');
  assert.ok(mover.longestMs <= REFUSED_MS, `${mover.longestMs} ms`);
  console.log(`frozen and killed: refused for ${Math.round(mover.longestMs)} ms`);
});

test('killed after the hand-over: nobody else owns it, and the next run opens it', async () => {
  cursor = (await mover.stream(0)).at(-1)?.sequence ?? 0;
  links = [await mover.link()];
  const command = move(here, there);
  await killAt(there, OPEN, command, 'frozen');
  assert.match(command.stderr(), /handed over/);
  assert.equal(await owners(), 'gave up, waits');
  await killAt(here, LEAVE, move(here, there), '');
  assert.equal(await owners(), 'gave up, serves');
  await sells(mover);
  assert.equal(weights.length, 1);
  assert.deepEqual(await weightsAt(there), weights);
  const again = await speak(here, 'tenant', 'move', mover.integrator, '--to', there.file);
  assert.equal(again.code, 0, again.err);
  const reply = await mover.api.through(here.ready).send('invoicing', 'GET', '/v1/events');
  assert.equal(reply.status, 401);
});

test('the directory in front finds it by token, client, page and link', async () => {
  const typed = [here, there].map(({ machine }) => typeBlock(machine, 'holdfast tenant directory'));
  const map = (await Promise.all(typed)).join('');
  assert.match(map, new RegExp(`^${mover.integrator} 1$`, 'm'));
  const own = await Promise.all([here, there].map(({ port }) => startProxy([port])));
  const proxy = await startDirectory(own.map(({ port }) => [port]), map);
  try {
    await proxy.serving();
    const { client_id, client_secret } = mover.credentials;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const order = { host: 'auth', method: 'POST', path: '/token' };
    const grant = { grant_type: 'client_credentials' };
    const named = String(new URLSearchParams({ ...grant, ...mover.credentials }));
    const asked = await proxy.call({ ...order, headers, body: named });
    assert.equal(asked.status, 200, asked.text);
    const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
    const body = String(new URLSearchParams(grant));
    const proven = { ...headers, authorization: basic };
    assert.equal((await proxy.call({ ...order, headers: proven, body })).status, 200);
    const { access_token } = JSON.parse(asked.text) as { access_token: string };
    const authorization = `Bearer ${access_token}`;
    const events = { host: 'invoicing', path: '/v1/events', headers: { authorization } };
    assert.equal((await proxy.call(events)).status, 200);
    for (const { pathname } of links) await proxy.call({ host: 'widget', path: pathname });
    const resident = others[1]?.integrator;
    await proxy.call({ host: 'hosted', path: `/${others[0]?.integrator}/pii/none` });
    await proxy.call({ host: 'hosted', path: `/${resident}/pii/none` });
    // It writes a line after the answer.
    const last = `/${resident}/pii/none`;
    for (const end = Date.now() + WITHIN_MS; !proxy.log().includes(last); await pause(20)) {
      assert.ok(Date.now() < end, proxy.log());
    }
    for (const line of proxy.log().split('\n').filter((one) => one.includes('/ui/appauth/'))) {
      assert.match(line, / installation_1\/one /);
    }
    assert.match(proxy.log(), new RegExp(`installation_0/one .*${others[0]?.integrator}`));
    assert.match(proxy.log(), new RegExp(`installation_1/one .*${resident}`));
  } finally {
    await Promise.all([proxy, ...own].map((one) => one.stop()));
  }
});

test('moved back without a kill: refused for a few seconds', async () => {
  mover.longestMs = 0;
  await sells(mover);
  const named = [['<id>', mover.integrator]] as const;
  const out = await typeBlock(there.machine, 'holdfast tenant move', named);
  await sells(mover, 5);
  assert.equal(await owners(), 'serves, gave up');
  assert.ok(allTyped());
  const of = (name: string): string => new RegExp(`^${name} +(\\d+)$`, 'm').exec(out)?.[1] ?? '';
  console.log(`moved ${of('rows')} rows: refused for ${Math.round(mover.longestMs)} ms, ` +
    `by the command ${of('refused_ms')} ms`);
  assert.ok(mover.longestMs <= REFUSED_MS, `${mover.longestMs} ms`);
});

test('webhooks and stream: every event once, in order, without a gap', async () => {
  for (const tenant of [mover, ...others]) await tenant.end();
  for (const { db } of [here, there]) {
    await settled(db, WITHIN_MS);
    await sealed(db);
  }
  const rest = await mover.stream(cursor);
  assert.deepEqual(rest.map(({ sequence }) => sequence), rest.map((_, at) => cursor + at + 1));
  const last = rest.at(-1)?.sequence ?? 0;
  const told = (): number => mover.first + mover.told.length - 1;
  for (const end = Date.now() + WITHIN_MS; told() < last; await pause(50)) {
    assert.ok(Date.now() < end, `${told()} of ${last} events were delivered`);
  }
  mover.close();
  const sequences = mover.told.map(({ sequence }) => sequence).toSorted((a, b) => a - b);
  assert.deepEqual(sequences, sequences.map((_, at) => at + mover.first));
  const versions = new Map<string, number>();
  for (const { resource, version } of mover.told.filter((one) => one.resource !== '')) {
    assert.ok(version > (versions.get(resource) ?? 0), `${resource} out of order`);
    versions.set(resource, version);
  }
});

test('nothing is lost or doubled, and the others noticed nothing', async () => {
  for (const { db } of [here, there]) await proved(db);
  for (const one of [here, there]) {
    const verified = await speak(one, 'verify');
    assert.equal(verified.code, 0, verified.out + verified.err);
  }
  const [sold] = await here.db.query<{ all: number; known: number }>({
    text: `select count(*)::int as all, count(*) filter (where i.id = any($2))::int as known
      from invoice i join workspace w using (workspace)
      where w.integrator = $1 and i.state = 'success'`,
    values: [mover.integrator, mover.paid],
  });
  assert.equal(sold?.known, mover.paid.length);
  // Those that were under way at the end may have been paid without an answer.
  assert.ok(sold.all - sold.known <= SELLERS, `${sold.all} were paid, ${sold.known} known`);
  assert.equal((await mover.api.money(mover.seller.account_id)).spendable, sold.all);
  for (const tenant of others) assert.deepEqual([...tenant.refused], []);
  assert.deepEqual([here, there].flatMap((one) => one.faults()), []);
});
