// The lifecycle of a reserve: it stays open for good, and each movement out of it is a step. What
// sales put in moves with their invoices. [G-93]
import { defineMachine, move } from '../../../core/machine.ts';

export const reserveMachine = defineMachine('reserve', {
  noun: 'reserve of a seller',
  states: ['open'],
  moves: [
    move(null, 'open', 'open', 'system', 'G-93',
      'A sale restricted the first share of what its seller earned.'),
    move('open', 'release', 'open', 'system', 'G-93',
      "The days of the tenant's policy have passed: the seller may spend the money.",
      { posts: 'release_reserve' }),
    move('open', 'cover', 'open', 'processor', 'G-93',
      'A dispute was lost: the reserve covers the share of its seller.',
      { posts: 'cover_from_reserve' }),
  ],
});
