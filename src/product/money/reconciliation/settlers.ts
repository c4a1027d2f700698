// The settle command of each purpose. Workers, webhooks, the statement and manual decisions all use
// these, so there is one way to learn an outcome.
import type { Command } from '../../../engine/index.ts';
import { settleEscrowCancel, settleEscrowPayment } from '../escrow/index.ts';
import { settleInvoice } from '../invoice/index.ts';
import { settlePayout } from '../payout/index.ts';
import { settleRefund } from '../refund/index.ts';
import { settleDeposit, type AttemptAnswer, type TransferAnswer } from '../wallet/index.ts';
import { settleSecondCapture } from './discrepancy.ts';

/** By the purpose of a payment attempt. */
export const chargeSettlers: Readonly<Record<string, Command<AttemptAnswer>>> = {
  invoice: settleInvoice,
  escrow: settleEscrowPayment,
  deposit: settleDeposit,
};

/** By the purpose of an outbound transfer. */
export const transferSettlers: Readonly<Record<string, Command<TransferAnswer>>> = {
  escrow_cancel: settleEscrowCancel,
  refund: settleRefund,
  payout: settlePayout,
  double_capture: settleSecondCapture,
};
