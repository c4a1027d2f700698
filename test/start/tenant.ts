// A newcomer's starting point: the seeded people, clock, endpoints and workspaces of a sandbox,
// read over its API for comparison.
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type ClientApi } from '../../client/index.ts';

type Name = 'buyer' | 'seller' | 'seller2';

/** The parts of the ready line that name the tenant. */
export interface ReadySandbox {
  readonly urls: Readonly<Record<string, string>>;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly accounts: Readonly<Record<Name, Readonly<Record<string, string>>>>;
}

/** The client of the tenant. */
export function clientOf({ urls, client }: ReadySandbox): ClientApi {
  return createClient({
    urls: { ...urls, auth: urls['auth'] ?? '' },
    clientId: client.client_id,
    clientSecret: client.client_secret,
  });
}

/** Spendable minor units of USD. */
export async function dollarsOf(api: ClientApi, account_id: string): Promise<number> {
  const { balances } = await api.wallets.getBalances({ account_id });
  return Number(balances['USD']?.spendable.balance);
}

/** Everything of the seeded tenant that a walk could spoil, but for the money that sales move. */
export async function tenantState(ready: ReadySandbox): Promise<Record<string, unknown>> {
  const api = clientOf(ready);
  const people: Record<string, unknown> = {};
  for (const [name, { account_id = '' }] of Object.entries(ready.accounts)) {
    const { state } = await api.pii.getKYCStatus({ account_id });
    const methods = await api.payments.listPaymentMethods({ account_id });
    people[name] = { state, methods: methods.map(({ id }) => id) };
  }
  const { offset_seconds, under_way } = await api.invoicing.sandboxClock();
  const { webhook_endpoints } = await api.invoicing.listWebhookEndpoints();
  const { worlds: workspaces } = await api.invoicing.sandboxListWorlds();
  const { scripts } = await api.invoicing.sandboxScripts();
  return {
    people,
    clock: { offset_seconds, under_way },
    // The endpoint of --forward-to stays, disabled, with what was delivered to it.
    endpoints: webhook_endpoints.flatMap(({ url, state }) => (state === 'enabled' ? [url] : [])),
    workspaces: workspaces.map(({ world_id }) => world_id),
    scripts: scripts.length,
  };
}

/** Sells a mug from the seeded seller to the seeded buyer, and waits until that has ended. */
export async function soldMug(ready: ReadySandbox): Promise<{ invoice_id: string; state: string }> {
  const { invoicing } = clientOf(ready);
  const { account_id = '', wallet_payment_method_id = '' } = ready.accounts.buyer;
  const { wallet_id: destination_wallet_id = '' } = ready.accounts.seller;
  const money = { amount: 2_500, currency: 'USD' };
  const recipients = [{ ...money, destination_wallet_id }];
  const { invoice_id } = await invoicing.createInvoice({
    account_id,
    payment_methods: [{ payment_method_id: wallet_payment_method_id }],
    line_items: [{ ...money, transaction_type: 'user_to_user', recipients }],
  });
  let { state } = await invoicing.payInvoice({ invoice_id });
  while (state === 'processing') {
    await pause(50);
    ({ state } = await invoicing.getInvoice({ invoice_id }));
  }
  return { invoice_id, state };
}
