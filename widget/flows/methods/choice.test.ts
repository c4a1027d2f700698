// Which methods are offered, proposed and sent: the rules of the wallet beside other methods.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../test/kit/english.ts';
import {
  firstChoice,
  keptChoice,
  offerOf,
  onceKindOf,
  onceMethods,
  partsOf,
  restOf,
  walletUsable,
  type PaymentMethod,
} from './choice.ts';

const USD = { currency: 'USD', total: 2500 };

function method(id: string, provider: string, more: Partial<PaymentMethod> = {}): PaymentMethod {
  return {
    id,
    provider,
    method_class: provider === 'wallet' ? 'registration' : 'visa',
    display_string: id,
    processing_currency: 'USD',
    pm_state: 'ACTIVE',
    psp_reference: id,
    wallet_balance: '0',
    ...more,
  };
}

const wallet = (balance: number) => method('w', 'wallet', { wallet_balance: String(balance) });
const card = method('c', 'card');

test('a wallet that is enough is proposed, and pays alone', () => {
  const offer = offerOf([wallet(2500), card], USD, false);
  assert.deepEqual(firstChoice(offer), { wallet: true, row: null });
  const parts = partsOf(offer, { wallet: true, row: 'c' });
  assert.deepEqual(parts, [{ payment_method_id: 'w', amount: 0 }]);
});

test('a wallet that is not enough pays its balance, and the card the rest', () => {
  const offer = offerOf([wallet(900), card], USD, false);
  assert.deepEqual(firstChoice(offer), { wallet: false, row: 'c' });
  assert.deepEqual(partsOf(offer, { wallet: true, row: 'c' }), [
    { payment_method_id: 'w', amount: 900 },
    { payment_method_id: 'c', amount: 0 },
  ]);
  assert.equal(restOf(offer), 1600);
  assert.equal(partsOf(offer, { wallet: true, row: null }), null);
});

test('a wallet alone that is not enough cannot be switched on', () => {
  const offer = offerOf([wallet(900)], USD, false);
  assert.equal(walletUsable(offer), false);
  assert.equal(partsOf(offer, firstChoice(offer)), null);
});

test('hidden and empty wallets, other currencies and inactive methods are left out', () => {
  assert.equal(offerOf([wallet(2500), card], USD, true).wallet, null);
  assert.equal(offerOf([wallet(0)], USD, false).wallet, null);
  const others = [
    method('yen', 'card', { processing_currency: 'JPY' }),
    method('old', 'card', { pm_state: 'INACTIVE' }),
    method('iban', 'bank'),
    method('seller', 'payee'),
  ];
  assert.deepEqual(offerOf(others, USD, false).rows, []);
});

test('without a bill the wallet is one of the rows', () => {
  const offer = offerOf([wallet(900), card], null, false);
  assert.deepEqual(offer.rows.map(({ id }) => id), ['w', 'c']);
  assert.deepEqual(partsOf(offer, { wallet: false, row: 'w' }), [
    { payment_method_id: 'w', amount: 0 },
  ]);
});

test('who saves nothing pays once, alone or beside the wallet', () => {
  const rows = onceMethods(['card', 'ideal'], USD);
  const alone = offerOf(rows, USD, false);
  assert.deepEqual(firstChoice(alone), { wallet: false, row: 'once-card' });
  const offer = offerOf([wallet(900), card, ...rows], USD, false);
  assert.deepEqual(firstChoice(offer), { wallet: false, row: 'c' });
  assert.deepEqual(partsOf(offer, { wallet: true, row: 'once-ideal' }), [
    { payment_method_id: 'w', amount: 900 },
    { payment_method_id: 'once-ideal', amount: 0 },
  ]);
  assert.deepEqual(['once-ideal', 'c', 'once-x'].map(onceKindOf), ['ideal', null, null]);
});

test('a total of zero needs no method', () => {
  const offer = offerOf([], { currency: 'USD', total: 0 }, false);
  assert.deepEqual(partsOf(offer, firstChoice(offer)), []);
});

test('a choice that no longer exists is replaced by the proposal', () => {
  const offer = offerOf([wallet(900), card], USD, false);
  const gone = { wallet: false, row: 'gone' };
  assert.deepEqual(keptChoice(gone, offer), { wallet: false, row: 'c' });
  const split = { wallet: true, row: 'c' };
  assert.deepEqual(keptChoice(split, offer), split);
});
