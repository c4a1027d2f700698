// How an application stands on the wire: the check response and the record with match checks.
// Answers for no personal field being in them; the note of compliance and hits of the watch-list
// are not either. Times as G-74 says for applications. [G-52]
import { z } from 'zod';
import { accountId, wireId } from '../../kernel/ids.ts';
import { applicationTime } from '../../kernel/time.ts';
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
  /** Ours: why it did not pass, for the applicant. */
  reasons: z.array(
    z.strictObject({
      code: z.enum(Object.keys(REASONS) as ReasonCode[]),
      sentence: z.string(),
    }),
  ),
};
const commonRecord = z.strictObject(common);
type CommonRecord = z.output<typeof commonRecord>;

/** The check-response variant; its address is there only while the state is not ACCEPT. */
export const checkResponse = z.strictObject({
  ...common,
  pii_collection_uri: z.string().optional(),
});

/** The record with match checks; its field of rules is spelled as the interface has it. [G-73] */
export const applicationRecord = z.strictObject({
  ...common,
  rules_bitch: z.array(z.string()),
  match_checks: z.array(matchCheck),
});

/** Codes of an application's reasons. */
export function reasonsOf(row: Pick<KycApplicationRow, 'reasons'>): ReasonCode[] {
  return JSON.parse(row.reasons) as ReasonCode[];
}

/** An application without anything personal. */
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
 * As `renderApplication`, with results of rules. A person reads it, so whom they are like stays
 * untold. [G-50]
 */
export function renderWithRules(
  row: KycApplicationRow,
  integrator: string,
): z.output<typeof applicationRecord> {
  const rules = shownRules(JSON.parse(row.rules) as string[]);
  const rules_bitch = rules.filter((rule) => !rule.startsWith(`${MATCH_RULE}:`));
  return { ...renderApplication(row, integrator), rules_bitch, match_checks: [] };
}

/** The record of an account that has no application. [G-50] */
export function renderWithout(
  row: KycRow,
  integrator: string,
): z.output<typeof applicationRecord> {
  const state = row.state as CommonRecord['state'];
  const ids = { account_id: accountId(row.id), kyc_id: '' };
  return { ...ids, state, integrator, reasons: [], rules_bitch: [], match_checks: [] };
}
