// The business and its form as the platform sends them, and the words for them. [G-54, G-55]
import type { Registered } from './registered.ts';
import { numbersLocale, t, textOf } from '../texts.ts';

/** Status of a business or of a person behind it. [seed: KYB status] */
export type Status = 'INCOMPLETE' | 'PROCESSING' | 'ACCEPT' | 'DENY' | 'CANCEL' | 'INACTIVE';

export type Role = 'primary_contact' | 'control_prong' | 'beneficial_owner';

/** A person behind a business. */
export interface Agent {
  readonly entity_agent_id: string;
  readonly agent_name: string;
  readonly status: Status;
  readonly roles: readonly Role[];
  /** A band such as 25-50, or a percentage; '' where it is not stated. */
  readonly ownership: string;
}

/** What became of a document. */
export type DocumentStatus = 'accepted' | 'received' | 'unreadable' | 'refused';

/** Why something is not accepted. */
interface Reason {
  readonly code: string;
  readonly sentence: string;
}

/** An uploaded document. */
export interface KybDocument {
  readonly entity_document_id: string;
  readonly pii_document_name: string;
  readonly mime_type: string;
  readonly status: DocumentStatus;
  readonly reason: Reason | null;
}

/** The saved business. */
export interface Entity extends Readonly<Record<Registered, string>> {
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
export type Need =
  | 'entity_type'
  | 'tax_id'
  | 'legal_form'
  | 'registration_number'
  | 'register'
  | 'address'
  | 'control_prong'
  | 'ownership'
  | 'documents';

export interface KybForm {
  /** Null until first saved. */
  readonly entity: Entity | null;
  /** False while it is checked, and once it is accepted or finally denied. */
  readonly open: boolean;
  readonly country: string;
  readonly entity_types: readonly string[];
  readonly tax_id_given: boolean;
  readonly user_email: string;
  readonly needs: readonly Need[];
  readonly reasons: readonly Reason[];
}

/** A country to choose. */
export interface Country {
  readonly code: string;
  readonly name: string;
  /** Parts of an address there, besides the street. */
  readonly address: readonly ('city' | 'region' | 'postal_code')[];
}

/** A type of business in words; '' for none. */
export function typeText(type: string): string {
  return textOf('kyb', `type_${type}`) ?? '';
}

/** A person's roles in one line. */
export function rolesText(roles: readonly Role[]): string {
  const text = roles.map((role) => t(`kyb.role_${role}`)).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A reason in words. */
export function reasonText({ code, sentence }: Reason): string {
  return textOf('kyb_reason', code) ?? sentence;
}

/** What an owner owns, in the page's language: a range of percents, or one; '' for none. */
export function ownershipText(ownership: string): string {
  if (ownership === '') return '';
  const style = { style: 'percent', maximumFractionDigits: 2 } as const;
  const percents = new Intl.NumberFormat(numbersLocale(), style);
  return ownership.split('-').map((part) => percents.format(Number(part) / 100)).join(' – ');
}
