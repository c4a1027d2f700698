// The refusals of businesses, in order of precedence.
import { defineRefusals, type RefusalSpec } from '../../../core/refusal.ts';

const row = { status: 400, act: 'caller', retry: false, cites: 'G-54' } as const;

export const refusals = defineRefusals({
  ENTITY_NOT_FOUND: { ...row, status: 404, sentence: 'There is no such business.', cites: 'G-11' },
  ENTITY_AGENT_NOT_FOUND: {
    ...row,
    status: 404,
    sentence: 'There is no such associated person of a business.',
    cites: 'G-11',
  },
  ENTITY_DOCUMENT_NOT_FOUND: {
    ...row,
    status: 404,
    sentence: 'There is no such business document.',
    cites: 'G-11',
  },
  ACCOUNT_IS_AGENT: {
    ...row,
    sentence:
      'The account belongs to an associated person of a business and cannot have its own business.',
  },
  ENTITY_CLOSED: {
    ...row,
    sentence: 'The business is being verified or has been decided, and cannot be changed now.',
    act: 'user',
    cites: 'G-55',
  },
  PRIMARY_CONTACT_TAKEN: {
    ...row,
    sentence: 'A business can have only one primary contact: the account holder.',
  },
  CONTROL_PRONG_TAKEN: {
    ...row,
    sentence: 'A business can have only one control person.',
  },
  TOO_MANY_BENEFICIAL_OWNERS: {
    ...row,
    sentence: 'A business can have at most four beneficial owners (25 % or more).',
  },
  BUSINESS_PEOPLE_LIMIT: {
    ...row,
    sentence: 'A business can have at most 30 people in total, including those that were removed.',
  },
  TOO_MANY_ENTITY_DOCUMENTS: { ...row, sentence: 'A business can have at most 20 documents.' },
  ENTITY_NEEDS_MORE: {
    ...row,
    sentence: 'Required information about the business is missing; the errors list it.',
    act: 'user',
    cites: 'G-55',
  },
  ENTITY_AGENT_VERIFIED: {
    ...row,
    sentence: 'The person is already verified and does not need a link.',
    cites: 'G-55',
  },
  ENTITY_CHANGED_MEANWHILE: {
    ...row,
    status: 503,
    sentence:
      'Another request changed the business at the same time; nothing was stored. Try again.',
    retry: true,
  },
});

/** The same refusal for the caller's own business, or for an id in a body. [G-11] */
export const entityNotStarted: RefusalSpec = { ...refusals.ENTITY_NOT_FOUND, status: 400 };
export const agentNotFoundInBody: RefusalSpec = {
  ...refusals.ENTITY_AGENT_NOT_FOUND,
  status: 400,
};

/** Why a manual decision is refused; no operation of the interface answers with these. */
export const decisionRefusals = defineRefusals({
  ENTITY_NOT_DECIDABLE: {
    ...row,
    sentence: 'This decision is not possible in the current status of the business.',
    act: 'operator',
    cites: 'G-55',
  },
  ENTITY_AGENTS_NOT_VERIFIED: {
    ...row,
    sentence: 'A person of the business is not verified yet.',
    act: 'operator',
    cites: 'G-55',
  },
});
