// The checks at the end of every test that moves money: the ledger's own laws, the processor
// simulator's records against our payment attempts and ledger entries, and each move against its
// row. It shares no code with what it checks but those rows.
import assert from 'node:assert/strict';
import type { Database, Queryable } from '../../src/db/index.ts';
import { proofs } from '../../src/catalogue.ts';
import type { Move } from '../../src/core/machine.ts';
import { runProofs } from '../../src/ledger/index.ts';
import {
  arrowName,
  movementOf,
  rowsByArrow,
  shownEntry,
  type Kind,
  type Leg,
} from './movements.ts';

/**
 * What the processor has for keys of ours, compared with attempts and ledger; each row is a breach.
 */
const COMPARISONS: Readonly<Record<string, string>> = {
  'an attempt differs from the processor: captured is taken once, all else holds nothing': `
    select a.id || ' ' || a.state as what from attempt a
    left join (select workspace, key, count(*) filter (where kind = 'capture') as captures,
        sum(case kind when 'capture' then amount when 'refund' then -amount else 0 end) as net
      from processor_statement group by workspace, key) s
      on s.workspace = a.workspace and s.key = a.id::text
    where (coalesce(s.captures, 0) > 1 and not exists (select from transfer r
        where r.workspace = a.workspace and r.target = a.id::text and r.purpose = 'double_capture'))
      or (a.state = 'captured' and s.captures = 1 and s.net is distinct from a.amount)
      or (a.state = 'captured' and s.captures is null)
      or (a.state in ('declined', 'reversed') and coalesce(s.net, 0) <> 0)`,
  'a transfer differs from the processor: paid has left once, all else has not': `
    select r.id || ' ' || r.state as what from transfer r
    left join (select workspace, key, count(*) filter (where kind <> 'payout_return') as sent,
        sum(case kind when 'payout_return' then -amount else amount end) as net
      from processor_statement group by workspace, key) s
      on s.workspace = r.workspace and s.key = r.id::text
    where coalesce(s.sent, 0) > 1
      or (r.rail = 'file' and s.sent is not null)
      or (r.rail = 'processor' and r.state = 'paid' and s.net is distinct from r.amount)
      or (r.state in ('declined', 'returned') and coalesce(s.net, 0) <> 0)`,
  'more went back to a card than was taken from it': `
    select s.key as what from (select workspace, key, sum(amount) as taken
      from processor_statement where kind = 'capture' group by workspace, key) s
    join (select workspace, target, sum(amount) as given from transfer
      where kind = 'refund' and state = 'paid' group by workspace, target) r
      on r.workspace = s.workspace and r.target = s.key
    where r.given > s.taken`,
  'the processor still reserves money for an attempt that has ended': `
    select a.id || ' ' || a.state as what from attempt a
    join processor_charge c on c.workspace = a.workspace and c.key = a.id::text
    where a.state in ('declined', 'reversed', 'captured')
      and c.state in ('challenged', 'authorized')`,
  'the processor charged under a key that is no attempt of ours': `
    select c.key as what from processor_charge c
    left join attempt a on a.workspace = c.workspace and a.id::text = c.key where a.id is null`,
  'the ledger took another amount from the processor than was captured, or sent another': `
    select r.resource_id::text as what from (
      select workspace, resource_id, sum(amount) filter (where state = 'captured') as net
      from attempt group by workspace, resource_id
      union all
      select m.workspace, m.resource_id, -sum(m.amount) filter (where m.state = 'paid')
      from transfer m join invoice i on i.workspace = m.workspace and i.id = m.resource_id
      group by m.workspace, m.resource_id) r
    left join (select p.workspace, p.resource_id, -sum(p.amount) as posted from posting p
      join ledger_account l on l.workspace = p.workspace and l.id = p.account_id
        and l.kind = 'processor_clearing'
      group by p.workspace, p.resource_id) p on p.workspace = r.workspace
      and p.resource_id = r.resource_id
    where coalesce(r.net, 0) <> coalesce(p.posted, 0)`,
};

/** In an archived workspace everything stays as it was. */
const LIVE = 'workspace not in (select workspace from workspace where ended is not null)';

/** Nothing may be under way any more: each row is an invoice or an attempt without an end. */
const UNFINISHED = `
  select 'invoice ' || id as what from invoice where state = 'processing' and ${LIVE}
  union all select 'attempt ' || id || ' ' || state from attempt
    where state in ('authorizing', 'challenged', 'authorized', 'capturing', 'reversing')
      and ${LIVE}
  union all select 'transfer ' || id || ' ' || state from transfer
    where state in ('sending', 'pending') and ${LIVE}
  union all select 'job ' || attempt_id from attempt_job where ${LIVE}
  union all select 'job ' || transfer_id from transfer_job where ${LIVE}
  union all select 'job ' || answer_id from dispute_answer_job where ${LIVE}`;

async function rows(db: Queryable, text: string): Promise<string[]> {
  return (await db.query<{ what: string }>(`${text} limit 5`)).map((row) => row.what);
}

/** Every law of the books holds, and every move did what its row says. */
export async function proved(db: Database): Promise<void> {
  const all = await db.transaction((tx) => runProofs(tx, proofs));
  const broken = all.filter((proof) => proof.breaches > 0);
  assert.deepEqual(broken, []);
  await movesAsTheirRows(db);
}

/** Each way in which a step was taken: its arrow, its events, and the legs of its own entry. */
const WAYS = `
  select distinct s.machine, s.from_state as "from", s.event as "on", s.to_state as "to",
    coalesce(e.names, '') as names, coalesce(p.legs, '{}') as legs
  from history s
  left join (select workspace, resource_id, resource_version as version, string_agg(name, ', ') as
  names
    from (select workspace, resource_id, resource_version, name from event
      union all select workspace, resource_id, resource_version, name from outbox) told
    group by 1, 2, 3) e using (workspace, resource_id, version)
  left join (select p.workspace, resource_id, version,
      array_agg(distinct case when amount > 0 then '+' else '-' end || a.kind) as legs
    from posting p join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
    group by 1, 2, 3) p using (workspace, resource_id, version)`;

type Way = Pick<Move, 'from' | 'on' | 'to'> & {
  readonly machine: string;
  readonly names: string;
  readonly legs: readonly string[];
};

/** No move announced or posted something else than its row says. */
async function movesAsTheirRows(db: Queryable): Promise<void> {
  for (const way of await db.query<Way>(WAYS)) {
    const arrow = arrowName(way.machine, way);
    const row = rowsByArrow.get(arrow);
    assert.ok(row !== undefined, `${arrow} has no row`);
    assert.equal(way.names, row.emits?.name ?? '', `what ${arrow} announces`);
    const entry = way.legs.map((leg): Leg => {
      return { kind: leg.slice(1) as Kind, gets: leg.startsWith('+') };
    });
    const known = entry.length === 0 || movementOf(row, entry) !== undefined;
    assert.ok(known, `${arrow} posts ${shownEntry(entry)}`);
  }
}

/** Every law holds, and processor, attempts and ledger say the same. Nothing may be under way. */
export async function reconciled(db: Database): Promise<void> {
  await proved(db);
  for (const [law, text] of Object.entries(COMPARISONS)) {
    assert.deepEqual(await rows(db, text), [], law);
  }
}

/** Waits until no invoice is processing and no attempt is open; fails when none ends any more. */
export function settled(db: Queryable, stillMs: number): Promise<void> {
  return drained(db, UNFINISHED, stillMs);
}

/** Waits until every event has its sequence number; fails when none gets one any more. */
export function sealed(db: Queryable, stillMs = 10_000): Promise<void> {
  return drained(db, `select event_id::text as what from outbox where ${LIVE}`, stillMs);
}

/** Waits until the query finds nothing; fails when it has found the same for so long. */
async function drained(db: Queryable, text: string, stillMs: number): Promise<void> {
  let last = '';
  let moved = Date.now();
  for (;;) {
    const found = await rows(db, text);
    if (found.length === 0) return;
    const seen = found.join(', ');
    if (seen !== last) [last, moved] = [seen, Date.now()];
    assert.ok(Date.now() - moved < stillMs, `the same after ${stillMs} ms: ${seen}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
