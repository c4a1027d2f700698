// Wallets, deposits, and payment methods as a person enters, renames and removes them.
import { enterCard } from '../../api/fixtures.ts';
import type { Walk } from '../walk.ts';
import { attach, NOBODY, person, signedIn } from './cast.ts';

const nobody = { account_id: NOBODY.account };

export async function wallets(walk: Walk): Promise<void> {
  walk.chapter('12-wallets');
  const { account_id, wallet_id } = await person(walk, 'owner of a wallet', 500);
  const at = { account_id };
  await walk.ok('getWallet', { at: { wallet_id } });
  await walk.no('getWallet', { at: { wallet_id: NOBODY.id } });
  await walk.ok('getBalances', { at });
  await walk.ok('getBalances', { at, query: { currency: 'EUR' } });
  await walk.no('getBalances', { at, query: { currency: 'XAU' } });
  await walk.no('getBalances', { at: nobody });
  const money = { currency: 'USD', amount: 25 };
  await walk.ok('sandboxDeposit', { body: { integrator: true, ...money } });
  await walk.no('sandboxDeposit', { body: money });
  await walk.no('sandboxDeposit', { body: { ...nobody, ...money } });
  await walk.no('sandboxDeposit', { body: { ...at, ...money, amount: 0 } });
  const own = { body: { ...at, test_card: 'mastercard' } };
  await walk.ok('sandboxAttachCard', own);
  const [good, bad] = [
    await attach(walk, account_id, 'visa'),
    await attach(walk, account_id, 'card_declined'),
  ];
  for (const payment_method_id of [good, bad]) {
    const body = { ...at, payment_method_id, ...money };
    const { deposit_id = '' } = await walk.ok('createDeposit', { body });
    await walk.ok('getDeposit', { at: { deposit_id } });
  }
  const body = { ...at, payment_method_id: NOBODY.id, ...money };
  await walk.no('createDeposit', { body });
  await walk.no('createDeposit', { body: { ...body, ...nobody } });
  await walk.no('getDeposit', { at: { deposit_id: NOBODY.id } });
  await walk.ok('listPaymentMethodsUnversioned', { at });
  await walk.no('listPaymentMethodsUnversioned', { at: nobody });
  await walk.no('listPaymentMethods', { at: nobody });
}

/** Deposits by bank transfer. */
export async function bank(walk: Walk): Promise<void> {
  walk.chapter('27-bank');
  const { account_id, wallet_id } = await person(walk, 'owner who sends a transfer');
  const at = { wallet_id };
  const told = await walk.ok('getDepositInstructions', { at });
  await walk.no('getDepositInstructions', { at: { wallet_id: NOBODY.id } });
  const { session: token } = await signedIn(walk, account_id);
  await walk.ok('getDepositInstructions', { at, token });
  const body = { currency: 'USD', amount: 1_250, remittance_text: told['reference_display'] };
  await walk.ok('sandboxBankTransfer', { body });
  await walk.ok('sandboxBankTransfer', { body: { currency: 'USD', amount: 5 } });
  await walk.no('sandboxBankTransfer', { body: { ...body, currency: 'XAU' } });
  await walk.no('sandboxBankTransfer', { body: { ...body, amount: 0 } });
  await walk.ok('getWallet', { at });
  await walk.ok('listBankTransfers', { query: { limit: '5' } });
  await walk.ok('listBankTransfers', { query: { account_id, state: 'credited' } });
  await walk.no('listBankTransfers', { query: { state: 'lost' } });
}

export async function methods(walk: Walk): Promise<void> {
  walk.chapter('13-payment-methods');
  const { account_id, method } = await person(walk, 'owner of a card');
  const { session: token } = await signedIn(walk, account_id);
  const began = await walk.ok('createPaymentMethodEntry', { token, body: { kind: 'card' } });
  await walk.no('createPaymentMethodEntry', { token, body: { kind: 'paypal' } });
  await walk.no('createPaymentMethodEntry', { token, body: { kind: 'cheque' } });
  await walk.no('createPaymentMethodEntry', { body: { kind: 'card' } });
  await walk.no('createPaymentMethod', { token, body: { entry_id: began['entry_id'] } });
  await walk.no('createPaymentMethod', { token, body: { entry_id: NOBODY.id } });
  const entry_id = await enterCard(walk.api, token);
  const { id = '' } = await walk.ok('createPaymentMethod', { token, body: { entry_id } });
  const at = { payment_method_id: id };
  await walk.ok('renamePaymentMethod', { at, token, body: { display_string: 'Mine' } });
  await walk.no('renamePaymentMethod', { at, token, body: { display_string: '' } });
  const body = { display_string: 'Other' };
  await walk.no('renamePaymentMethod', { at: { payment_method_id: NOBODY.id }, body });
  await walk.no('renamePaymentMethod', { at: { payment_method_id: method }, body });
  await walk.ok('removePaymentMethod', { at, token });
  await walk.no('removePaymentMethod', { at: { payment_method_id: method }, token });
  await walk.no('removePaymentMethod', { at: { payment_method_id: NOBODY.id }, token });
  await walk.ok('listPaymentMethods', { at: { account_id }, token });
}
