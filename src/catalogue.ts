// The table of contents: every operation, machine, record, refusal and event of the product. Lists,
// no logic. Routes, OpenAPI, docs, the database's legal transitions and the contract tests come
// from here.
import type { z } from 'zod';
import * as accrual from './product/people/credit-eligibility/index.ts';
import * as account from './product/people/account/index.ts';
import * as audit from './product/tell/audit/index.ts';
import * as business from './product/people/business/index.ts';
import * as consent from './product/people/consent/index.ts';
import * as counterparty from './sandbox/counterparty/index.ts';
import * as clock from './sandbox/clock/index.ts';
import * as checkout from './product/money/checkout/index.ts';
import type { DomainOperation } from './product/context.ts';
import * as dispute from './product/money/dispute/index.ts';
import * as escrow from './product/money/escrow/index.ts';
import { events as declared, type EventKey, type EventName } from './product/events.ts';
import * as explain from './product/tell/explain/index.ts';
import * as handoff from './product/access/session-exchange/index.ts';
import * as history from './product/money/history/index.ts';
import * as identity from './product/people/identity/index.ts';
import * as merging from './product/people/account-merge/index.ts';
import * as matching from './product/people/matching/index.ts';
import * as invoice from './product/money/invoice/index.ts';
import * as oauth from './product/access/oauth/index.ts';
import * as operator from './product/access/operator/index.ts';
import * as payout from './product/money/payout/index.ts';
import * as reconciliation from './product/money/reconciliation/index.ts';
import * as refund from './product/money/refund/index.ts';
import * as registration from './product/people/registration/index.ts';
import * as review from './product/people/review/index.ts';
import { wrappedSecretKeys } from './product/idempotent/index.ts';
import * as sandbox from './sandbox/control/index.ts';
import * as settings from './product/tenant/settings/index.ts';
import * as terms from './product/people/terms/index.ts';
import * as wallet from './product/money/wallet/index.ts';
import * as webhook from './product/tell/webhook/index.ts';
import * as workspace from './sandbox/workspace/index.ts';
import { engineRefusals, stepLaws } from './engine/index.ts';
import { entryLaws, integratorLaws } from './ledger/index.ts';
import { inputRefusals } from './core/input-refusals.ts';
import type { Machine } from './core/machine.ts';
import type { WebhookEvent } from './core/event.ts';
import type { Proof } from './core/proof.ts';
import type { RefusalSpec } from './core/refusal.ts';
import type { WrappedColumn } from './providers/keys/versions.ts';
import { streamLaws, type RecordKind } from './outbox/index.ts';

/** Every operation of the domain, by host in order of declaration. */
export const operations: readonly DomainOperation[] = [
  ...oauth.operations,
  ...handoff.operations,
  ...registration.operations,
  ...account.operations,
  ...merging.operations,
  ...terms.operations,
  ...consent.operations,
  ...identity.operations,
  ...business.operations,
  ...wallet.operations,
  ...invoice.operations,
  ...escrow.operations,
  ...checkout.operations,
  ...refund.operations,
  ...dispute.operations,
  ...payout.operations,
  ...history.operations,
  ...reconciliation.operations,
  ...webhook.operations,
  ...settings.operations,
  ...sandbox.operations,
  ...counterparty.operations,
  ...clock.operations,
  ...workspace.operations,
  ...explain.operationsOf(() => machines),
] as readonly DomainOperation[];

/** Every state machine. */
export const machines: readonly Machine[] = [
  invoice.invoiceMachine,
  escrow.escrowMachine,
  ...refund.machines,
  dispute.disputeMachine,
  payout.payoutMachine,
  ...reconciliation.machines,
  ...wallet.machines,
  ...identity.machines,
  ...review.machines,
  ...business.machines,
  ...account.machines,
];

/** Tables whose rows have a lifecycle. */
const heads = [
  invoice.invoiceTable,
  escrow.escrowTable,
  payout.payoutTable,
  refund.refundTable,
  refund.reversalTable,
  dispute.disputeTable,
  wallet.depositTable,
  wallet.attemptTable,
  wallet.transferTable,
  identity.kycTable,
  account.accountBlockTable,
  reconciliation.discrepancyTable,
  identity.identityCheckTable,
  business.entityTable,
  business.agentTable,
  review.proposalTable,
];

/** The laws of the books, of histories, of invoices and of the stream of events. */
export const bookProofs: readonly Proof[] = [
  ...entryLaws,
  ...stepLaws(heads),
  ...invoice.paymentLaws,
  ...integratorLaws,
  ...invoice.openWorkLaws,
  ...streamLaws,
  ...invoice.announcementLaws,
];

/** Every law that `holdfast verify` checks, of the books and of money and verification together. */
export const proofs: readonly Proof[] = [
  ...bookProofs,
  ...accrual.laws,
  ...merging.laws,
  ...identity.laws,
  ...review.laws,
  ...business.laws,
  ...matching.laws,
  ...invoice.laws,
  ...escrow.laws,
  ...refund.laws,
  ...dispute.laws,
  ...payout.laws,
  ...reconciliation.laws,
  ...audit.laws,
];

/** Every kind of record that events and stored answers are rendered from. */
export const recordKinds: readonly RecordKind[] = [
  invoice.invoiceRecords,
  escrow.escrowRecords,
  escrow.escrowPaymentRecords,
  refund.refundRecords,
  refund.refundMessages,
  dispute.disputeRecords,
  payout.payoutRecords,
  payout.payoutMessages,
];

/** Key columns of a workspace, and so of every snapshot of it. */
const ofWorkspaces: readonly WrappedColumn[] = [
  account.wrappedPersonKeys,
  webhook.wrappedWebhookKeys,
  wrappedSecretKeys,
];

/** Every column of the domain that holds keys wrapped by the master key. [PD3] */
export const wrappedColumns: readonly WrappedColumn[] = [
  ...ofWorkspaces,
  ...ofWorkspaces.map(workspace.onStored),
  oauth.wrappedSigningKeys,
  audit.wrappedAuditKeys,
  operator.wrappedOperatorKeys,
];

/** The message of every webhook event. */
const messages: Readonly<Record<EventKey, z.ZodType>> = {
  ...invoice.messages,
  ...escrow.messages,
  ...refund.messages,
  ...dispute.messages,
  ...payout.messages,
  ...identity.messages,
  ...business.messages,
  ...wallet.messages,
  ...account.messages,
  ...registration.messages,
};

/** Every webhook event with its message. [G-61] */
export const events: readonly SentEvent[] = Object.entries(messages).map(([key, message]) => {
  return { ...declared[key as EventKey], message };
});

interface SentEvent extends WebhookEvent {
  readonly name: EventName;
  readonly message: z.ZodType;
}

/**
 * Every refusal of the domain, the engine and input. A code has one sentence; it may have two
 * statuses, for an id in a path and one in a body. [G-11]
 */
export const refusals: readonly RefusalSpec[] = [
  ...Object.values<RefusalSpec>(inputRefusals),
  ...Object.values<RefusalSpec>(engineRefusals),
  ...Object.values<RefusalSpec>(oauth.refusals),
  ...Object.values<RefusalSpec>(account.refusals),
  ...Object.values<RefusalSpec>(merging.refusals),
  ...Object.values<RefusalSpec>(terms.refusals),
  ...Object.values<RefusalSpec>(consent.refusals),
  ...Object.values<RefusalSpec>(handoff.refusals),
  ...Object.values<RefusalSpec>(identity.refusals),
  ...Object.values<RefusalSpec>(business.refusals),
  ...Object.values<RefusalSpec>(wallet.refusals),
  ...Object.values<RefusalSpec>(invoice.refusals),
  ...Object.values<RefusalSpec>(escrow.refusals),
  ...Object.values<RefusalSpec>(refund.refusals),
  ...Object.values<RefusalSpec>(dispute.refusals),
  ...Object.values<RefusalSpec>(payout.refusals),
  ...Object.values<RefusalSpec>(history.refusals),
  ...Object.values<RefusalSpec>(reconciliation.refusals),
  ...Object.values<RefusalSpec>(webhook.refusals),
  ...Object.values<RefusalSpec>(sandbox.refusals),
  ...Object.values<RefusalSpec>(counterparty.refusals),
  ...Object.values<RefusalSpec>(clock.refusals),
  ...Object.values<RefusalSpec>(workspace.refusals),
  ...Object.values<RefusalSpec>(explain.refusals),
];
