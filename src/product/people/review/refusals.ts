// The refusals of reviews, in order of precedence.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  REVIEW_CASE_NOT_FOUND: no(404, 'operator', 'G-51', 'There is no such case.'),
  REVIEW_OWN_CASE: no(403, 'operator', 'G-51', 'Operators cannot decide about their own accounts.'),
  REVIEW_NOTE_NEEDED: no(400, 'operator', 'G-51',
    'Every decision requires a note of at most 4,000 characters.'),
  REVIEW_REASON_NEEDED: no(400, 'operator', 'G-51',
    'Select at least one reason; the applicant will see it.'),
  REVIEW_NOT_WAITING: no(409, 'operator', 'G-51', 'The case is not waiting for a decision.'),
  REVIEW_CASE_CHANGED: no(409, 'operator', 'G-51',
    'The case has changed since you opened it. Review it again.'),
  REVIEW_PROPOSED: no(409, 'operator', 'G-51',
    'A decision about the case is already waiting for a second operator.'),
  REVIEW_PROPOSAL_ENDED: no(409, 'operator', 'G-51',
    'The decision is no longer waiting for a second operator.'),
  REVIEW_SAME_PERSON: no(403, 'operator', 'G-51',
    'A second operator must confirm the decision of the first one.'),
  REVIEW_NOT_INDEPENDENT: no(403, 'operator', 'G-51',
    'One of the two operators created the other or reset their access. Ask a third operator.'),
  REVIEW_DECISION_UNSUITABLE: no(400, 'operator', 'G-51',
    'This decision is not possible for this kind of case.'),
  REVIEW_DOCUMENT_DATE: no(400, 'operator', 'G-51',
    'The expiry date of a document is a day from today on, and belongs to an acceptance.'),
  REVIEW_VIEW_ENDED: no(410, 'operator', 'G-51',
    'The document has already been shown. Give a reason again to see it again.'),
});
