// Tokens of a client and of a person, and links that a person's browser opens.
import { SESSION_SCOPES } from '../../../src/product/access/oauth/index.ts';
import type { Walk } from '../walk.ts';
import { NOBODY, type Made } from './cast.ts';

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

export async function tokens(walk: Walk): Promise<void> {
  walk.chapter('01-tokens');
  const { client_id, client_secret } = walk.ready.client;
  const own = { client_id, client_secret };
  const token = null;
  const grant_type = 'client_credentials';
  const query = { surprise: 1 };
  await walk.ok('getAuthorizationServerMetadata', { token });
  await walk.no('getAuthorizationServerMetadata', { token, query });
  await walk.ok('getKeys', { token });
  await walk.no('getKeys', { token, query });
  const scope = 'read_events read_wallets';
  const given = await walk.ok('createToken', { token, form: { grant_type, ...own, scope } });
  const access = given['access_token'] ?? '';
  const wrong = { ...own, client_secret: 'wrong' };
  await walk.no('createToken', { token, form: { grant_type, ...wrong } });
  await walk.no('createToken', { token, form: { grant_type, ...own, scope: 'everything' } });
  await walk.no('createToken', { token, form: { grant_type: 'password', ...own } });
  await walk.no('createToken', { token, form: own });
  await walk.ok('introspectToken', { token, form: { token: access, ...own } });
  await walk.ok('introspectToken', { token, form: { token: 'nothing', ...own } });
  await walk.no('introspectToken', { token, form: { token: access, ...wrong } });
  await walk.no('introspectToken', { token, form: own });
  await walk.no('listDisputes', { token: access });
  await walk.ok('revokeToken', { token, form: { token: access, ...own } });
  await walk.no('revokeToken', { token, form: { token: access, ...wrong } });
  await walk.no('revokeToken', { token, form: own });
  await walk.no('listEvents', { token: access });
  await person(walk, own);
}

/** A person's tokens, of which one is renewed. */
async function person(walk: Walk, own: Record<string, string>): Promise<void> {
  const { account_id } = walk.ready.accounts.seller2;
  const body = { account_id, return_token: true };
  const { token: pair } = await walk.ok<{ token: Pair }>('authorizeUser', { body });
  const renewal = { grant_type: 'refresh_token', refresh_token: pair.refresh_token, ...own };
  await walk.ok('introspectToken', { token: null, form: { token: pair.access_token, ...own } });
  await walk.ok('createToken', { token: null, form: renewal });
  await walk.no('createToken', { token: null, form: renewal });
  await walk.no('authorizeUser', { body: { ...body, account_id: NOBODY.account } });
  await walk.no('authorizeUser', { body: { ...body, scopes: ['everything'] } });
  await walk.no('authorizeUser', { body: {} });
  await walk.no('authorizeUser', { body, token: null });
}

/** Links, and the sessions that a browser opens with them. */
export async function links(walk: Walk): Promise<void> {
  walk.chapter('02-links');
  for (const [mechanism, open, end] of [
    ['widget', 'openSession', 'endSession'],
    ['service_hosted', 'openHostedSession', 'endHostedSession'],
  ] as const) {
    const named = { body: { username: `opens ${mechanism}` } };
    const { account_id } = await walk.ok<Made>('registerAccount', named);
    const body = { account_id, mechanism, flow: 'kyc', scopes: SESSION_SCOPES };
    const link = await walk.ok('authorizeUser', { body });
    const at = { nonce_auth_id: link['nonce_auth_id'] ?? '' };
    const nonce = new URL(link['redirect'] ?? '').pathname.split('/').at(-1) ?? '';
    walk.names.fix(nonce, `${mechanism}-nonce`);
    await walk.ok('getLinkStatus', { at });
    const token = null;
    await walk.no(open, { token, body: { nonce, flow: 'tos' } });
    type Opened = { resume: string; access_token: string; to_agree: { terms: object } | null };
    const first = await walk.ok<Opened>(open, { token, body: { nonce, flow: 'kyc' } });
    const { resume } = first;
    const stale = { terms_version: 9, consent: true };
    await walk.no(open, { token, body: { nonce, resume, agree: stale } });
    const agree = { terms_version: 1, consent: true };
    const session = await walk.ok<Opened>(open, { token, body: { nonce, resume, agree } });
    await walk.no(open, { token, body: { nonce } });
    await walk.no(open, { token, body: { nonce: NOBODY.nonce } });
    await walk.ok('getLinkStatus', { at });
    await walk.ok('listOwnConsents', { token: session.access_token });
    await walk.ok(end, { token, body: { nonce, access_token: session.access_token } });
    await walk.no('listOwnConsents', { token: session.access_token });
    await walk.no(end, { token, body: {} });
  }
  await walk.no('getLinkStatus', { at: { nonce_auth_id: NOBODY.id } });
}
