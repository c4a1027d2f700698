// What holds for the stream of events.
import { law, type Proof } from '../core/proof.ts';

export const streamLaws: readonly Proof[] = [
  law('events_have_no_gap', 'The events of each workspace are numbered 1, 2, 3 without a gap.',
    `select e.workspace::text as what from event e group by e.workspace
      having max(e.sequence) <> count(*) or min(e.sequence) <> 1
        or max(e.sequence) <> (select s.sequence from seal s where s.workspace = e.workspace)`),
];
