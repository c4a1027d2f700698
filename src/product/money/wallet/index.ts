// Wallets, payment methods and deposits: what an account pays with and is paid into, and the
// payment attempts and outbound transfers at the processor.
export { settleDeposit } from './attempt-deposit.ts';
export { refusals } from './refusals.ts';
export { FAILURE_REASONS, failureReason } from './attempt-failures.ts';
export type { FailureCode } from './attempt-failures.ts';
export {
  applyAnswer,
  beginAttempt,
  CHALLENGE_SECONDS,
  requireOpen,
} from './attempt-settle.ts';
export type { AttemptAnswer } from './attempt-settle.ts';
export { onceKindsFor, paysIn } from './once.ts';
export { attemptQueue, giveUp, wakeOver } from './attempt-queue.ts';
export { startExchangeWorker } from './provider-worker.ts';
export type { ExchangeQueue, Job, Pause } from './provider-worker.ts';
export {
  allRemitted,
  applyTransfer,
  beginTransfer,
  handedOver,
  handOverTransfer,
} from './transfer.ts';
export type { TransferAnswer } from './transfer.ts';
export { fillWallets, openIntegratorWallet } from './fill-wallets.ts';
export { lookAgain, sweep, unanswered } from './requery.ts';
export { transferQueue } from './transfer-queue.ts';
export { owe, repayDebts } from './debt.ts';
export { creditLine, hasRoom, needCredit, requireRoom } from './credit.ts';
export { isSepa, isSepaCountry, openDestination } from './destination.ts';
export type { Destination } from './destination.ts';
export { eraseMethods, holdsMoney, needMethodErasure } from './erase.ts';
export { METHODS_MAX } from './entry.ts';
export { completeDeposit, requestDeposit } from './deposit.ts';
export {
  addMethod,
  addPayeeMethod,
  attachCard,
  BRANDS,
  makeWallet,
  shownCurrency,
} from './method.ts';
export { changeMethodState } from './method-change.ts';
export type { NewWallet } from './method.ts';
export { currentDepositRecord, deposit, paymentMethodRecord } from './schema.ts';
export {
  authenticationOf,
  balancesOf,
  isFramed,
  referenceDigits,
  walletById,
  walletOfAccount,
  walletsOfDigits,
} from './read.ts';
export {
  attemptTable,
  attemptsOfResource,
  depositTable,
  methodsOfAccount,
  paymentMethodTable,
  RECEIVING,
  transfersOfResource,
  transferTable,
  walletTable,
  walletsOfAccount,
} from './tables.ts';
export type { AttemptRow, PaymentMethodRow, TransferRow, WalletRow } from './tables.ts';
