// The lifecycle of a discrepancy: a statement row that our books do not explain. It ends explained:
// by the books later, by money given back, or by a person. [M18]
import { defineMachine } from '../../kernel/machine.ts';

export const differenceMachine = defineMachine({
  name: 'difference',
  noun: "difference between the processor's statement and our books",
  moves: [
    {
      from: null,
      on: 'find',
      to: 'found',
      by: 'system',
      why: 'A line contradicts our books, or they do not know it: it is shown, nobody guesses.',
      cites: 'M18',
    },
    ...([null, 'found'] as const).map((from) => ({
      from,
      on: 'give_back',
      to: 'returning',
      by: 'system' as const,
      posts: 'book_second_capture',
      why: 'The processor took the same money once more: what it took too often goes back.',
      cites: 'M18',
    })),
    {
      from: 'returning',
      on: 'given_back',
      to: 'explained',
      by: 'processor',
      posts: 'clear_second_capture',
      why: 'The processor confirms that what it took too often has left again.',
      cites: 'M18',
    },
    {
      from: 'found',
      on: 'match',
      to: 'explained',
      by: 'system',
      why: 'Our books have learned what the line says.',
      cites: 'M18',
    },
    {
      from: 'found',
      on: 'explain',
      to: 'explained',
      by: 'operator',
      why: 'A person found the reason and wrote it down; no money moves.',
      cites: 'M18',
    },
  ],
});
