// The refusals of disagreements, in order of precedence.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  DISAGREEMENT_NOT_FOUND: no(404, 'caller', 'G-11', 'The escrow has no disagreement.'),
  STATEMENT_NOT_FOUND: no(404, 'caller', 'G-11',
    'There is no such statement, or it was erased.'),
  DISAGREEMENT_WRONG_SIDE: no(400, 'caller', 'G-96',
    'A session opens a disagreement as the side that it is on.'),
  DISAGREEMENT_EXISTS: no(400, 'caller', 'G-96', 'The escrow has a disagreement already.'),
  DISAGREEMENT_NOT_OPEN: no(400, 'caller', 'G-96', 'The disagreement has ended.'),
  DISAGREEMENT_STRANGER: no(400, 'caller', 'G-96',
    'The account is neither the buyer nor a seller of the escrow.'),
  DISAGREEMENT_PERSON_ERASED: no(400, 'caller', 'PD3',
    'The person has been erased; nothing can be stored about them.'),
  DISAGREEMENT_TOO_MUCH_EVIDENCE: no(400, 'caller', 'G-96',
    'A disagreement takes at most 20 statements and 4,500,000 bytes of files.'),
  DISAGREEMENT_SEVERAL_SELLERS: no(400, 'caller', 'G-96',
    'An escrow with several sellers is divided by the tenant, not by agreement.'),
  DISAGREEMENT_NO_PROPOSAL: no(400, 'caller', 'G-96',
    'This proposal is not on the table: it was declined, replaced, or never made.'),
  DISAGREEMENT_OWN_PROPOSAL: no(400, 'caller', 'G-96',
    'Whoever made a proposal does not answer it.'),
  DISAGREEMENT_SPLIT_WRONG: no(400, 'caller', 'G-96',
    'The parts do not sum to what the escrow holds.'),
  DISAGREEMENT_OWN_LINE: no(400, 'caller', 'G-96',
    'A line item of the integrator\'s own is not given back by agreement of the two sides.'),
});
