// Disputes of a Stripe-shaped server: how the bank opens and ends one, and how evidence is uploaded
// and submitted, once, with files of this account in the places that take files.
import type { Account } from './account.ts';
import { ApiError, invalid, newId, type Dispute, type Metadata, type Uploaded } from './objects.ts';

const DISPUTE_FEE = 1_500;
/** Evidence that is a file; everything else is a text of at most so many characters. */
const FILES: readonly string[] = [
  ...['cancellation_policy', 'customer_communication', 'customer_signature', 'receipt'],
  ...['duplicate_charge_documentation', 'refund_policy', 'service_documentation'],
  ...['shipping_documentation', 'uncategorized_file'],
];
const TEXTS: readonly string[] = [
  ...['product_description', 'refund_policy_disclosure', 'shipping_tracking_number'],
  'uncategorized_text',
];
const TEXT_MAX = 20_000;
const BYTES_MAX = 4_500_000;

/** The bank takes a charge back; money and fee are gone at once. */
export function openDispute(of: Account, id: string, reason: string): Dispute {
  const intent = of.intent(id);
  const charge = of.charges.get(intent.latest_charge ?? '');
  if (charge === undefined) throw new Error('nothing to dispute');
  const { amount_captured: amount, currency } = charge;
  const dispute: Dispute = {
    ...{ id: newId('dp'), object: 'dispute', livemode: of.live, amount, currency, reason },
    ...{ charge: charge.id, payment_intent: id, status: 'needs_response', metadata: {} },
    evidence: {},
    evidence_details: { due_by: of.now() + 7 * 86_400, submission_count: 0 },
  };
  of.disputes.set(dispute.id, dispute);
  const back = { amount: -amount, currency, source: dispute.id, fee: DISPUTE_FEE };
  of.move(['adjustment', 'dispute'], back);
  of.tell('charge.dispute.created', dispute);
  return dispute;
}

/** A dispute goes on; a won one brings the money back. */
export function changeDispute(
  of: Account,
  dispute: Dispute,
  to: 'under_review' | 'won' | 'lost',
): void {
  const { status } = dispute;
  dispute.status = to;
  if (to === 'won') {
    const { amount, currency, id: source } = dispute;
    of.move(['adjustment', 'dispute_reversal'], { amount, currency, source });
  }
  if (to === 'under_review') of.tell('charge.dispute.updated', dispute, { status });
  else of.tell('charge.dispute.closed', dispute);
}

export function disputeOf(of: Account, id: string): Dispute {
  const dispute = of.disputes.get(id);
  if (dispute !== undefined) return dispute;
  throw new ApiError(404, 'invalid_request_error', 'resource_missing');
}

/** Takes an uploaded file. */
export function takeFile(of: Account, purpose: string, file: Omit<Uploaded, 'id'>): object {
  if (purpose !== 'dispute_evidence' || file.size > BYTES_MAX) throw invalid(null);
  if (!['application/pdf', 'image/jpeg', 'image/png'].includes(file.type)) throw invalid(null);
  const id = newId('file');
  of.files.set(id, { id, ...file });
  return { id, object: 'file', created: of.now(), purpose, filename: file.name, size: file.size };
}

/** Submits evidence: the bank takes it once, while it waits for it. */
export function submitEvidence(
  of: Account,
  id: string,
  { evidence, metadata }: { readonly evidence: Metadata; readonly metadata: Metadata },
): Dispute {
  const dispute = disputeOf(of, id);
  if (dispute.status !== 'needs_response') throw invalid(null);
  for (const [place, value] of Object.entries(evidence)) {
    const isFile = FILES.includes(place);
    if (isFile && !of.files.has(value)) throw invalid('resource_missing', { param: place });
    if (!isFile && (!TEXTS.includes(place) || value.length > TEXT_MAX)) throw invalid(null);
  }
  Object.assign(dispute.evidence, evidence);
  Object.assign(dispute.metadata, metadata);
  dispute.evidence_details.submission_count += 1;
  changeDispute(of, dispute, 'under_review');
  return dispute;
}
