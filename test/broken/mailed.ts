// Mails in a history: each that is due reaches the server, always under the same Message-ID, and
// people get those that the model says, each once.
import assert from 'node:assert/strict';
import type { Database } from '../../src/db/index.ts';
import { accountUuid } from '../../src/product/people/account/index.ts';
import type { BrokenPlatform } from './platform.ts';
import type { World } from './world.ts';

/** A server that says nothing is waited for half a minute. */
const REST_MS = 60_000;
const PAUSE_MS = 250;
/** The model says how many of these somebody gets. */
const FOLLOWED = ['receipt', 'refund', 'payout_sent'];

/** Time goes by: what was not taken is due again, and who claimed a mail has lost it. */
export async function mailsAreDue(db: Database): Promise<void> {
  for (const table of ['mail', 'operator_mail']) {
    await db.execute(`update ${table} set due = clock_timestamp()
      where state = 'pending' and due > clock_timestamp()`);
  }
}

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly account: string | null;
}

/** All but those that an earlier start, which had no mail server, has captured. */
function mailsIn(db: Database): Promise<Row[]> {
  return db.query<Row>(`select id::text, kind, state, account_id::text as account from mail m
      where not exists (select from captured_mail c where c.workspace = m.workspace and c.id = m.id)
    union all select id::text, kind, state, null from operator_mail`);
}

/** Every mail has ended, and one that was sent is there. */
async function ended(db: Database): Promise<readonly Row[]> {
  const deadline = Date.now() + REST_MS;
  for (;;) {
    const rows = await mailsIn(db);
    const waiting = rows.filter(({ state }) => state === 'pending');
    if (waiting.length === 0) return rows;
    assert.ok(Date.now() < deadline, `mails wait: ${JSON.stringify(waiting.slice(0, 5))}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    await mailsAreDue(db);
  }
}

const messageId = (id: string): string => `<${id}@mail.holdfast.invalid>`;

/** Checks the mails of a history once nothing else is under way. */
export async function mailed(broken: BrokenPlatform, world: World): Promise<void> {
  const { platform: { db }, mail } = broken;
  const rows = await ended(db);
  const failed = rows.filter(({ state }) => state === 'bounced' || state === 'refused');
  assert.deepEqual(failed, [], 'mails that were given up');
  const there = new Set(mail.accepted.map(({ id }) => id));
  const sent = rows.filter(({ state }) => state === 'sent');
  const lost = sent.filter(({ id }) => !there.has(messageId(id)));
  assert.deepEqual(lost, [], 'mails that nobody got');
  // An id follows from its event: another one at a second try is that of no row.
  const known = new Set(rows.map(({ id }) => messageId(id)));
  assert.deepEqual([...there].filter((id) => !known.has(id)), [], 'mails of nobody');
  const people = new Map([...world.expected.keys()].map((one) => [accountUuid(one), one]));
  const got = new Map<string, number>();
  for (const { kind, account } of sent) {
    const who = people.get(account);
    if (who === undefined || !FOLLOWED.includes(kind)) continue;
    got.set(`${kind} ${who}`, (got.get(`${kind} ${who}`) ?? 0) + 1);
  }
  const plain = (of: ReadonlyMap<string, number>) => Object.fromEntries([...of].toSorted());
  assert.deepEqual(plain(got), plain(world.mails), 'how many mails people got');
}
