// The table of contents: the modules of the product, and what they list together. Routes, OpenAPI,
// docs, the database's legal transitions and the contract tests come from here. What a staging
// process has beside it, the sandbox lists itself.
import { inputRefusals } from './core/input-refusals.ts';
import type { z } from 'zod';
import type { List } from './core/list.ts';
import type { Machine } from './core/machine.ts';
import type { Proof } from './core/proof.ts';
import type { Queue } from './core/queue.ts';
import type { WebhookEvent } from './core/event.ts';
import type { RefusalSpec } from './core/refusal.ts';
import { engineRefusals, stepLaws } from './engine/index.ts';
import { entryLaws, integratorLaws, ledgerLists } from './ledger/index.ts';
import { streamLaws, streamLists, streamQueues, type RecordKind } from './outbox/index.ts';
import type { DomainOperation, Module } from './product/context.ts';
import { events as declared, type ComposedEvent, type EventName } from './product/events.ts';
import { module as oauth } from './product/access/oauth/module.ts';
import { module as operator } from './product/access/operator/module.ts';
import { module as sessionExchange } from './product/access/session-exchange/module.ts';
import { module as idempotent } from './product/idempotent/module.ts';
import { module as moneyAct } from './product/money/act/module.ts';
import { module as bank } from './product/money/bank/module.ts';
import { module as books } from './product/money/books/module.ts';
import { module as checkout } from './product/money/checkout/module.ts';
import { module as disagreement } from './product/money/disagreement/module.ts';
import { module as dispute } from './product/money/dispute/module.ts';
import { module as escrow } from './product/money/escrow/module.ts';
import { module as evidence } from './product/money/evidence/module.ts';
import { module as history } from './product/money/history/module.ts';
import { module as invoice } from './product/money/invoice/module.ts';
import { module as payee } from './product/money/payee/module.ts';
import { module as payout } from './product/money/payout/module.ts';
import { module as payoutFile } from './product/money/payout-file/module.ts';
import { module as payoutSchedule } from './product/money/payout-schedule/module.ts';
import { module as reconciliation } from './product/money/reconciliation/module.ts';
import { module as refund } from './product/money/refund/module.ts';
import { module as reserve } from './product/money/reserve/module.ts';
import { module as treasury } from './product/money/treasury/module.ts';
import { module as wallet } from './product/money/wallet/module.ts';
import { module as accountMerge } from './product/people/account-merge/module.ts';
import { module as account } from './product/people/account/module.ts';
import { module as business } from './product/people/business/module.ts';
import { module as consent } from './product/people/consent/module.ts';
import { module as creditEligibility } from './product/people/credit-eligibility/module.ts';
import { module as emailCheck } from './product/people/email-check/module.ts';
import { module as identity } from './product/people/identity/module.ts';
import { module as matching } from './product/people/matching/module.ts';
import { module as screening } from './product/people/screening/module.ts';
import { module as registration } from './product/people/registration/module.ts';
import { module as review } from './product/people/review/module.ts';
import { module as terms } from './product/people/terms/module.ts';
import { module as audit } from './product/tell/audit/module.ts';
import { moduleOf as listModuleOf } from './product/tell/list/module.ts';
import { module as mail } from './product/tell/mail/module.ts';
import { module as reference } from './product/tell/reference/module.ts';
import { module as webhook } from './product/tell/webhook/module.ts';
import { module as imports } from './product/tenant/imports/module.ts';
import { module as provider } from './product/tenant/provider/module.ts';
import { module as move } from './product/tenant/move/module.ts';
import { module as stop } from './product/tenant/stop/module.ts';
import { module as settings } from './product/tenant/settings/module.ts';
import type { WrappedColumn } from './providers/keys/versions.ts';

/** Modules, in the order in which their operations are documented. */
const domain: readonly Module[] = [
  ...[oauth, sessionExchange, operator],
  ...[registration, account, emailCheck, accountMerge, terms, consent, identity, business],
  ...[creditEligibility, matching, screening, review],
  ...[wallet, invoice, escrow, checkout, refund, disagreement, dispute, evidence, reserve],
  ...[payout, history, reconciliation],
  ...[bank, treasury, payoutFile, payoutSchedule, payee, books, moneyAct],
  ...[webhook, reference, audit, settings, mail, provider, imports, idempotent, stop, move],
];

/** Every list that is searched. */
export const lists: readonly List[] = [
  ...domain.flatMap((module) => module.lists ?? []),
  ...ledgerLists,
  ...streamLists,
];

/** Every module; the searches of all lists come last. */
export const modules: readonly Module[] = [...domain, listModuleOf(lists)];

/** Every operation. */
export const operations: readonly DomainOperation[] = modules.flatMap((module) => {
  return module.operations ?? [];
});

/** Every state machine; it has the name of the table whose rows it moves. */
export const machines: readonly Machine[] = modules.flatMap((module) => module.machines ?? []);

/** What waits for a worker or for people. */
export const queues: readonly Queue[] = [
  ...modules.flatMap((module) => module.queues ?? []),
  ...streamQueues,
];

/** The laws of the books, of histories, of invoices and of the stream of events. */
export const bookProofs: readonly Proof[] = [
  ...entryLaws,
  ...stepLaws(machines),
  ...integratorLaws,
  ...streamLaws,
  ...modules.flatMap((module) => module.bookLaws ?? []),
];

/** Every law that `holdfast verify` checks, of the books and of money and verification together. */
export const proofs: readonly Proof[] = [
  ...bookProofs,
  ...modules.flatMap((module) => module.laws ?? []),
];

/** Every kind of record that events and stored answers are rendered from. */
export const recordKinds: readonly RecordKind[] = modules.flatMap((module) => module.records ?? []);

/** Every column of the domain that holds keys wrapped by the master key. [PD3] */
export const wrappedColumns: readonly WrappedColumn[] = modules.flatMap((module) => {
  return module.wrapped ?? [];
});

/** The messages that decisions compose; of the other events a record is the message. */
const messages: Module['messages'] & {} = Object.assign({}, ...modules.map((one) => one.messages));

/** Every webhook event with its message. [G-61] */
export const events: readonly SentEvent[] = Object.entries(declared).map(([key, event]) => {
  const shown = 'record' in event ? event.record : null;
  const kind = recordKinds.find((one) => one.kind === shown);
  const message = kind?.schema ?? messages[key as ComposedEvent];
  if (message === undefined) throw new Error(`no module has the message of ${event.name}`);
  return { ...event, message };
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
  ...modules.flatMap((module) => Object.values(module.refusals ?? {})),
];
