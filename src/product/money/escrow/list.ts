// The list of escrows.
import { byParty, byState, column, defineLists, TIMES } from '../../../core/list.ts';
import { SALE, statedOf } from '../invoice/index.ts';
import { escrowMachine } from './machine.ts';

const { states } = escrowMachine;
/** SQL: the id of its invoice, as `invoiceOf` makes it. */
const INVOICE = `(left(t.id::text, 35)
  || to_hex((('x' || right(t.id::text, 1))::bit(4)::int) # 1))::uuid`;

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
]);
