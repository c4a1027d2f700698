// The refusals of reviews, in order of precedence.
import { defineRefusals } from '../../kernel/refusal.ts';

const operator = { act: 'operator', retry: false, cites: 'G-51' } as const;

export const refusals = defineRefusals({
  REVIEW_CASE_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such case.',
    ...operator,
  },
  REVIEW_OWN_CASE: {
    status: 403,
    sentence: 'Nobody decides about an account of their own.',
    ...operator,
  },
  REVIEW_NOTE_NEEDED: {
    status: 400,
    sentence: 'Every decision needs a note.',
    ...operator,
  },
  REVIEW_REASON_NEEDED: {
    status: 400,
    sentence: 'Say at least one reason, which the applicant is told.',
    ...operator,
  },
  REVIEW_NOT_WAITING: {
    status: 409,
    sentence: 'The case does not wait for a decision.',
    ...operator,
  },
  REVIEW_CASE_CHANGED: {
    status: 409,
    sentence: 'The case changed since it was looked at; look at it again.',
    ...operator,
  },
  REVIEW_PROPOSED: {
    status: 409,
    sentence: 'A decision about the case waits for a second operator already.',
    ...operator,
  },
  REVIEW_PROPOSAL_ENDED: {
    status: 409,
    sentence: 'The decision does not wait for a second operator any more.',
    ...operator,
  },
  REVIEW_SAME_PERSON: {
    status: 403,
    sentence: 'A second operator must look at what another one decided.',
    ...operator,
  },
  REVIEW_NOT_INDEPENDENT: {
    status: 403,
    sentence: 'One of the two operators made the other or reset their access; ask a third one.',
    ...operator,
  },
  REVIEW_DECISION_UNSUITABLE: {
    status: 400,
    sentence: 'A case of this kind is not decided so.',
    ...operator,
  },
  REVIEW_VIEW_ENDED: {
    status: 410,
    sentence: 'The document was shown already; give a reason again to see it again.',
    ...operator,
  },
});
