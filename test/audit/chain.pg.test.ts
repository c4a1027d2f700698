// How audit entries get into blocks: with their commit, however late, each once, oldest first,
// without personal data; and that the tables' guards hold.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { machines } from '../../src/catalogue.ts';
import { MOST } from '../../src/product/tell/audit/canonical.ts';
import {
  anchorOf,
  audit,
  AUDITED_STEP,
  rotateAuditKey,
  verifyAudit,
} from '../../src/product/tell/audit/index.ts';
import { brokenConstraint } from '../../src/db/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import type { Keys } from '../../src/providers/keys/port.ts';
import { startAudit } from '../../src/worker/audit.ts';
import { openScene, prove, tamper, type Scene } from './kit.ts';

let scene: Scene;
let workspace: number;
before(async () => {
  scene = await openScene(2);
  workspace = scene.bench.home.workspace;
});
after(() => scene.bench.close());

const operator = (subject: string) =>
  ({ workspace, actor: 'operator', act: 'person_opened', subject }) as const;

/** Subjects of the entries that each block of the workspace covers, in order. */
async function blocksOf(subjects: readonly string[]): Promise<Map<string, string>> {
  const rows = await scene.bench.db.query<{ subject: string; at: string }>({
    text: `select e.subject, l.block || '.' || l.line as at from audit_entry e
      join audit_line l on l.workspace = e.workspace and l.id = e.id
      where e.workspace = $1 and e.subject = any($2)`,
    values: [workspace, subjects],
  });
  return new Map(rows.map(({ subject, at }) => [subject, at]));
}

async function whole(): Promise<void> {
  const found = await scene.bench.db.transaction((tx) => prove(scene, tx));
  assert.deepEqual(found, { laws: [], what: [] });
}

test('an entry is there with its act, or not at all', async () => {
  const undone = scene.bench.db.transaction(async (tx) => {
    await audit(tx, operator('undone'));
    throw new Error('the act failed');
  });
  await assert.rejects(undone, /the act failed/);
  await scene.sealer.pass();
  assert.equal((await blocksOf(['undone'])).size, 0);
  await whole();
});

test('an entry that commits late gets into a later block and is never missed', async () => {
  const { db } = scene.bench;
  await db.transaction(async (slow) => {
    await audit(slow, operator('slow'));
    await audit(db, operator('quick'));
    assert.equal(await scene.sealer.pass(), 1);
  });
  assert.equal(await scene.sealer.pass(), 1);
  assert.equal(await scene.sealer.pass(), 0, 'nothing waits, so no block');
  const at = await blocksOf(['slow', 'quick']);
  const [slow, quick] = [at.get('slow'), at.get('quick')].map((one) => one?.split('.') ?? []);
  assert.equal(Number(slow?.[0]), Number(quick?.[0]) + 1);
  await whole();
});

test('a backlog becomes as many blocks as needed, in order of time', async () => {
  const names = Array.from({ length: MOST + 200 }, (_, n) => `n${n}`);
  await scene.bench.db.transaction(async (tx) => {
    for (const name of names) await audit(tx, operator(name));
  });
  assert.equal(await scene.sealer.pass(), 2);
  const at = await blocksOf(names);
  const places = names.map((name) => (at.get(name) ?? '').split('.').map(Number));
  const sorted = places.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0));
  assert.deepEqual(places, sorted);
  await whole();
});

test('the installation has a chain of its own', async () => {
  await audit(scene.bench.db, { workspace: 0, actor: 'operator', act: 'keys_rotated' });
  await scene.sealer.pass();
  const heads = await scene.sealer.heads();
  assert.equal(heads.find((head) => head.workspace === 0)?.number, 1n);
  await whole();
});

test('an erased person leaves the chain whole', async () => {
  const gone = await tamper(scene, async (tx) => {
    await tx.execute('delete from account_person');
    await tx.execute('update kyc_application set sealed = null, sealed_note = null');
    await tx.execute('delete from kyc_document');
  });
  assert.deepEqual(
    gone.laws.filter((law) => law.startsWith('audit')),
    [],
  );
});

test('a new key signs from then on, and blocks of the old one stay valid', async () => {
  const { db, services } = scene.bench;
  await rotateAuditKey(services, db, 'operator');
  await scene.live();
  const keys = await db.query('select distinct key from audit_block');
  assert.equal(keys.length, 2);
  await whole();
});

test('with other master keys nothing is this installation’s', async () => {
  const { keys } = scene.bench.services;
  const others: Keys = { ...keys, unwrap: () => Promise.reject(new Error('another key')) };
  const { results } = await scene.bench.db.transaction((tx) => verifyAudit(tx, others, null));
  const chain = results.find(({ name }) => name === 'audit_chain');
  assert.match(chain?.examples[0] ?? '', /signed with a key of another installation/);
});

test('the trigger records what the law requires, for every transition', async () => {
  const { db } = scene.bench;
  const triggers = await db.query<{ text: string }>(
    `select pg_get_triggerdef(oid) as text from pg_trigger where tgname = 'step_audited'`,
  );
  const when = /WHEN \((.*)\) EXECUTE/.exec(triggers[0]?.text ?? '')?.[1] ?? '';
  const arrows = machines.flatMap(({ name, moves }) => moves.map(({ on, by }) => [name, on, by]));
  type Audited = Record<'machine' | 'event' | 'actor', string> & { audited: boolean };
  const rows = await db.query<Audited>({
    text: `select s.*, ${AUDITED_STEP} as audited,
        (${AUDITED_STEP}) = (${when.replaceAll('new.', 's.')}) as same
      from unnest($1::text[], $2::text[], $3::text[]) s(machine, event, actor)`,
    values: [0, 1, 2].map((column) => arrows.map((arrow) => arrow[column])),
  });
  assert.deepEqual(
    rows.filter((row) => !(row as never as { same: boolean }).same),
    [],
  );
  const silent = rows.filter(({ audited, actor }) => !audited && actor === 'operator');
  assert.deepEqual(silent, [], 'what a person decided is audited');
  const sales = new Set(rows.filter(({ audited }) => !audited).map(({ machine }) => machine));
  const expected = ['attempt', 'deposit', 'escrow', 'invoice', 'transfer'];
  assert.deepEqual([...sales].toSorted(), expected);
});

for (const table of ['audit_entry', 'audit_block', 'audit_line']) {
  test(`${table} is append-only [M2]`, async () => {
    const acts = [`update ${table} set workspace = 9`, `delete from ${table}`, `truncate ${table}`];
    for (const act of acts) {
      const refused = scene.bench.db.execute(act);
      await assert.rejects(refused, (error) => brokenConstraint(error) === `${table}_append_only`);
    }
  });
}

test('a duplicate is refused: no entry in two blocks, no number twice', async () => {
  const again = `insert into audit_line
    select workspace, 999, line, id, version from audit_line limit 1`;
  await assert.rejects(scene.bench.db.execute(again), /audit_line_workspace_id_version_key/);
  const twice = 'insert into audit_block select * from audit_block limit 1';
  await assert.rejects(scene.bench.db.execute(twice), /audit_block_pkey/);
  const key = { text: `insert into audit_key values ($1, 'x')`, values: [systemRandom.uuid()] };
  await assert.rejects(scene.bench.db.execute(key), /audit_key_active/);
});

test('hashes that the anchor does not take are sent again', async () => {
  const { services, db } = scene.bench;
  const [kept, told]: [string[], string[]] = [[], []];
  let isFull = true;
  const anchors = {
    async append(lines: readonly string[]) {
      if (isFull) throw new Error('no space left on the device');
      kept.push(...lines);
    },
    read: async () => null,
  };
  const fault = (error: unknown, name: string): void => void told.push(`${name}: ${String(error)}`);
  const anchored = (): void => void told.push('anchored');
  const running = startAudit({ services, db, anchors, fault, anchored });
  await running.stop();
  assert.deepEqual(told.splice(0), ['heads of the audit: Error: no space left on the device']);
  isFull = false;
  await running.stop();
  assert.deepEqual([kept, told], [(await scene.sealer.heads()).map(anchorOf), ['anchored']]);
  await running.stop();
  assert.equal(new Set(kept).size, kept.length, 'nothing is sent twice that was taken');
});
