// The whole system in this process with its sandbox tenant connected to Stripe Identity of the
// Stripe-shaped server, whose webhooks come in over HTTP; and the same for a system that runs.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { systemRandom as random } from '../../../src/core/random.ts';
import { connectProvider, noticeUrl } from '../../../src/product/tenant/provider/index.ts';
import { fileKeys } from '../../../src/providers/keys/file.ts';
import { startPlatform, type Platform } from '../platform.ts';
import { identityOf, type IdentityBook } from './identity.ts';
import type { Event } from './objects.ts';
import { openStripe, type StripeServer } from './server.ts';

const SECRET_KEY = 'rk_test_wholesystem1';
const WEBHOOK_SECRET = 'whsec_identitysystem';

export interface StripeIdentity {
  readonly server: StripeServer;
  readonly book: IdentityBook;
  /** Every event of the account so far, in order. */
  readonly events: readonly Event[];
  /** Sends a webhook as Stripe does; its status. */
  notify(event: object, secret?: string): Promise<number>;
}

export interface IdentityPlatform extends StripeIdentity {
  readonly platform: Platform;
  stop(): Promise<void>;
}

export async function startWithStripeIdentity(): Promise<IdentityPlatform> {
  const platform = await startPlatform({ settings: { HOLDFAST_PROCESSOR_TIMEOUT_MS: '1000' } });
  const stripe = await connectStripeIdentity(platform);
  const stop = async (): Promise<void> => {
    await platform.stop();
    await stripe.server.close();
  };
  return { ...stripe, platform, stop };
}

/** Connects the sandbox tenant of a system; close the server once that has stopped. */
export async function connectStripeIdentity(platform: Platform): Promise<StripeIdentity> {
  const server = await openStripe();
  const { db, ready } = platform;
  const keys = await fileKeys(platform.keyFile);
  const [home] = await db.query<{ workspace: number }>(
    'select min(workspace) as workspace from client',
  );
  assert.ok(home);
  const id = await connectProvider(
    { db, keys, random },
    {
      ...{ workspace: home.workspace, kind: 'identity', provider: 'stripe', mode: 'test' },
      base_url: server.url,
      credentials: { secret_key: SECRET_KEY, webhook_secrets: [WEBHOOK_SECRET] },
    },
    'operator',
  );
  const account = server.account(SECRET_KEY);
  const notices = noticeUrl(ready.urls, 'identity', id);
  return {
    ...{ server, events: account.events, book: identityOf(account, server.url) },
    async notify(event, secret = WEBHOOK_SECRET) {
      const body = JSON.stringify(event, null, 2);
      const time = Math.floor(Date.now() / 1_000);
      const mark = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': `t=${time},v1=${mark}`,
      };
      return (await fetch(notices, { method: 'POST', headers, body })).status;
    },
  };
}
