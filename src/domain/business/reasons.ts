// Why a business did not pass, or what is asked of it, as its primary contact reads it: one
// sentence for each code. Nothing that compliance keeps to itself is among them. [G-55]

export const ENTITY_REASONS = {
  DOCUMENT_UNREADABLE: 'A document is not readable; send a sharper copy of it.',
  DOCUMENT_MISSING: 'A registration document with the name of the business is missing; send one.',
  DOCUMENT_EXPIRED: 'A document has expired; send one that is valid.',
  NAME_DIFFERS: 'The name does not match the documents; enter it as shown on them.',
  TAX_NUMBER_NOT_CONFIRMED: 'The tax number could not be confirmed; correct it.',
  OWNERS_UNCLEAR: 'The ownership is unclear; add everybody who owns 25 % or more.',
  AGENT_NOT_VERIFIED:
    'A person of the business could not be verified; have them try again, or add another.',
  INFORMATION_INCOMPLETE: 'Required information is missing; check every part of the form.',
  NOT_VERIFIED: 'The business could not be verified with the information provided.',
} as const satisfies Readonly<Record<string, string>>;
export type EntityReason = keyof typeof ENTITY_REASONS;

export const ENTITY_REASON_CODES = Object.keys(ENTITY_REASONS) as EntityReason[];
