// The table of contents: every operation, machine, record, refusal and event of the product. Lists,
// no logic. Routes, OpenAPI, docs, the database's legal transitions and the contract tests come
// from here.
import type { z } from 'zod';
import * as accrual from './domain/accrual/index.ts';
import * as account from './domain/account/index.ts';
import * as audit from './domain/audit/index.ts';
import * as business from './domain/business/index.ts';
import * as consent from './domain/consent/index.ts';
import * as counterparty from './domain/counterparty/index.ts';
import * as clock from './domain/clock/index.ts';
import * as checkout from './domain/checkout/index.ts';
import type { DomainOperation } from './domain/context.ts';
import * as dispute from './domain/dispute/index.ts';
import * as escrow from './domain/escrow/index.ts';
import { events as declared, type EventKey, type EventName } from './domain/events.ts';
import * as explain from './domain/explain/index.ts';
import * as handoff from './domain/handoff/index.ts';
import * as history from './domain/history/index.ts';
import * as identity from './domain/identity/index.ts';
import * as merging from './domain/merging/index.ts';
import * as matching from './domain/matching/index.ts';
import * as invoice from './domain/invoice/index.ts';
import * as oauth from './domain/oauth/index.ts';
import * as operator from './domain/operator/index.ts';
import * as payout from './domain/payout/index.ts';
import * as reconciliation from './domain/reconciliation/index.ts';
import * as refund from './domain/refund/index.ts';
import * as registration from './domain/registration/index.ts';
import * as review from './domain/review/index.ts';
import { wrappedSecretKeys } from './domain/once/index.ts';
import * as sandbox from './domain/sandbox/index.ts';
import * as settings from './domain/settings/index.ts';
import * as terms from './domain/terms/index.ts';
import * as wallet from './domain/wallet/index.ts';
import * as webhook from './domain/webhook/index.ts';
import * as world from './domain/world/index.ts';
import { engineRefusals, stepLaws } from './engine/index.ts';
import { entryLaws, integratorLaws } from './ledger/index.ts';
import { inputRefusals } from './kernel/input-refusals.ts';
import type { Machine } from './kernel/machine.ts';
import type { WebhookEvent } from './kernel/event.ts';
import type { Proof } from './kernel/proof.ts';
import type { RefusalSpec } from './kernel/refusal.ts';
import type { WrappedColumn } from './ports/key-versions.ts';
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
  ...world.operations,
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
  wallet.remittanceTable,
  identity.kycTable,
  account.accountBlockTable,
  reconciliation.differenceTable,
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
const ofWorlds: readonly WrappedColumn[] = [
  account.wrappedPersonKeys,
  webhook.wrappedWebhookKeys,
  wrappedSecretKeys,
];

/** Every column of the domain that holds keys wrapped by the master key. [PD3] */
export const wrappedColumns: readonly WrappedColumn[] = [
  ...ofWorlds,
  ...ofWorlds.map(world.onShelf),
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
  ...Object.values<RefusalSpec>(world.refusals),
  ...Object.values<RefusalSpec>(explain.refusals),
];
