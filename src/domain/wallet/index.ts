// Wallets and ways to pay: what an account pays with and is paid into, and deposits. Answers for
// where a credit goes and for records of payment methods. Refuses to know invoices and identity
// checks.
import type { Machine } from '../../kernel/machine.ts';
import { attemptMachine } from './attempt-machine.ts';
import { depositMachine } from './machine.ts';
export { settleDeposit } from './attempt-deposit.ts';
export { operations } from './api.ts';
export { refusals } from './refusals.ts';
export { events } from './events.ts';
export { FAILURE_REASONS, failureReason } from './attempt-failures.ts';
export type { FailureCode } from './attempt-failures.ts';
export { applyAnswer, beginAttempt } from './attempt-settle.ts';
export type { AttemptAnswer, NewAttempt, Progress } from './attempt-settle.ts';
export { startAttemptWorker } from './attempt-worker.ts';
export type { AttemptWorker, AttemptWorkerOptions, SettleAttempt } from './attempt-worker.ts';
export { creditLine, needCredit, requireRoom } from './credit.ts';
export { completeDeposit, failDeposit, requestDeposit } from './deposit.ts';
export type { DepositWish } from './deposit.ts';
export { attachCard, cardLabel, makeWallet } from './method.ts';
export type { CardInput, NewWallet } from './method.ts';
export { deposit, depositRecord, paymentMethod, paymentMethodRecord } from './schema.ts';
export type { DepositRecord, PaymentMethodRecord } from './schema.ts';
export { balancesOf, paymentMethodsOf, walletById } from './read.ts';
export {
  attemptJobTable,
  attemptTable,
  attemptsOfResource,
  depositTable,
  paymentMethodTable,
  walletTable,
  walletsOfAccount,
} from './tables.ts';
export type { AttemptRow, DepositRow, PaymentMethodRow, WalletRow } from './tables.ts';
export { attemptMachine, depositMachine };

export const machines: readonly Machine[] = [depositMachine, attemptMachine];
