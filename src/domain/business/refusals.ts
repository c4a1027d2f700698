// The refusals of businesses, in order of precedence.
import { defineRefusals, type RefusalSpec } from '../../kernel/refusal.ts';

const row = { status: 400, act: 'caller', retry: false, cites: 'G-54' } as const;

export const refusals = defineRefusals({
  ENTITY_NOT_FOUND: { ...row, status: 404, sentence: 'There is no such business.', cites: 'G-11' },
  ENTITY_AGENT_NOT_FOUND: {
    ...row,
    status: 404,
    sentence: 'There is no such person behind a business.',
    cites: 'G-11',
  },
  ENTITY_DOCUMENT_NOT_FOUND: {
    ...row,
    status: 404,
    sentence: 'There is no such document of a business.',
    cites: 'G-11',
  },
  ACCOUNT_IS_AGENT: {
    ...row,
    sentence: 'The account is the one of a person behind a business, and has none of its own.',
  },
  ENTITY_CLOSED: {
    ...row,
    sentence: 'The business is being checked or was decided; nothing of it can be changed now.',
    act: 'user',
    cites: 'G-55',
  },
  PRIMARY_CONTACT_TAKEN: {
    ...row,
    sentence: 'A business has one primary contact: the person whose account it is.',
  },
  CONTROL_PRONG_TAKEN: {
    ...row,
    sentence: 'A business has at most one person who controls it.',
  },
  TOO_MANY_BENEFICIAL_OWNERS: {
    ...row,
    sentence: 'A business names at most four owners of a quarter or more.',
  },
  BUSINESS_PEOPLE_LIMIT: {
    ...row,
    sentence: 'A business names at most 30 people in all, those counted who were removed.',
  },
  TOO_MANY_ENTITY_DOCUMENTS: { ...row, sentence: 'A business has at most 20 documents.' },
  ENTITY_NEEDS_MORE: {
    ...row,
    sentence: 'Something that is needed to check the business is not there yet.',
    act: 'user',
    cites: 'G-55',
  },
  ENTITY_AGENT_VERIFIED: {
    ...row,
    sentence: 'The person is verified already and needs no link.',
    cites: 'G-55',
  },
  ENTITY_CHANGED_MEANWHILE: {
    ...row,
    status: 503,
    sentence: 'The business was changed by another request at the same time; nothing was stored.',
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
    sentence: 'In this status the business cannot be decided so.',
    act: 'operator',
    cites: 'G-55',
  },
  ENTITY_AGENTS_NOT_VERIFIED: {
    ...row,
    sentence: 'A person behind the business is not verified yet.',
    act: 'operator',
    cites: 'G-55',
  },
});
