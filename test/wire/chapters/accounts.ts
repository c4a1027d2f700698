// Accounts: registered, found, changed, blocked, merged; the terms that people sign, and consents.
import { mailedCode } from '../../api/fixtures.ts';
import type { Walk } from '../walk.ts';
import { NOBODY, signedIn, type Made } from './cast.ts';

const nobody = { account_id: NOBODY.account };

export async function accounts(walk: Walk): Promise<void> {
  walk.chapter('03-accounts');
  const email = { address: 'ada@example.test', requires_verification: true };
  const whole = {
    username: 'ada',
    email,
    full_name: 'Ada Example',
    first_name: 'Ada',
    last_name: 'Example',
    street_address_1: '1 rue des Exemples',
    city: 'Lyon',
    state_province: 'Rhône',
    country_iso: 'FR',
    zip_postal_code: '69001',
    external_platforms: { forum: 'ada' },
  };
  const { account_id } = await walk.ok<Made>('registerAccount', { body: whole });
  const at = { account_id };
  await walk.no('registerAccount', { body: whole });
  await walk.no('registerAccount', { body: { username: '', email: { address: 'no' }, extra: 1 } });
  await walk.no('registerAccount', { body: { username: 'bad', full_name: '4111111111111111' } });
  await walk.no('registerAccount', { raw: '{' });
  const key = { 'idempotency-key': 'registered-once' };
  await walk.ok('registerAccount', { body: { username: 'once' }, headers: key });
  await walk.ok('registerAccount', { body: { username: 'once' }, headers: key });
  await walk.no('registerAccount', { body: { username: 'another' }, headers: key });
  await walk.ok('searchUserInfo', { query: { username: 'ada' } });
  await walk.no('searchUserInfo', { query: { username: 'nobody' } });
  await walk.no('searchUserInfo');
  await walk.ok('getUserInfo', { at });
  await walk.no('getUserInfo', { at: nobody });
  await walk.no('getUserInfo', { at, token: null });
  await walk.no('getUserInfo', { at, token: 'nonsense' });
  await walk.no('getUserInfo', { at, token: await walk.api.token('read_events') });
  await walk.ok('updateUserInfo', { at, body: { city: 'Paris', zip_postal_code: '75001' } });
  await walk.no('updateUserInfo', { at, body: { country_iso: 'nowhere' } });
  await walk.no('updateUserInfo', { at: nobody, body: { city: 'Paris' } });
  await blocks(walk, at);
  await merges(walk);
}

async function blocks(walk: Walk, at: { account_id: string }): Promise<void> {
  const block = { ...at, block_capability: 'login' };
  await walk.ok('blockAccount', { body: { ...block, block_reason: 'account_close', note: 'n' } });
  await walk.no('blockAccount', { body: block });
  await walk.no('blockAccount', { body: { ...block, ...nobody, block_reason: 'other' } });
  await walk.ok('getAccountBlocks', { at });
  await walk.no('getAccountBlocks', { at: nobody });
  await walk.no('authorizeUser', { body: { ...at, return_token: true } });
  await walk.ok('unblockAccount', { body: block });
  await walk.no('unblockAccount', { body: { ...block, ...nobody } });
  await walk.no('unblockAccount', { body: at });
  await walk.ok('getAccountBlocks', { at });
}

async function merges(walk: Walk): Promise<void> {
  const { account_id: one } = await walk.ok<Made>('registerAccount', { body: { username: 'one' } });
  const { account_id: two } = await walk.ok<Made>('registerAccount', { body: { username: 'two' } });
  const body = { source_account_id: one, destination_account_id: two };
  await walk.no('mergeAccounts', { body: { ...body, destination_account_id: one } });
  await walk.no('mergeAccounts', { body: { ...body, destination_account_id: NOBODY.account } });
  await walk.ok('mergeAccounts', { body });
  await walk.no('mergeAccounts', { body });
  await walk.ok('getUserInfo', { at: { account_id: one } });
}

export async function terms(walk: Walk): Promise<void> {
  walk.chapter('04-terms');
  const { account_id } = await walk.ok<Made>('registerAccount', { body: { username: 'signer' } });
  const { user } = await signedIn(walk, account_id);
  const [at, none] = [{ word: 'service' }, { word: 'nothing' }];
  await walk.ok('getTerms', { token: null });
  await walk.no('getTerms', { token: null, query: { surprise: 1 } });
  await walk.ok('signTerms', { at, token: user, body: { version: 1 } });
  await walk.no('signTerms', { at, token: user, body: { version: 9 } });
  await walk.no('signTerms', { at: none, token: user, body: { version: 1 } });
  await walk.no('signTerms', { at, body: { version: 1 } });
  await walk.ok('getOwnTermsSignature', { at, token: user });
  await walk.no('getOwnTermsSignature', { at: none, token: user });
  await walk.ok('getTermsSignature', { at: { account_id, ...at } });
  await walk.no('getTermsSignature', { at: { ...nobody, ...at } });
  const email = 'signer@people.example';
  const begun = await walk.ok('beginEmailVerification', { token: user, body: { email } });
  await walk.no('beginEmailVerification', { token: user, body: { email: 'signer' } });
  const body = { code: await mailedCode(walk.api, email), nonce: begun['nonce'] ?? '' };
  await walk.ok('finishEmailVerification', { token: user, body });
  await walk.no('finishEmailVerification', { token: user, body: { ...body, nonce: NOBODY.id } });
  await walk.ok('listConsents', { at: { account_id } });
  await walk.no('listConsents', { at: nobody });
  type List = { consents: readonly { consent_id: string }[] };
  const { consents } = await walk.ok<List>('listOwnConsents', { token: user });
  const consent_id = consents.at(-1)?.consent_id ?? '';
  await walk.no('listOwnConsents', { token: null });
  await walk.no('revokeConsent', { at: { consent_id: NOBODY.id }, token: user });
  await walk.ok('revokeConsent', { at: { consent_id }, token: user });
  await walk.ok('listConsents', { at: { account_id } });
}
