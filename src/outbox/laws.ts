// What holds for the stream of events.
import type { Proof } from '../core/proof.ts';

export const streamLaws: readonly Proof[] = [
  {
    name: 'events_have_no_gap',
    law: 'The events of each workspace are numbered 1, 2, 3 without a gap.',
    text: `select e.workspace::text as what from event e group by e.workspace
      having max(e.sequence) <> count(*) or min(e.sequence) <> 1
        or max(e.sequence) <> (select s.sequence from seal s where s.workspace = e.workspace)`,
  },
];
