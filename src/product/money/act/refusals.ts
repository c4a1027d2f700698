// What operators may not do with money, in order of precedence.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  MONEY_ACT_NOT_FOUND: no(404, 'operator', 'G-88', 'There is no such act.'),
  MONEY_ACT_NOT_POSSIBLE: no(409, 'operator', 'G-88',
    'This cannot be done any more: the object has changed. Reload its page.'),
  MONEY_ACT_OUTDATED: no(409, 'operator', 'G-88',
    'The object is not as the page showed it, so nothing was done. Reload its page.'),
  MONEY_ACT_WAITS: no(409, 'operator', 'G-88',
    'Another act on this object is not finished: decide about that one first.'),
  MONEY_ACT_ENDED: no(409, 'operator', 'G-88', 'The act is not waiting for this.'),
  MONEY_ACT_SAME_PERSON: no(403, 'operator', 'G-88',
    'A second person must confirm what the first one asked for.'),
  MONEY_ACT_NOT_INDEPENDENT: no(403, 'operator', 'G-88',
    'One of the two operators created the other or reset their access. Ask a third operator.'),
  MONEY_ACT_OWN_CASE: no(403, 'operator', 'G-88',
    'Operators do nothing with the money of their own accounts.'),
  MONEY_ACT_NOT_OWN: no(403, 'operator', 'G-88',
    'Only whoever asked for it can take it back.'),
  BALANCING_TOO_MUCH: no(400, 'operator', 'G-88',
    'Your own funds are lower than the amount. The books were not changed.'),
});
