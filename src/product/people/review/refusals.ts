// The refusals of reviews, in order of precedence.
import { defineRefusals } from '../../../core/refusal.ts';

const operator = { act: 'operator', retry: false, cites: 'G-51' } as const;

export const refusals = defineRefusals({
  REVIEW_CASE_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such case.',
    ...operator,
  },
  REVIEW_OWN_CASE: {
    status: 403,
    sentence: 'Operators cannot decide about their own accounts.',
    ...operator,
  },
  REVIEW_NOTE_NEEDED: {
    status: 400,
    sentence: 'Every decision requires a note of at most 4,000 characters.',
    ...operator,
  },
  REVIEW_REASON_NEEDED: {
    status: 400,
    sentence: 'Select at least one reason; the applicant will see it.',
    ...operator,
  },
  REVIEW_NOT_WAITING: {
    status: 409,
    sentence: 'The case is not waiting for a decision.',
    ...operator,
  },
  REVIEW_CASE_CHANGED: {
    status: 409,
    sentence: 'The case has changed since you opened it. Review it again.',
    ...operator,
  },
  REVIEW_PROPOSED: {
    status: 409,
    sentence: 'A decision about the case is already waiting for a second operator.',
    ...operator,
  },
  REVIEW_PROPOSAL_ENDED: {
    status: 409,
    sentence: 'The decision is no longer waiting for a second operator.',
    ...operator,
  },
  REVIEW_SAME_PERSON: {
    status: 403,
    sentence: 'A second operator must confirm the decision of the first one.',
    ...operator,
  },
  REVIEW_NOT_INDEPENDENT: {
    status: 403,
    sentence:
      'One of the two operators created the other or reset their access. Ask a third operator.',
    ...operator,
  },
  REVIEW_DECISION_UNSUITABLE: {
    status: 400,
    sentence: 'This decision is not possible for this kind of case.',
    ...operator,
  },
  REVIEW_VIEW_ENDED: {
    status: 410,
    sentence: 'The document has already been shown. Give a reason again to see it again.',
    ...operator,
  },
});
