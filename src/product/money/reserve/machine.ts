// The lifecycle of a reserve: it stays open for good, and each movement out of it is a step. What
// sales put in moves with their invoices. [G-93]
import { defineMachine } from '../../../core/machine.ts';

export const reserveMachine = defineMachine('reserve', {
  noun: 'reserve of a seller',
  states: ['open'],
  moves: [
    {
      from: null,
      on: 'open',
      to: 'open',
      by: 'system',
      why: 'A sale restricted the first share of what its seller earned.',
      cites: 'G-93',
    },
    {
      from: 'open',
      on: 'release',
      to: 'open',
      by: 'system',
      posts: 'release_reserve',
      why: "The days of the tenant's policy have passed: the seller may spend the money.",
      cites: 'G-93',
    },
    {
      from: 'open',
      on: 'cover',
      to: 'open',
      by: 'processor',
      posts: 'cover_from_reserve',
      why: 'A dispute was lost: the reserve covers the share of its seller.',
      cites: 'G-93',
    },
  ],
});
