// The list of invoices.
import { byParty, byState, column, defineLists } from '../../../core/list.ts';
import { invoiceMachine } from './machine.ts';

const { states } = invoiceMachine;
/** SQL: what people want to see of the terms of sale `of`, as `d`. The terms are read once. */
export const statedOf = (of: string): string => `left join lateral (select i.id, x.*
    from invoice_document i cross join json_to_record(i.document::json) as x(total bigint,
      currency text, description text, kind text, created text, lines json)
    where i.workspace = $1 and i.id = ${of}) d on true`;
/** Its columns. */
export const SALE = {
  seller_account_id: column.party({
    sql: `d.lines #>> '{0,recipients,0,account_id}'`,
    nullable: true,
  }),
  amount: column.amount({ sql: 'd.total' }),
  currency: column.currency({ sql: 'd.currency' }),
  description: column.text({ sql: 'd.description', nullable: true }),
} as const;

export const lists = defineLists([
  {
    name: 'invoices',
    title: 'Invoices',
    hint: 'Create one with POST /v2/invoice.',
    from: 'invoice',
    joined: statedOf('t.id'),
    key: { id: 'uuid' },
    dated: 'id',
    columns: {
      id: column.id(),
      account_id: column.party(),
      ...SALE,
      kind: column.state(['sale', 'escrow', 'commit', 'cancel', 'refund'], {
        sql: `coalesce(d.kind, 'sale')`,
      }),
      state: column.state(states),
      failure_code: column.text({ nullable: true }),
      created: column.time({ sql: 'd.created' }),
      updated: column.time(),
    },
    filters: { account_id: byParty('index'), state: byState(states) },
  },
]);
