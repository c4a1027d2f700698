// Why a business did not pass, or what is asked of it, as its primary contact reads it: one
// sentence for each code. Nothing that compliance keeps to itself is among them. [G-55]

export const ENTITY_REASONS = {
  DOCUMENT_UNREADABLE: 'A document cannot be read; send a sharper copy.',
  DOCUMENT_MISSING: 'The registration document is missing; send one that names the business.',
  DOCUMENT_EXPIRED: 'A document has expired; send one that is valid.',
  DOCUMENT_UNSUITABLE: 'A document does not show what was asked for; send another one.',
  NAME_DIFFERS: 'The name does not match the documents; enter it as on the documents.',
  TAX_NUMBER_NOT_CONFIRMED: 'The tax number could not be confirmed; correct it.',
  REGISTRATION_NOT_FOUND:
    'The register does not have a business with this number; correct the number or the register.',
  OWNERS_UNCLEAR: 'The ownership is unclear; add everybody who owns 25 % or more.',
  AGENT_NOT_VERIFIED:
    'A person behind the business could not be verified; have them try again, or name another.',
  INFORMATION_INCOMPLETE: 'Something is missing; check every part again.',
  NOT_VERIFIED: 'The business could not be verified with the data that was sent.',
} as const satisfies Readonly<Record<string, string>>;
export type EntityReason = keyof typeof ENTITY_REASONS;

export const ENTITY_REASON_CODES = Object.keys(ENTITY_REASONS) as EntityReason[];
