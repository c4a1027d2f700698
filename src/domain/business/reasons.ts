// Why a business did not pass, or what is asked of it, as its primary contact reads it: one
// sentence for each code. Nothing that compliance keeps to itself is among them. [G-55]

export const ENTITY_REASONS = {
  DOCUMENT_UNREADABLE: 'A document cannot be read; send a sharper copy of it.',
  DOCUMENT_MISSING: 'A document of registration is missing; send one that names the business.',
  DOCUMENT_EXPIRED: 'A document has expired; send one that is valid.',
  NAME_DIFFERS: 'The name is not the one on the documents; correct it as they have it.',
  TAX_NUMBER_NOT_CONFIRMED: 'The tax number could not be confirmed; correct it.',
  OWNERS_UNCLEAR: 'It is not clear who owns the business; name everybody with a quarter or more.',
  AGENT_NOT_VERIFIED:
    'A person behind the business could not be verified; have them try again, or name another.',
  INFORMATION_INCOMPLETE: 'Something that is needed was not sent; look at every part again.',
  NOT_VERIFIED: 'The business could not be verified with what was sent.',
} as const satisfies Readonly<Record<string, string>>;
export type EntityReason = keyof typeof ENTITY_REASONS;

export const ENTITY_REASON_CODES = Object.keys(ENTITY_REASONS) as EntityReason[];
