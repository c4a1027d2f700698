// The laws of the books as queries, each of which returns the rows that break it. Read-only; run by
// `holdfast verify`, by tests that move money, and by operators at any time.
import type { Queryable } from '../db/index.ts';

/** One law. `text` returns one row per breach; `what` names ids only. */
export interface Proof {
  readonly name: string;
  readonly law: string;
  readonly text: string;
}

/** A law and its breaches (at most five examples). */
export interface ProofResult {
  readonly name: string;
  readonly law: string;
  readonly breaches: number;
  readonly examples: readonly string[];
}

/** Tables whose rows have a state machine. */
const HEADS = [
  'invoice',
  'escrow',
  'payout',
  'refund',
  'reversal',
  'dispute',
  'deposit',
  'attempt',
  'remittance',
  'kyc',
  'account_block',
  'difference',
  'identity_check',
  'entity',
  'entity_agent',
  'review_proposal',
];

export const PROOFS: readonly Proof[] = [
  {
    name: 'entries_balance',
    law: 'The ledger entries of each step sum to zero in each currency.',
    text: `select resource_id || ' v' || version as what from posting
      group by world, resource_id, version, currency having sum(amount) <> 0`,
  },
  {
    name: 'books_balance',
    law: 'Each workspace sums to zero in each currency.',
    text: `select world || ' ' || currency as what from posting
      group by world, currency having sum(amount) <> 0`,
  },
  {
    name: 'balances_are_sums',
    law: 'Each running balance equals the sum and the count of its ledger entries.',
    text: `select b.id::text as what from balance b
      left join (select world, account_id, sum(amount) s, count(*) n from posting
        where account_version is not null group by world, account_id) p
        on p.world = b.world and p.account_id = b.id
      where b.amount <> coalesce(p.s, 0) or b.version <> coalesce(p.n, 0) or b.amount < 0`,
  },
  {
    name: 'chains_are_whole',
    law: 'The ledger entries of each running balance are numbered 1, 2, 3 and add up.',
    text: `select account_id::text as what from (
        select account_id, account_version, balance_after, amount,
          lag(balance_after, 1, 0::bigint) over w as before,
          row_number() over w as n
        from posting where account_version is not null
        window w as (partition by world, account_id order by account_version)) c
      where n <> account_version or before + amount <> balance_after`,
  },
  {
    name: 'steps_follow',
    law: 'Each history starts at creation; every step starts where the last one ended.',
    text: `select resource_id::text as what from (
        select resource_id, version, from_state, at,
          lag(to_state, 1, '') over w as before,
          lag(at) over w as earlier,
          row_number() over w as n
        from step window w as (partition by world, resource_id order by version)) h
      where n <> version or from_state <> before or earlier > at`,
  },
  {
    name: 'steps_are_legal',
    law: 'Every step is a legal transition of its lifecycle.',
    text: `select distinct s.resource_id::text as what from step s
      left join machine_move m on m.machine = s.machine and m.from_state = s.from_state
        and m.event = s.event and m.to_state = s.to_state
      where m.machine is null`,
  },
  ...HEADS.map((table) => ({
    name: `${table}_state_is_last_step`,
    law: `Each row of ${table} has the state of its last step.`,
    text: `select h.id::text as what from ${table} h
      left join step s on s.world = h.world and s.resource_id = h.id and s.version = h.version
      left join step l on l.world = h.world and l.resource_id = h.id and l.version = h.version + 1
      where s.to_state is distinct from h.state or l.version is not null`,
  })),
  {
    name: 'success_is_paid_once',
    law: 'A successful invoice credits exactly its total, once; no other invoice keeps money.',
    text: `select i.id::text as what from invoice i
      join invoice_document d on d.world = i.world and d.id = i.id
      left join (select world, resource_id, sum(amount) filter (where amount > 0) as credited
        from posting p where exists (
          select from step s where s.world = p.world and s.resource_id = p.resource_id
            and s.version = p.version and s.machine = 'invoice' and s.to_state = 'success')
        group by world, resource_id) c on c.world = i.world and c.resource_id = i.id
      where coalesce(d.document::json ->> 'kind', '') not in ('cancel', 'refund')
        and ((i.state = 'success' and coalesce(c.credited, 0)
            <> (d.document::json ->> 'total')::bigint)
          or (i.state <> 'success' and c.credited is not null))`,
  },
  {
    name: 'returns_give_back_their_total',
    law: 'A refund or cancel invoice moves exactly its total, once.',
    text: `select i.id::text as what from invoice i
      join invoice_document d on d.world = i.world and d.id = i.id
      left join posting p on p.world = i.world and p.resource_id = i.id and p.version = 1
        and p.amount > 0
      where d.document::json ->> 'kind' in ('cancel', 'refund')
      group by i.world, i.id, d.document
      having coalesce(sum(p.amount), 0) <> (d.document::json ->> 'total')::bigint`,
  },
  {
    name: 'pending_refunds_are_open',
    law: 'Pending refund money belongs to refund and cancel invoices that are processing.',
    text: `select coalesce(b.world, o.world) || ' ' || coalesce(b.currency, o.currency) as what
      from (select p.world, p.currency, sum(p.amount) as held from posting p
        join ledger_account a on a.world = p.world and a.id = p.account_id
          and a.kind = 'refund_pending' group by p.world, p.currency) b
      full join (select r.world, r.currency, sum(r.amount) as owed from remittance r
        join invoice i on i.world = r.world and i.id = r.resource_id and i.state = 'processing'
        where r.state <> 'replaced' group by r.world, r.currency) o
        on o.world = b.world and o.currency = b.currency
      where coalesce(b.held, 0) <> coalesce(o.owed, 0)`,
  },
  {
    name: 'integrator_balance_is_its_postings',
    law: 'The integrator balance is the sum of its ledger entries, folded in or pending.',
    text: `select b.id::text as what from integrator_balance b
      left join (select world, account_id, sum(amount) s from posting
        where account_version is null group by world, account_id) p
        on p.world = b.world and p.account_id = b.id
      left join (select world, account_id, sum(amount) s from integrator_credit
        group by world, account_id) c on c.world = b.world and c.account_id = b.id
      where b.amount + coalesce(c.s, 0) <> coalesce(p.s, 0)`,
  },
  {
    name: 'holding_is_open_work',
    law: 'Money in holding belongs to invoices that are processing.',
    text: `select p.resource_id::text as what from posting p
      join ledger_account a on a.world = p.world and a.id = p.account_id and a.kind = 'holding'
      join invoice i on i.world = p.world and i.id = p.resource_id
      where i.state <> 'processing'
      group by p.world, p.resource_id, p.currency having sum(p.amount) <> 0`,
  },
  {
    name: 'captures_match',
    law: 'A successful invoice captured what its payment attempts say; a failed one nothing.',
    text: `select i.id::text as what from invoice i
      join attempt t on t.world = i.world and t.resource_id = i.id
      where (i.state = 'success' and t.state <> 'captured')
        or (i.state = 'failed' and t.state = 'captured')`,
  },
  {
    name: 'events_have_no_gap',
    law: 'The events of each workspace are numbered 1, 2, 3 without a gap.',
    text: `select e.world::text as what from event e group by e.world
      having max(e.sequence) <> count(*) or min(e.sequence) <> 1
        or max(e.sequence) <> (select s.sequence from seal s where s.world = e.world)`,
  },
  {
    name: 'finished_invoices_are_announced',
    law: 'Each invoice that succeeded or failed has exactly one event, published or pending.',
    text: `select i.id::text as what from invoice i
      left join (select world, resource_id, resource_version from event
          where name = 'invoice-completed'
        union all select world, resource_id, resource_version from outbox
          where name = 'invoice-completed') e
        on e.world = i.world and e.resource_id = i.id
      where i.state in ('success', 'failed')
      group by i.world, i.id having count(e.resource_id) <> 1`,
  },
];

/** Runs every law in one snapshot; all breaches are counted, a few are named. */
export async function runProofs(
  db: Queryable,
  proofs: readonly Proof[] = PROOFS,
): Promise<ProofResult[]> {
  const results: ProofResult[] = [];
  for (const proof of proofs) {
    const rows = await db.query<{ n: bigint; examples: string[] | null }>(
      `select count(*) as n, (array_agg(what))[1:5] as examples from (${proof.text}) breach`,
    );
    const row = rows[0];
    results.push({
      name: proof.name,
      law: proof.law,
      breaches: Number(row?.n ?? 0n),
      examples: row?.examples ?? [],
    });
  }
  return results;
}
