// What an attacker can do who may write everything in the database, past every trigger, but has
// neither the master keys nor the anchors: each change is found, and its place named. [M2, PD5]
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Transaction } from '../../src/db/index.ts';
import {
  BLOCK_COLUMNS,
  eventDigests,
  hashOf,
  lineDigests,
  linkTo,
  marksOf,
  signedBytes,
  type Block,
} from '../../src/product/tell/audit/canonical.ts';
import { audit, Sealer } from '../../src/product/tell/audit/index.ts';
import { openScene, prove, tamper, within, type Scene } from './kit.ts';

const BLOCKS = 8;
const MIDDLE = 4;
/** Tables that a copy from an earlier day would bring back as they were then. */
const COPIED = ['audit_pending', 'audit_line', 'audit_block', 'audit_entry'];

let scene: Scene;
before(async () => {
  scene = await openScene(BLOCKS);
});
after(() => scene.bench.close());

test('nothing is wrong before', async () => {
  assert.deepEqual(await tamper(scene, async () => {}), { laws: [], what: [] });
  const rows = await scene.bench.db.query<{ blocks: bigint; lines: bigint; events: bigint }>({
    text: `select count(*) as blocks, sum(lines) as lines, max(last_event) as events
      from audit_block where workspace = $1`,
    values: [scene.bench.home.workspace],
  });
  assert.equal(rows[0]?.blocks, BigInt(BLOCKS));
  assert.ok((rows[0]?.events ?? 0n) >= BLOCKS);
});

/** SQL of one row of the middle block; `w` is the workspace. */
const line = (nth: number): string => `(select l.id, l.version from audit_line l
  where l.workspace = $1 and l.block = ${MIDDLE} and l.version > 0
  order by l.line offset ${nth} limit 1)`;
const entry = `(select l.id from audit_line l where l.workspace = $1 and l.block = ${MIDDLE}
  and l.version = 0 limit 1)`;
const event = `(select b.last_event from audit_block b where b.workspace = $1
  and b.number = ${MIDDLE})`;
const here = `workspace = $1 and number = ${MIDDLE}`;

const IN_BLOCK = new RegExp(`block ${MIDDLE}\\b`);
const STEP = new RegExp(`block ${MIDDLE}: step [0-9a-f-]{36} v\\d+ was changed after`);
const ENTRY = new RegExp(`block ${MIDDLE}: entry [0-9a-f-]{36} was changed after it was sealed`);
const EVENT = new RegExp(`block ${MIDDLE}: event \\d+ was changed after it was sealed`);
const FIELDS = new RegExp(`block ${MIDDLE} was changed after it was sealed: its own fields differ`);
const ORDER = new RegExp(`block ${MIDDLE} does not follow the current previous block`);
const GONE = /^workspace \d+ block \d+( to \d+)? (?:is|are) gone/;

/** What is done, in SQL, and what must be said. */
const EDITS: readonly [string, string, RegExp][] = [
  [
    'who moved it',
    `update step set actor = 'nobody'
    where (resource_id, version) = ${line(1)}`,
    STEP,
  ],
  [
    'when',
    `update step set at = at - interval '1 us'
    where (resource_id, version) = ${line(0)}`,
    STEP,
  ],
  ['why', `update step set detail = '{}' where (resource_id, version) = ${line(1)}`, STEP],
  [
    'to which state',
    `update step set to_state = 'REJECT'
    where (resource_id, version) = ${line(2)}`,
    STEP,
  ],
  [
    'a step is removed',
    `delete from step where (resource_id, version) = ${line(2)}`,
    new RegExp(`block ${MIDDLE}: step [0-9a-f-]{36} v\\d+ is gone`),
  ],
  [
    'two steps change their authors',
    `update step s set at = o.at from history o
    where (s.resource_id, s.version) = ${line(1)}
      and (o.resource_id, o.version) = ${line(2)}`,
    STEP,
  ],
  [
    'a step that nobody took',
    `insert into step select workspace, gen_random_uuid(), 1,
    'account_block',
    '', 'block', 'blocked', at, 'nobody', null from history
    where (resource_id, version) = ${line(0)}`,
    /^\d+ [0-9a-f-]{36} v1$/,
  ],
  ['who opened a person', `update audit_entry set actor = 'nobody' where id = ${entry}`, ENTRY],
  ['what an entry says', `update audit_entry set detail = '{"a":1}' where id = ${entry}`, ENTRY],
  ['whose data it was', `update audit_entry set subject = 'x' where id = ${entry}`, ENTRY],
  [
    'an entry is removed',
    `delete from audit_entry where id = ${entry}`,
    new RegExp(`block ${MIDDLE}: entry [0-9a-f-]{36} is gone`),
  ],
  [
    'an entry from nowhere',
    `insert into audit_entry select workspace, gen_random_uuid(), at, actor,
    act, subject, detail from audit_entry where id = ${entry}`,
    /^\d+ [0-9a-f-]{36} v0$/,
  ],
  [
    'the name of an event',
    `update event set name = 'x' where workspace = $1
    and sequence = ${event}`,
    EVENT,
  ],
  [
    'what receivers were told',
    `update event set body = coalesce(body, '') || ' ', record = null
    where workspace = $1 and sequence = ${event}`,
    EVENT,
  ],
  [
    'an event is removed',
    `delete from event where workspace = $1 and sequence = ${event}`,
    new RegExp(`block ${MIDDLE}: event \\d+ is gone`),
  ],
  [
    'two events change their places',
    `update event set sequence = sequence + 1000000
      where workspace = $1 and sequence in (${event}, ${event} - 1);
    update event set sequence = 2 * ${event} + 999999 - sequence
      where workspace = $1 and sequence > 1000000`,
    EVENT,
  ],
  [
    'a line is removed',
    `delete from audit_line where workspace = $1 and block = ${MIDDLE}
    and line = 2`,
    new RegExp(`block ${MIDDLE} has \\d+ rows, but \\d+ were sealed`),
  ],
  [
    'a line moves to another block',
    `update audit_line set block = ${MIDDLE + 1}, line = 100
    where workspace = $1 and block = ${MIDDLE} and line = 2`,
    IN_BLOCK,
  ],
  [
    'two lines change their places',
    `update audit_line set line = line + 100 where workspace = $1
      and block = ${MIDDLE} and line in (1, 2);
    update audit_line set line = 103 - line where workspace = $1 and line > 100`,
    STEP,
  ],
  [
    'when a block was made',
    `update audit_block set at = at + interval '1 us'
    where ${here}`,
    FIELDS,
  ],
  [
    'a block is removed',
    `delete from audit_block where ${here}`,
    new RegExp(`block ${MIDDLE} is gone`),
  ],
  [
    'blocks are numbered again',
    `delete from audit_block where ${here};
    update audit_block set number = number - 1 where workspace = $1 and number > ${MIDDLE}`,
    ORDER,
  ],
  [
    'two blocks change their numbers',
    `update audit_block set number = -number where workspace = $1
      and number in (${MIDDLE}, ${MIDDLE + 1});
    update audit_block set number = ${2 * MIDDLE + 1} + number where workspace = $1 and number < 0`,
    ORDER,
  ],
  [
    'a signature is replaced',
    `update audit_block set signature = (select signature from audit_block
    where workspace = $1 and number = 1) where ${here}`,
    new RegExp(`block ${MIDDLE} has a signature that is not from this installation`),
  ],
  [
    'marks are replaced',
    `update audit_block set marks = overlay(marks placing '\\x00' from 1)
    where ${here}`,
    STEP,
  ],
  [
    'the tail of the blocks is cut',
    `delete from audit_block where workspace = $1
      and number > ${MIDDLE};
    delete from audit_line where workspace = $1 and block > ${MIDDLE}`,
    GONE,
  ],
  [
    'the whole chain is cut',
    `delete from audit_block where workspace = $1;
    delete from audit_line where workspace = $1`,
    GONE,
  ],
  [
    'a tenant is forged into a state',
    `update kyc set state = 'REJECT' where workspace = $1 and id =
    (select id from kyc where workspace = $1 limit 1)`,
    /^[0-9a-f-]{36}$/,
  ],
];

for (const [what, text, said] of EDITS) {
  test(`found: ${what}`, async () => {
    const found = await tamper(scene, async (tx) => {
      for (const one of text.split(';\n')) await run(tx, one);
    });
    assert.ok(
      found.what.some((one) => said.test(one)),
      found.what.join('\n'),
    );
  });
}

test('found: an entry is removed before it gets into a block', async () => {
  const { workspace } = scene.bench.home;
  const found = await tamper(scene, async (tx) => {
    await tx.execute('set local session_replication_role = origin');
    await audit(tx, { workspace, actor: 'operator', act: 'exported' });
    assert.deepEqual((await prove(scene, tx)).what, []);
    await tx.execute('set local session_replication_role = replica');
    assert.equal(await tx.execute('delete from audit_pending'), 1);
  });
  assert.deepEqual(found.laws, ['audited_acts_are_covered']);
});

/** Checks drop with the triggers, for somebody who may do everything. */
async function run(tx: Transaction, text: string): Promise<void> {
  await tx.execute('alter table audit_block drop constraint if exists audit_block_number_check');
  const { workspace } = scene.bench.home;
  const touched = await tx.execute({
    text: text.includes('$1') ? text : `${text} and $1::int > 0`,
    values: [workspace],
  });
  assert.ok(touched > 0, 'nothing was touched');
}

/** Rebuilds the whole chain of a workspace from its current rows, with one's own key. */
async function chainAgain(tx: Transaction, planted: boolean): Promise<void> {
  const { workspace } = scene.bench.home;
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const own = publicKey.export({ format: 'jwk' }).x ?? '';
  if (planted) {
    await tx.execute({
      text: `insert into audit_key (key, wrapped_key, retired)
        select $1, wrapped_key, clock_timestamp() from audit_key limit 1`,
      values: [own],
    });
  }
  const blocks = await tx.query<Block & { digests: Buffer }>({
    text: `select ${BLOCK_COLUMNS}, coalesce(${lineDigests('b.workspace', 'b.number')}, '')
        || coalesce(${eventDigests('b.workspace', 'b.first_event', 'b.last_event')}, '') as digests
      from audit_block b where b.workspace = $1 order by b.number`,
    values: [workspace],
  });
  let last: Block | null = null;
  for (const block of blocks) {
    const head: Block = { ...block, previous: linkTo(last), key: planted ? own : block.key };
    const hash = hashOf(head, block.digests);
    const signature = sign(null, signedBytes(workspace, head.number, hash), privateKey);
    last = { ...head, hash, signature };
    await tx.execute({
      text: `update audit_block set previous = $3, key = $4, hash = $5, signature = $6, marks = $7
        where workspace = $1 and number = $2`,
      values: [
        ...[workspace, last.number, last.previous, last.key, last.hash, last.signature],
        marksOf(block.digests),
      ],
    });
  }
}

async function forgeFirst(tx: Transaction): Promise<void> {
  await tx.execute({
    text: `update step set actor = 'nobody' where (workspace, resource_id, version) =
      (select workspace, id, version from audit_line where workspace = $1 and block = 1
      and version > 0
        order by line limit 1)`,
    values: [scene.bench.home.workspace],
  });
}

test('found: the whole chain is rebuilt under the name of our key', async () => {
  const found = await tamper(scene, async (tx) => {
    await forgeFirst(tx);
    await chainAgain(tx, false);
  });
  assert.match(found.what[0] ?? '', /block 1 has a signature that is not from this installation/);
  assert.match(found.what.at(-1) ?? '', /differs from the one anchored/);
});

test('found: the whole chain is rebuilt with a planted key', async () => {
  const found = await tamper(scene, async (tx) => {
    await forgeFirst(tx);
    await chainAgain(tx, true);
  });
  assert.match(found.what[0] ?? '', /block 1 is signed with a key of another installation/);
});

test('found: a chain is cut, and the service is made to sign another end', async () => {
  const { workspace } = scene.bench.home;
  const found = await tamper(scene, async (tx) => {
    await tx.execute({
      text: `insert into audit_pending select l.workspace, clock_timestamp(), l.id, l.version
        from audit_line l where l.workspace = $1 and l.block > ${MIDDLE}`,
      values: [workspace],
    });
    for (const rows of ['audit_line where block', 'audit_block where number']) {
      await tx.execute({
        text: `delete from ${rows} > ${MIDDLE} and workspace = $1`,
        values: [workspace],
      });
    }
    await new Sealer(scene.bench.services, within(tx)).pass();
  });
  assert.deepEqual(found.laws, ['audit_anchors'], 'only what lies outside can tell');
  assert.match(found.what[0] ?? '', new RegExp(`block ${BLOCKS} is gone: it was anchored at 2`));
});

test('found: complete tables of an earlier day are restored', async () => {
  const { bench } = scene;
  const copies: string[] = [];
  const all = [...COPIED, 'step', 'event', 'kyc', 'outbox', 'seal'];
  for (const table of all) {
    await bench.db.execute(`create table copy_${table} as table ${table}`);
    copies.push(table);
  }
  await scene.live();
  await scene.anchor();
  assert.deepEqual((await tamper(scene, async () => {})).what, []);
  const found = await tamper(scene, async (tx) => {
    for (const table of copies) {
      await tx.execute(`delete from ${table}`);
      await tx.execute(`insert into ${table} select * from copy_${table}`);
    }
  });
  assert.ok(found.what.some((one) => one.includes(`block ${BLOCKS + 1} is gone: it was anchored`)));
});

test('nothing is wrong afterwards, and an unsigned anchor is reported as such', async () => {
  const nothing = await scene.bench.db.transaction((tx) => prove(scene, tx));
  assert.deepEqual(nothing, { laws: [], what: [] });
  const last = JSON.parse(scene.anchors.at(-1) ?? '{}') as Record<string, unknown>;
  const forged = {
    ...scene,
    anchors: [JSON.stringify({ ...last, number: '99' }), '{"workspace":'],
  };
  const found = await scene.bench.db.transaction((tx) => prove(forged, tx));
  assert.deepEqual(found.laws, ['audit_anchors']);
  assert.match(found.what[0] ?? '', /block 99: its anchor was not signed by this installation/);
});
