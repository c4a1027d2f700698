// The wire forms of an application: the check response, and the record with match checks. Neither
// holds personal data, notes of compliance or hits of the watch-list. Times as in G-74 for
// applications. [G-52]
import { z } from 'zod';
import { accountId, wireId } from '../../../core/ids.ts';
import { applicationTime } from '../../../core/time.ts';
import { matchCheck } from '../matching/index.ts';
import type { DocumentIds } from './documents.ts';
import { KYC_STATES } from './machine.ts';
import { REASONS, type ReasonCode } from './reasons.ts';
import { MATCH_RULE, shownRules } from './rules.ts';
import type { KycApplicationRow, KycRow } from './tables.ts';

const common = {
  account_id: z.string(),
  kyc_id: z.string(),
  document_front_id: z.string().optional(),
  document_back_id: z.string().optional(),
  state: z.enum(KYC_STATES),
  created: z.string().optional(),
  updated: z.string().optional(),
  data_source: z.string().optional(),
  form_id: z.string().optional(),
  vendor_reference_id: z.string().optional(),
  initiator: z.enum(['user', 'compliance']).optional(),
  integrator: z.string(),
  /** Our addition: why it did not pass, for the applicant. */
  reasons: z.array(
    z.strictObject({
      code: z.enum(Object.keys(REASONS) as ReasonCode[]),
      sentence: z.string(),
    }),
  ),
};
const commonRecord = z.strictObject(common);
type CommonRecord = z.output<typeof commonRecord>;

/** The check response; its address is present only while the state is not ACCEPT. */
export const checkResponse = z.strictObject({
  ...common,
  pii_collection_uri: z.string().optional(),
});

/** The record with match checks; the field of rules has the interface's spelling. [G-73] */
export const applicationRecord = z.strictObject({
  ...common,
  rules_bitch: z.array(z.string()),
  match_checks: z.array(matchCheck),
});

export function reasonsOf(row: Pick<KycApplicationRow, 'reasons'>): ReasonCode[] {
  return JSON.parse(row.reasons) as ReasonCode[];
}

/** True where a person may answer a review: something was asked, or there is no data at all. */
export function isAsked(latest: Pick<KycApplicationRow, 'reasons' | 'sealed'> | null): boolean {
  return latest === null || latest.sealed === null || reasonsOf(latest).length > 0;
}

/** Renders an application without its rules. */
export function renderApplication(row: KycApplicationRow, integrator: string): CommonRecord {
  const { front, back } = JSON.parse(row.documents) as DocumentIds;
  return {
    account_id: accountId(row.account_id),
    kyc_id: wireId('kyc', row.id),
    ...(front === undefined ? {} : { document_front_id: wireId('doc', front) }),
    ...(back === undefined ? {} : { document_back_id: wireId('doc', back) }),
    state: row.state as CommonRecord['state'],
    created: applicationTime(row.created),
    updated: applicationTime(row.updated),
    data_source: row.data_source,
    form_id: row.form_id,
    vendor_reference_id: row.vendor_reference,
    initiator: row.initiator,
    integrator,
    reasons: reasonsOf(row).map((code) => ({ code, sentence: REASONS[code].sentence })),
  };
}

/**
 * As `renderApplication`, with results of rules. The person may read it, so matches with others are
 * left out. [G-50]
 */
export function renderWithRules(
  row: KycApplicationRow,
  integrator: string,
): z.output<typeof applicationRecord> {
  const rules = shownRules(JSON.parse(row.rules) as string[]);
  const rules_bitch = rules.filter((rule) => !rule.startsWith(`${MATCH_RULE}:`));
  return { ...renderApplication(row, integrator), rules_bitch, match_checks: [] };
}

/** The record of an account without an application. [G-50] */
export function renderWithout(
  row: KycRow,
  integrator: string,
): z.output<typeof applicationRecord> {
  const state = row.state as CommonRecord['state'];
  const ids = { account_id: accountId(row.id), kyc_id: '' };
  return { ...ids, state, integrator, reasons: [], rules_bitch: [], match_checks: [] };
}
