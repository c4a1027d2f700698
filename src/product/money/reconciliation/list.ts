// The list of what is open between the processor and us.
import { BY_CURRENCY, byState, column, defineLists } from '../../../core/list.ts';
import { ITEM_KINDS, OPEN } from './report.ts';

export const lists = defineLists([
  {
    name: 'open_items',
    title: 'Open items of the processor',
    hint: 'The books agree with the statement of the processor.',
    from: `(${OPEN})`,
    key: { id: 'uuid' },
    columns: {
      id: column.id(),
      kind: column.state(ITEM_KINDS),
      why: column.text(),
      purpose: column.text(),
      resource_id: column.text(),
      amount: column.amount(),
      currency: column.currency(),
      reference: column.text(),
      age_seconds: column.number(),
    },
    filters: { kind: byState(ITEM_KINDS), ...BY_CURRENCY },
  },
]);
