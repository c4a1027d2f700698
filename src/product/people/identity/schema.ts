// The KYC status record and the staging setter's body. [seed: KYC status record]
import { z } from 'zod';
import { accountId, wireId } from '../../../core/ids.ts';
import { optional, strictObject, textThat } from '../../../core/schema.ts';
import { isDay } from '../../../core/time.ts';
import { matchCheck, renderMatches, type ShownMatch } from '../matching/index.ts';
import { KYC_STATES, SETTABLE_STATES } from './machine.ts';
import { PII_LEVELS, REQUIREMENTS, type KycRow } from './tables.ts';

export const kycStatusRecord = z.strictObject({
  account_id: z.string(),
  kyc_id: z.string(),
  kyc_requirements: z.enum(REQUIREMENTS),
  pii_level: z.enum(PII_LEVELS),
  state: z.enum(KYC_STATES),
  match_checks: z.array(matchCheck),
});
export type KycStatusRecord = z.output<typeof kycStatusRecord>;

/**
 * The KYC status of an account with the matches of its latest application. Without an application
 * kyc_id is ''. [G-50]
 */
export function kycStatus(row: KycRow, matches: readonly ShownMatch[]): KycStatusRecord {
  return {
    account_id: accountId(row.id),
    kyc_id: row.application_id === null ? '' : wireId('kyc', row.application_id),
    kyc_requirements: row.requirements,
    pii_level: row.pii_level,
    state: row.state,
    match_checks: renderMatches(matches),
  };
}

/** The warning before a document expires: when a new one is required, and nothing of it. [G-51] */
export const expiringMessage = z.strictObject({
  account_id: z.string(),
  kyc_id: z.string(),
  state: z.literal('ACCEPT'),
  reverify_at: z.string(),
});
export type ExpiringMessage = z.output<typeof expiringMessage>;

/** [seed: Identity host] */
export const setterBody = strictObject({
  state: z.enum(SETTABLE_STATES),
  pii_level: optional(z.enum(['BASIC', 'FULL', 'DEFAULT'])),
  kyc_requirements: optional(z.enum([...REQUIREMENTS, ''])),
  /** Our addition: the last valid day of the document, with ACCEPT. */
  document_expires: optional(
    textThat(isDay, 'must be a date such as 2030-01-31').meta({ format: 'date', maxLength: 10 }),
  ),
});
export type SetterBody = z.output<typeof setterBody>;
