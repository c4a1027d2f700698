// Wallets, payment methods and deposits: what an account pays with and is paid into, and the
// payment attempts and outbound transfers at the processor.
import type { Machine } from '../../../core/machine.ts';
import { attemptMachine } from './attempt-machine.ts';
import { depositMachine } from './machine.ts';
import { transferMachine } from './transfer-machine.ts';
export { settleDeposit } from './attempt-deposit.ts';
export { operations } from './api.ts';
export { refusals } from './refusals.ts';
export { messages } from './events.ts';
export { FAILURE_REASONS, failureReason } from './attempt-failures.ts';
export type { FailureCode } from './attempt-failures.ts';
export {
  applyAnswer,
  beginAttempt,
  CHALLENGE_SECONDS,
  requireOpen,
} from './attempt-settle.ts';
export type { AttemptAnswer, NewAttempt, Progress } from './attempt-settle.ts';
export { attemptQueue, orderOf, wakeOver } from './attempt-queue.ts';
export type { SettleAttempt } from './attempt-queue.ts';
export { startExchangeWorker } from './provider-worker.ts';
export type {
  ExchangeQueue,
  ExchangeWorker,
  ExchangeWorkerOptions,
  Job,
  Pause,
} from './provider-worker.ts';
export { allRemitted, applyTransfer, beginTransfer } from './transfer.ts';
export type { NewTransfer, TransferAnswer, TransferProgress } from './transfer.ts';
export { fillWallets, openIntegratorWallet } from './fill-wallets.ts';
export { lookAgain, sweep } from './requery.ts';
export { transferQueue } from './transfer-queue.ts';
export type { SettleTransfer } from './transfer-queue.ts';
export { creditLine, needCredit, requireRoom } from './credit.ts';
export { eraseMethods, holdsMoney, needMethodErasure } from './erase.ts';
export { completeDeposit, failDeposit, requestDeposit } from './deposit.ts';
export type { DepositRequest } from './deposit.ts';
export { attachCard, cardLabel, makeWallet, shownCurrency } from './method.ts';
export type { CardInput, NewWallet } from './method.ts';
export {
  currentDepositRecord,
  deposit,
  depositRecord,
  paymentMethod,
  paymentMethodRecord,
} from './schema.ts';
export type { DepositRecord, PaymentMethodRecord } from './schema.ts';
export { authenticationUrl, balancesOf, paymentMethodsOf, walletById } from './read.ts';
export {
  attemptJobTable,
  attemptTable,
  attemptsOfResource,
  depositTable,
  paymentMethodTable,
  transferJobTable,
  transfersOfResource,
  transferTable,
  walletTable,
  walletsOfAccount,
} from './tables.ts';
export type {
  AttemptRow,
  DepositRow,
  PaymentMethodRow,
  TransferRow,
  WalletRow,
} from './tables.ts';
export { attemptMachine, depositMachine, transferMachine };

export const machines: readonly Machine[] = [depositMachine, attemptMachine, transferMachine];
