// The business and its form as the platform sends them, and the words for them. [G-54, G-55]
import { t, textOf } from '../texts.ts';

/** Status of a business or of a person behind it. [seed: KYB status] */
export type Status = 'INCOMPLETE' | 'PROCESSING' | 'ACCEPT' | 'DENY' | 'CANCEL' | 'INACTIVE';

export type Role = 'primary_contact' | 'control_prong' | 'beneficial_owner';

/** A person behind a business. */
export interface Agent {
  readonly entity_agent_id: string;
  readonly agent_name: string;
  readonly status: Status;
  readonly roles: readonly Role[];
}

/** An uploaded document. */
export interface KybDocument {
  readonly entity_document_id: string;
  readonly pii_document_name: string;
  readonly mime_type: string;
}

/** The saved business. */
export interface Entity {
  readonly entity_id: string;
  readonly entity_name: string;
  readonly naics_numbers: string;
  readonly duns_numbers: string;
  readonly entity_type: string;
  readonly status: Status;
  readonly agents: readonly Agent[];
  readonly documents: readonly KybDocument[];
}

/** Parts that a submission must have. */
export type Need = 'entity_type' | 'tax_id' | 'control_prong' | 'documents';

export interface KybForm {
  /** Null until first saved. */
  readonly entity: Entity | null;
  /** False while it is checked, and once it is accepted or finally denied. */
  readonly open: boolean;
  readonly country: string;
  readonly tax_id_given: boolean;
  readonly user_email: string;
  readonly needs: readonly Need[];
  readonly reasons: readonly { readonly code: string; readonly sentence: string }[];
}

/** A country to choose. */
export interface Country {
  readonly code: string;
  readonly name: string;
}

/** Types of business. */
export const TYPES = [
  'sole_proprietorship',
  'single_member_llc',
  'multi_member_llc',
  'partnership',
  'corporation',
  'public_corporation',
  'nonprofit',
  'trust',
  'government',
] as const;

/** A type of business in words; '' for none. */
export function typeText(type: string): string {
  return textOf('kyb', `type_${type}`) ?? '';
}

/** A person's roles in one line. */
export function rolesText(roles: readonly Role[]): string {
  const text = roles.map((role) => t(`kyb.role_${role}`)).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What needs correcting, a sentence each. */
export function reasonTexts({ reasons }: KybForm): readonly string[] {
  return reasons.map(({ code, sentence }) => textOf('kyb_reason', code) ?? sentence);
}
