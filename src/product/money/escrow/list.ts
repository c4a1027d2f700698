// The lists of escrows: all, and those on which the clock acts, by when it does.
import { byParty, byState, column, defineLists, TIMES } from '../../../core/list.ts';
import { SALE, statedOf } from '../invoice/index.ts';
import { escrowMachine } from './machine.ts';

const { states } = escrowMachine;
/** SQL: the id of its invoice, as `invoiceOf` makes it. */
const INVOICE = `(left(t.id::text, 35)
  || to_hex((('x' || right(t.id::text, 1))::bit(4)::int) # 1))::uuid`;

/** A time that the course of an escrow has, in SQL that gives its text. */
const planned = (sql: string) => column.time({ sql: `(${sql})::timestamptz`, nullable: true });

export const lists = defineLists([
  {
    name: 'escrows',
    title: 'Escrows',
    hint: 'Create one with POST /v2/escrow.',
    from: 'escrow',
    joined: statedOf(INVOICE),
    key: { id: 'uuid' },
    dated: 'id',
    columns: {
      id: column.id({ prefix: 'esc' }),
      invoice_id: column.id({ sql: 'd.id' }),
      account_id: column.party(),
      ...SALE,
      state: column.state(states),
      disputed: column.flag({ sql: 't.time_left is not null' }),
      due: column.time({ nullable: true }),
      ...TIMES,
    },
    filters: { account_id: byParty('scan'), state: byState(states) },
  },
  {
    name: 'escrow_dates',
    title: 'Dates of escrows',
    hint: 'No escrow holds money.',
    from: '(select * from escrow where due is not null)',
    joined: statedOf(INVOICE),
    key: { due: 'timestamptz', id: 'uuid' },
    up: true,
    dated: 'due',
    columns: {
      due: column.time(),
      id: column.id({ prefix: 'esc' }),
      milestone_at: planned(`select min(m #>> '{date,at}')
        from json_array_elements(t.course::json -> 'milestones') m
        where not exists (select from json_array_elements(t.course::json -> 'parts') p
          where p ->> 'milestone' = m ->> 'name')`),
      release_at: planned(`t.course::json #>> '{release,at}'`),
      return_at: planned(`t.course::json #>> '{return,at}'`),
      holding_ends: planned(`case when t.course is not null then t.course::json #>> '{limit,at}'
        when t.warned then t.due::text
        else (t.due + least(interval '7 days', t.hold_seconds / 2 * interval '1 s'))::text end`),
      amount: SALE.amount,
      currency: SALE.currency,
      account_id: column.party(),
    },
    filters: { account_id: byParty('scan') },
  },
]);
