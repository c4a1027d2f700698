// What operators may not do with opening balances, in order of precedence.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  OPENING_NOT_FOUND: no(404, 'operator', 'G-97', 'There is no such file of opening balances.'),
  OPENING_NOT_WAITING: no(409, 'operator', 'G-97',
    'The file of opening balances is not waiting for this.'),
  OPENING_SAME_PERSON: no(403, 'operator', 'G-97',
    'A second operator must confirm the opening balances that the first one prepared.'),
  OPENING_NOT_INDEPENDENT: no(403, 'operator', 'G-97',
    'One of the two operators created the other or reset their access. Ask a third operator.'),
});
