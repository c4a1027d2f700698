// The refusals of businesses, in order of precedence.
import { defineRefusals, no, notYet, type RefusalSpec } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  ENTITY_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such business.'),
  ENTITY_AGENT_NOT_FOUND: no(404, 'caller', 'G-11',
    'There is no such associated person of a business.'),
  ENTITY_DOCUMENT_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such business document.'),
  ACCOUNT_IS_AGENT: no(400, 'caller', 'G-54',
    'The account belongs to an associated person of a business and cannot have its own business.'),
  ENTITY_CLOSED: no(400, 'user', 'G-55',
    'The business is being verified or has been decided, and cannot be changed now.'),
  PRIMARY_CONTACT_TAKEN: no(400, 'caller', 'G-54',
    'A business can have only one primary contact: the account holder.'),
  CONTROL_PRONG_TAKEN: no(400, 'caller', 'G-54', 'A business can have only one control person.'),
  TOO_MANY_BENEFICIAL_OWNERS: no(400, 'caller', 'G-54',
    'A business can have at most four beneficial owners (25 % or more).'),
  OWNERSHIP_OVER_ALL: no(400, 'caller', 'G-54',
    'The owners of a business cannot own more than 100 % of it together.'),
  BUSINESS_PEOPLE_LIMIT: no(400, 'caller', 'G-54',
    'A business can have at most 30 people in total, including those that were removed.'),
  TOO_MANY_ENTITY_DOCUMENTS: no(400, 'caller', 'G-54', 'A business can have at most 20 documents.'),
  ENTITY_NEEDS_MORE: no(400, 'user', 'G-55',
    'Required information about the business is missing; the errors list it.'),
  ENTITY_AGENT_VERIFIED: no(400, 'caller', 'G-55',
    'The person is already verified and does not need a link.'),
  ENTITY_CHANGED_MEANWHILE: notYet(503, 'caller', 'G-54',
    'Another request changed the business at the same time; nothing was stored. Try again.'),
});

/** The same refusal for the caller's own business, or for an id in a body. [G-11] */
export const entityNotStarted: RefusalSpec = { ...refusals.ENTITY_NOT_FOUND, status: 400 };
export const agentNotFoundInBody: RefusalSpec = {
  ...refusals.ENTITY_AGENT_NOT_FOUND,
  status: 400,
};

/** Why a manual decision is refused; no operation of the interface answers with these. */
export const decisionRefusals = defineRefusals({
  ENTITY_NOT_DECIDABLE: no(400, 'operator', 'G-55',
    'This decision is not possible in the current status of the business.'),
  ENTITY_AGENTS_NOT_VERIFIED: no(400, 'operator', 'G-55',
    'A person of the business is not verified yet.'),
  ENTITY_DOCUMENT_NEEDED: no(400, 'operator', 'G-55',
    'No document shows the registration of the business: each is unreadable or refused.'),
});
