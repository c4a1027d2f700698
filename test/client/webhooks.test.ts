// Events from the real platform, verified by the client: HMAC and ed25519, and every reason to
// reject one.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createClient, verifyWebhook, WebhookError } from '../../client/index.ts';
import type { WebhookRequest } from '../../client/index.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { credentialsOf, eventReceiver } from './kit.ts';

const NOW = (): number => Math.floor(Date.now() / 1000);
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const BODY = JSON.stringify({ event_name: 'kyc-webhook', message: { state: 'ACCEPT' } });

function signed(over: { at?: number; secret?: string; body?: string } = {}): WebhookRequest {
  const { at = NOW(), secret = SECRET, body = BODY } = over;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', key).update(`evt.${at}.${body}`).digest('base64');
  const headers = {
    'Webhook-Id': 'evt',
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${mac}`,
  };
  return { secret, headers, body };
}

async function faultOf(request: WebhookRequest): Promise<string> {
  const error: unknown = await verifyWebhook(request).catch((one: unknown) => one);
  assert.ok(error instanceof WebhookError, String(error));
  return error.code;
}

describe('an event of the platform', () => {
  let platform: Platform;
  let receiver: Awaited<ReturnType<typeof eventReceiver>>;
  before(async () => {
    receiver = await eventReceiver();
    platform = await startPlatform({ forwardTo: receiver.url });
  });
  after(async () => {
    await platform.stop();
    receiver.close();
  });

  test('is accepted with its secret, and has the type of its name', async () => {
    const holdfast = createClient(credentialsOf(platform.ready));
    const { account_id } = await holdfast.accounts.registerAccount({ username: 'told' });
    const { headers, body } = await receiver.next('register-account-completed', account_id);
    const { secret } = platform.ready.webhook;
    const event = await verifyWebhook({ secret, headers, body });
    assert.equal(event.event_name, 'register-account-completed');
    if (event.event_name !== 'register-account-completed') return;
    assert.equal(event.message.account_id, account_id);
    assert.equal(event.event_id, headers['webhook-id']);
    const web = new Headers(headers as Record<string, string>);
    const text = body.toString();
    const other = { secret: [SECRET, secret], headers: web, body: text };
    assert.deepEqual(await verifyWebhook(other), event);
    const forged = text.replace(account_id, 'acct_00000000000000000000000000');
    assert.equal(await faultOf({ secret, headers, body: forged }), 'SIGNATURE_INVALID');
  });

  test('is accepted with the public key of an endpoint that signs by ed25519', async () => {
    const own = await eventReceiver();
    const holdfast = createClient(credentialsOf(platform.ready));
    const wish = { url: own.url, signing: 'v1a' } as const;
    const endpoint = await holdfast.invoicing.createWebhookEndpoint(wish);
    const { account_id } = await holdfast.accounts.registerAccount({ username: 'told too' });
    const { headers, body } = await own.next('register-account-completed', account_id);
    const request = { secret: endpoint.public_key, headers, body };
    assert.equal((await verifyWebhook(request)).event_name, 'register-account-completed');
    const other = `whpk_${randomBytes(32).toString('base64')}`;
    assert.equal(await faultOf({ ...request, secret: other }), 'SIGNATURE_INVALID');
    own.close();
  });
});

test('an event is accepted within the tolerance only', async () => {
  assert.equal((await verifyWebhook(signed())).event_name, 'kyc-webhook');
  assert.equal(await faultOf(signed({ at: NOW() - 301 })), 'TIMESTAMP_TOO_OLD');
  assert.equal(await faultOf(signed({ at: NOW() + 303 })), 'TIMESTAMP_TOO_NEW');
  const late = { ...signed({ at: NOW() - 500 }), toleranceSeconds: 600 };
  assert.equal((await verifyWebhook(late)).event_name, 'kyc-webhook');
});

test('each reason to reject an event has its code', async () => {
  const good = signed();
  const headers = good.headers as Record<string, string>;
  const without = { ...headers, 'Webhook-Id': undefined };
  assert.equal(await faultOf({ ...good, headers: without }), 'HEADERS_MISSING');
  const lists = Object.fromEntries(Object.entries(headers).map(([name, one]) => [name, [one]]));
  assert.equal((await verifyWebhook({ ...good, headers: lists })).event_name, 'kyc-webhook');
  const twice = { ...headers, 'Webhook-Id': ['evt', 'evt'] };
  assert.equal(await faultOf({ ...good, headers: twice }), 'HEADERS_MISSING');
  const unread = { ...headers, 'webhook-timestamp': 'now' };
  assert.equal(await faultOf({ ...good, headers: unread }), 'TIMESTAMP_INVALID');
  assert.equal(await faultOf({ ...good, secret: 'whsec_' }), 'SECRET_INVALID');
  assert.equal(await faultOf({ ...good, secret: 'whpk_AAAA' }), 'SECRET_INVALID');
  assert.equal(await faultOf({ ...good, secret: [] }), 'SIGNATURE_INVALID');
  assert.equal(await faultOf({ ...good, body: `${BODY} ` }), 'SIGNATURE_INVALID');
  for (const signature of ['v1,', 'v1', 'v2,AAAA', 'v1,***', ',', 'v1a,AAAA']) {
    const odd = { ...headers, 'webhook-signature': signature };
    assert.equal(await faultOf({ ...good, headers: odd }), 'SIGNATURE_INVALID', signature);
  }
  assert.equal(await faultOf(signed({ body: 'no' })), 'BODY_INVALID');
  assert.equal(await faultOf(signed({ body: '{}' })), 'BODY_INVALID');
});
