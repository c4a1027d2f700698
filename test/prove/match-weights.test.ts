// Weights of a tenant's own persons, by command: refused to a small tenant, shown before they are
// used, chosen by a supervisor, logged; and what they change, for that tenant alone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { codeAt, createOperator } from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { chooseWeights, explainMatches } from '../../src/product/people/matching/index.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { run } from '../cli/terminal.ts';
import { signedIn, type Access, type Browser } from '../console/kit.ts';
import { invented, storePersons } from '../kit/persons.ts';

let platform: Platform;
let workspace: number;
let integrator: string;
let ruth: Browser;
const access: Record<string, Access & { readonly id: string }> = {};

/** Of so many persons the last are the first again. */
const [PERSONS, ONCE] = [450, 300];

before(async () => {
  platform = await startPlatform();
  const { db, keys } = platform;
  const [home] = await db.query<{ workspace: number; integrator: string }>(
    'select workspace, integrator from workspace order by workspace limit 1',
  );
  [workspace, integrator] = [home?.workspace ?? 0, home?.integrator ?? ''];
  for (const [username, role] of [
    ...([['ruth', 'reviewer'], ['sven', 'supervisor'], ['tove', 'supervisor']] as const),
    // Whoever has used a code waits half a minute for the next one.
    ...([['uma', 'supervisor']] as const),
  ]) {
    const wish = { name: username, username, roles: [role], workspaces: 'all', mustChange: false };
    const services = { db, keys, random: systemRandom, env: 'staging' } as const;
    access[username] = await createOperator(services, wish as never, 'operator');
  }
  const console = (platform.ready.urls as Record<string, string>)['console'] ?? '';
  ruth = await signedIn(console, access['ruth']!);
  // Whoever is there twice has the same telephone.
  await storePersons(platform, workspace, PERSONS, (at) =>
    at < ONCE ? invented(at) : { ...invented(at - ONCE), street: `${at} Quarry Lane` });
});
after(() => platform?.stop());

type Told = Record<string, unknown>;

async function matching(more: readonly string[], who = ''): Promise<Told> {
  const env = { DATABASE_URL: platform.url, HOLDFAST_KEY_FILE: platform.keyFile };
  const settings = { ...env, HOLDFAST_OPERATOR_PASSWORD: access[who]?.password ?? '' };
  const code = (): string => codeAt(access[who]?.totp_secret ?? '', Date.now() / 1_000 + 30);
  const by = who === '' ? [] : ['--operator', who, '--code', code()];
  const args = ['tenant', 'matching', integrator, '--json', ...more, ...by];
  return JSON.parse((await run(settings, ...args)).out) as Told;
}

/** When its weights were estimated last, as the command says it. */
async function lastEstimate(): Promise<string> {
  return /^estimated (\S+): /.exec(String((await matching([]))['own_weights']))?.[1] ?? 'never';
}

/** What another telephone says in a workspace, and all of it, in bits. */
async function bits(of: number): Promise<{ phone: number; weight: number }> {
  const one = invented(3);
  const other = { ...one, phone_number: '4152345678', ssn_last4: '' };
  const [explained] = await explainMatches(platform, of, one, [other]);
  const phone = explained?.fields.find(({ field }) => field === 'phone');
  return { phone: phone?.bits ?? 0, weight: explained?.weight ?? 0 };
}

/** As many as the least that a tenant needs, for the counts alone: storing them takes minutes. */
async function grown(size: number): Promise<void> {
  const values = [workspace, size];
  await platform.db.query({ text: 'update match_count set n = $2 where workspace = $1 and key = 0',
    values });
}

test('a tenant with few persons is refused, and nothing unseen is used', async () => {
  assert.match(String((await matching(['--weigh']))['error']), /MATCH_TOO_FEW_FOR_WEIGHTS.*5,000/);
  const early = await matching(['--use-weights', '2026-11-30T00:00:00.000000Z'], 'sven');
  assert.match(String(early['error']), /MATCH_WEIGHTS_NOT_ESTIMATED/);
  const told = await matching([]);
  assert.deepEqual([told['weights'], told['own_weights']],
    ['shipped', 'not estimated; they take 5000']);
});

test('what is estimated is shown and not used, and nothing of anybody is kept', async () => {
  await grown(5_000);
  const shipped = await bits(workspace);
  const told = await matching(['--weigh']);
  assert.equal(told['weights'], 'shipped', JSON.stringify(told));
  assert.match(String(told['own_weights']),
    /^estimated 20\S+: 4[45]\d persons looked up, \d+ pairs, 1[45]\d rather of one person$/);
  assert.match(String(told['phone_differs']),
    /^33\.6 of 100, own [12][0-9.]+; worth -1\.6 bits, own -2\.\d$/);
  assert.match(String(told['household_given_same']), /^0\.01 of 100, own 0\.01$/);
  assert.equal(told['place_same'], undefined, 'not estimated, and so not shown');
  assert.deepEqual(await bits(workspace), shipped);
  const rows = await platform.db.query('select to_jsonb(w)::text as row from match_weights w');
  assert.doesNotMatch(JSON.stringify(rows), /springfield|stein|415|quarry/i);
});

test('a supervisor has it used, and it is logged; other tenants keep what is shipped', async () => {
  const other = (await platform.tenant()).workspace;
  const [before, theirs] = [await bits(workspace), await bits(other)];
  const seen = await lastEstimate();
  const refused = await matching(['--use-weights', seen], 'ruth');
  assert.match(String(refused['error']), /supervisor/, JSON.stringify(refused));
  const nonsense = await matching(['--use-weights', 'own'], 'tove');
  assert.match(String(nonsense['error']), /the time after `estimated`, as it is shown, or shipped/);
  const told = await matching(['--use-weights', seen], 'tove');
  assert.equal(told['weights'], 'own', JSON.stringify(told));
  assert.match(String(told['phone_same']), /^64 of 100, own [78]/);
  const after = await bits(workspace);
  assert.ok(after.phone < before.phone - 0.5, `${before.phone} before, ${after.phone}`);
  assert.ok(after.weight < before.weight - 0.2, `${before.weight} before, ${after.weight}`);
  assert.deepEqual(await bits(other), theirs);
  const [entry] = await platform.db.query<{ actor: string; detail: string }>({
    text: `select actor, detail from audit_entry
      where workspace = $1 and act = 'match_weights_chosen' order by id desc`,
    values: [workspace],
  });
  assert.equal(entry?.actor, `operator:${access['tove']?.id}`);
  const { estimated, pairs, ...detail } = JSON.parse(entry?.detail ?? '{}') as Told;
  assert.match(String(estimated), /^20/);
  assert.ok(Number(pairs) > 0);
  assert.deepEqual(Object.keys(detail), ['weights', 'weights_before', 'persons', 'pairs_of_one']);
  assert.deepEqual([detail['weights'], detail['weights_before']], ['own', 'shipped']);
});

test('another estimate is not used until it is chosen, and shipped ones come back', async () => {
  const [used, seen] = [await bits(workspace), await lastEstimate()];
  await platform.db.query({
    text: `update match_weights set shares = jsonb_set(shares, '{phone,differs}', '0.9'),
        estimated = estimated + interval '1 microsecond' where workspace = $1`,
    values: [workspace],
  });
  assert.deepEqual(await bits(workspace), used);
  assert.equal((await matching([]))['weights'], 'own, of an earlier estimate');
  const page = (await ruth.get('/matching')).text;
  assert.match(page, /of your own persons, estimated earlier; those estimated/);
  const late = await matching(['--use-weights', seen], 'uma');
  assert.match(String(late['error']), /MATCH_WEIGHTS_NOT_ESTIMATED/, JSON.stringify(late));
  assert.deepEqual(await bits(workspace), used);
  await chooseWeights(platform.db, workspace, 'operator:sven', await lastEstimate());
  assert.ok((await bits(workspace)).phone > used.phone + 1);
  await chooseWeights(platform.db, workspace, 'operator:sven', null);
  assert.ok(Math.abs((await bits(workspace)).phone + 1.57) < 0.01, 'as shipped');
  await grown(PERSONS);
});
