// The list of businesses, without anything that they stated.
import { byParty, byState, column, defineLists, TIMES } from '../../../core/list.ts';
import { KYB_STATES } from './machine.ts';

export const lists = defineLists([
  {
    name: 'businesses',
    title: 'Businesses',
    hint: 'An account that sells as a business is onboarded as one.',
    from: 'entity',
    key: { id: 'uuid' },
    dated: 'id',
    columns: {
      id: column.id({ prefix: 'ent' }),
      account_id: column.party(),
      state: column.state(KYB_STATES),
      ...TIMES,
    },
    filters: { account_id: byParty('index'), state: byState(KYB_STATES) },
  },
]);
