// The lifecycle of an act of an operator on money: proposed where it takes two, agreed on, carried
// out once by the operation that the interface has. [G-88]
import { defineMachine, move, type StateOf } from '../../../core/machine.ts';

const cites = 'G-88';

export const moneyActMachine = defineMachine('money_act', {
  noun: 'act on money',
  states: ['proposed', 'agreed', 'running', 'done', 'refused', 'rejected'],
  moves: [
    move(null, 'propose', 'proposed', 'operator', cites,
      'From the limit of the tenant on, a second person decides.'),
    move(null, 'ask', 'agreed', 'operator', cites,
      'An operator acts alone: it is below the limit, or moves no money.'),
    move('proposed', 'confirm', 'agreed', 'operator', cites,
      'A second person, independent of the first, agrees.'),
    move('proposed', 'reject', 'rejected', 'operator', cites,
      'The second person does not agree, or the first takes it back: nothing was done.'),
    move('agreed', 'begin', 'running', 'operator', cites,
      'The object is as the operator saw it: the operation runs, under the key of the act.'),
    move('proposed', 'book', 'done', 'operator', cites,
      'A second person agrees with an entry that balances the books: it is booked.',
      { posts: 'balance_books' }),
    move('running', 'finish', 'done', 'operator', cites, 'The operation was carried out.'),
    move(['agreed', 'running'], 'refuse', 'refused', 'operator', cites,
      'The operation refused, or the object had changed: nothing was done.'),
  ],
});

export type MoneyActState = StateOf<typeof moneyActMachine>;
