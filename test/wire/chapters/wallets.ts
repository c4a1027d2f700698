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
  await walk.ok('sandboxDeposit', { json: { integrator: true, ...money } });
  await walk.no('sandboxDeposit', { json: money });
  await walk.no('sandboxDeposit', { json: { ...nobody, ...money } });
  await walk.no('sandboxDeposit', { json: { ...at, ...money, amount: 0 } });
  const own = { json: { ...at, test_card: 'mastercard' } };
  await walk.ok('sandboxAttachCard', own);
  const [good, bad] = [
    await attach(walk, account_id, 'visa'),
    await attach(walk, account_id, 'card_declined'),
  ];
  for (const payment_method_id of [good, bad]) {
    const json = { ...at, payment_method_id, ...money };
    const { deposit_id = '' } = await walk.ok('createDeposit', { json });
    await walk.ok('getDeposit', { at: { deposit_id } });
  }
  const json = { ...at, payment_method_id: NOBODY.id, ...money };
  await walk.no('createDeposit', { json });
  await walk.no('createDeposit', { json: { ...json, ...nobody } });
  await walk.no('getDeposit', { at: { deposit_id: NOBODY.id } });
  await walk.ok('listPaymentMethodsUnversioned', { at });
  await walk.no('listPaymentMethodsUnversioned', { at: nobody });
  await walk.no('listPaymentMethods', { at: nobody });
}

export async function methods(walk: Walk): Promise<void> {
  walk.chapter('13-payment-methods');
  const { account_id, method } = await person(walk, 'owner of a card');
  const { session: token } = await signedIn(walk, account_id);
  const began = await walk.ok('createPaymentMethodEntry', { token, json: { kind: 'card' } });
  await walk.no('createPaymentMethodEntry', { token, json: { kind: 'paypal' } });
  await walk.no('createPaymentMethodEntry', { token, json: { kind: 'cheque' } });
  await walk.no('createPaymentMethodEntry', { json: { kind: 'card' } });
  await walk.no('createPaymentMethod', { token, json: { entry_id: began['entry_id'] } });
  await walk.no('createPaymentMethod', { token, json: { entry_id: NOBODY.id } });
  const entry_id = await enterCard(walk.api, token);
  const { id = '' } = await walk.ok('createPaymentMethod', { token, json: { entry_id } });
  const at = { payment_method_id: id };
  await walk.ok('renamePaymentMethod', { at, token, json: { display_string: 'Mine' } });
  await walk.no('renamePaymentMethod', { at, token, json: { display_string: '' } });
  const json = { display_string: 'Other' };
  await walk.no('renamePaymentMethod', { at: { payment_method_id: NOBODY.id }, json });
  await walk.no('renamePaymentMethod', { at: { payment_method_id: method }, json });
  await walk.ok('removePaymentMethod', { at, token });
  await walk.no('removePaymentMethod', { at: { payment_method_id: method }, token });
  await walk.no('removePaymentMethod', { at: { payment_method_id: NOBODY.id }, token });
  await walk.ok('listPaymentMethods', { at: { account_id }, token });
}
