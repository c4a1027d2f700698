// The refusals of disputes and their evidence, in order of precedence.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  DISPUTE_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such dispute.'),
  DISPUTE_NOT_OPEN: no(400, 'caller', 'G-93', 'The dispute does not need a response any more.'),
  DISPUTE_OVERDUE: no(400, 'caller', 'G-93',
    'The deadline for a response has passed, or the processor takes none.'),
  DISPUTE_ALREADY_ANSWERED: no(400, 'caller', 'G-93',
    'The evidence of this dispute was already submitted.'),
  DISPUTE_PERSON_ERASED: no(400, 'caller', 'PD3',
    'The person who was charged has been erased; nothing can be stored about them.'),
  DISPUTE_TOO_MUCH_EVIDENCE: no(400, 'caller', 'G-93',
    'A dispute takes at most 20 pieces of evidence and 4,500,000 bytes of files.'),
  DISPUTE_EVIDENCE_MISSING: no(400, 'caller', 'G-93',
    'There is no evidence to submit. Add a text or a file first.'),
});
