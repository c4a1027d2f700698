// The whole system in this process with its sandbox tenant connected to the Stripe-shaped server:
// cards are saved on that server's page, and its webhooks come in over HTTP.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { systemRandom as random } from '../../../src/core/random.ts';
import { tokensOf } from '../../../src/product/access/oauth/index.ts';
import { connectProvider, noticeUrl } from '../../../src/product/tenant/provider/index.ts';
import { fileKeys } from '../../../src/providers/keys/file.ts';
import { personToken } from '../person-token.ts';
import { startPlatform, type Platform } from '../platform.ts';
import type { Account } from './account.ts';
import type { Behaviour, Event } from './objects.ts';
import { openStripe, type StripeServer } from './server.ts';

/** What the system needs so that a silent server is not waited for long. */
export const QUICK = { settings: { HOLDFAST_PROCESSOR_TIMEOUT_MS: '1000' } };

export const SECRET_KEY = 'sk_test_wholesystem1';
const WEBHOOK_SECRET = 'whsec_wholesystem1';

/** A person with a saved card. */
export interface Payer {
  readonly account_id: string;
  readonly method: string;
}

export interface StripePlatform {
  readonly platform: Platform;
  readonly server: StripeServer;
  readonly account: Account;
  /** A new person whose card or account behaves so. */
  payer(does: Behaviour): Promise<Payer>;
  /** Connects the tenant to the account of a secret key, as an operator does. */
  connect(secret: string): Promise<void>;
  /** Sends a webhook; its status. */
  notify(event: Event, secret?: string): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the system, or takes one that was started, and connects it. */
export async function startWithStripe(started?: Platform): Promise<StripePlatform> {
  const server = await openStripe();
  const platform = started ?? (await startPlatform(QUICK));
  const { api, db, ready } = platform;
  const keys = await fileKeys(platform.keyFile);
  const [home] = await db.query<{ workspace: number }>(
    'select min(workspace) as workspace from client',
  );
  assert.ok(home);
  const connect = (secret_key: string): Promise<string> =>
    connectProvider(
      { db, keys, random },
      {
        ...{ workspace: home.workspace, kind: 'processor', provider: 'stripe', mode: 'test' },
        base_url: server.url,
        merchant: server.account(secret_key).id,
        credentials: {
          secret_key,
          webhook_secrets: [WEBHOOK_SECRET],
          pay_once: ['card', 'ideal'],
        },
      },
      'operator',
    );
  const id = await connect(SECRET_KEY);
  const notices = noticeUrl(ready.urls, 'processor', id);
  const tokens = await tokensOf({ env: 'staging', db, keys, random, urls: ready.urls });
  let people = 0;
  // The process follows within seconds; until then the simulator answers.
  while (server.calls.length === 0) {
    await db.execute('update statement_cursor set due = clock_timestamp()');
    await new Promise((later) => setTimeout(later, 100));
  }
  return {
    ...{ platform, server, account: server.account(SECRET_KEY) },
    connect: async (secret) => void (await connect(secret)),
    async payer(does) {
      const account_id = (await api.register(`stripe_${(people += 1)}`)).account_id;
      const client = { clientId: ready.client.client_id, integrator: ready.integrator };
      const scopes = ['read_payment_method', 'write_payment_method'];
      const session = { kind: 'session', accountId: account_id, scopes, seconds: 600 } as const;
      const token = await personToken({ db, tokens }, { client, ...session });
      await signTerms(platform, account_id);
      const path = '/v1/payment_method';
      const entry = { body: { kind: does.type === 'card' ? 'card' : 'bank' }, token };
      type Begun = { entry_id: string; url: string; framed: boolean };
      const begun = await api.must<Begun>(201, 'payments', 'POST', `${path}/entry`, entry);
      assert.equal(begun.framed, false);
      server.complete(SECRET_KEY, begun.url.split('/').at(-1) ?? '', does);
      const body = { entry_id: begun.entry_id };
      const made = await api.must<{ id: string }>(201, 'payments', 'POST', path, { body, token });
      return { account_id, method: made.id };
    },
    notify: (event, secret = WEBHOOK_SECRET) => notify(notices, event, secret),
    async stop() {
      await platform.stop();
      await server.close();
    },
  };
}

/** Sends an event as Stripe does; its status. */
export async function notify(url: string, event: Event, secret: string): Promise<number> {
  const body = JSON.stringify(event, null, 2);
  const time = Math.floor(Date.now() / 1_000);
  const mark = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': `t=${time},v1=${mark}`,
  };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

async function signTerms({ api }: Platform, account_id: string): Promise<void> {
  type Given = { token: { access_token: string } };
  const asked = { body: { account_id, return_token: true } };
  const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', asked);
  const signing = { body: {}, token: token.access_token };
  await api.must(200, 'accounts', 'POST', '/v1/user-info/tos/service', signing);
}
