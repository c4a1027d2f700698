// Amounts as people type them, and which payouts and methods are shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../test/kit/english.ts';
import { minorUnits, typedAmount } from '../kit/typed-money.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import {
  amountFault,
  destinations,
  fundedWallets,
  isCancelable,
  pendingText,
  refusalText,
} from './records.ts';

function method(id: string, provider: string, balance = '0', state = 'ACTIVE'): PaymentMethod {
  return {
    id,
    provider,
    method_class: provider,
    display_string: id,
    processing_currency: 'USD',
    pm_state: state,
    psp_reference: id,
    wallet_balance: balance,
  };
}

test('an amount is read unambiguously or refused', () => {
  const read = { '24.75': 2475, '24,75': 2475, '24.7': 2470, '1,234.5': 123_450, '1,234': 123_400 };
  for (const [typed, minor] of Object.entries(read)) {
    assert.equal(minorUnits(typed, 'USD'), minor);
  }
  for (const typed of ['', '0', '0.00', '-1', '1.2.3', '24.755', 'ten', '1e3', '٣']) {
    assert.equal(minorUnits(typed, 'USD'), null, typed);
  }
  assert.equal(minorUnits('1200', 'JPY'), 1200);
  assert.equal(minorUnits('1200.5', 'JPY'), null);
  assert.equal(minorUnits('1.234', 'KWD'), 1234);
  assert.equal(minorUnits('1,234', 'KWD'), null);
  assert.equal(minorUnits(typedAmount(2405, 'USD'), 'USD'), 2405);
});

test("too large an amount is refused with the wallet's balance", () => {
  const wallet = method('w', 'wallet', '500');
  assert.equal(amountFault(500, wallet), undefined);
  assert.equal(amountFault(501, wallet), 'You have USD 5.00.');
  assert.equal(amountFault(null, wallet), 'Enter an amount, such as 25.00.');
});

test('money goes from funded wallets to active accounts of all kinds', () => {
  const all = [
    method('empty', 'wallet'),
    method('little', 'wallet', '5'),
    method('much', 'wallet', '700'),
    method('card', 'card'),
    method('bank', 'ach'),
    method('login', 'paypal'),
    method('iban', 'bank'),
    method('seller', 'payee'),
    method('due', 'payee', '0', 'UNVERIFIED'),
    method('gone', 'ach', '0', 'INACTIVE'),
  ];
  assert.deepEqual(fundedWallets(all).map(({ id }) => id), ['much', 'little']);
  assert.deepEqual(destinations(all).map(({ id }) => id), ['bank', 'login', 'iban', 'seller']);
});

test('ended payouts are not pending, and one being sent cannot be cancelled', () => {
  assert.equal(pendingText('SUCCESS'), null);
  assert.equal(pendingText('SUPPORT-REJECTED'), null);
  const held = ['FUNDS-IN-ESCROW', 'FUNDS-IN-ESCROW-ON-HOLD', 'FAILED'];
  assert.ok(held.every((status) => isCancelable(status) && pendingText(status) !== null));
  assert.equal(isCancelable('CREDIT-TRANSFER-INITIATED'), false);
});

test('refusals of payouts have sentences of their own', () => {
  assert.match(refusalText(['PAYOUT_INSUFFICIENT_FUNDS']) ?? '', /balance is lower now/);
  assert.equal(refusalText(['SOMETHING_ELSE']), undefined);
});
