// A first sale with nothing but fetch. The settings are what `npm start` prints, under these names.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`set ${name}`);
  return value;
}

const invoices = `${setting('INVOICING_URL')}/v2/invoice`;
const form = new URLSearchParams({
  grant_type: 'client_credentials',
  client_id: setting('CLIENT_ID'),
  client_secret: setting('CLIENT_SECRET'),
});
const granted = await fetch(`${setting('AUTH_URL')}/token`, { method: 'POST', body: form });
const { access_token } = (await granted.json()) as { access_token: string };

interface Invoice {
  invoice_id: string;
  state: string;
}

async function call(method: string, url: string, body?: object): Promise<Invoice> {
  const headers: Record<string, string> = { authorization: `Bearer ${access_token}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  // The same key with the same request gives the same answer, so it is safe to repeat.
  if (method === 'POST') headers['idempotency-key'] = randomUUID();
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(url, { method, headers, ...sent });
  const { codes, payload } = (await answer.json()) as { codes: string[]; payload: Invoice };
  if (!answer.ok) throw new Error(`${answer.status} ${codes.join()}`);
  return payload;
}

// Amounts are minor units: USD 25.00, of which the marketplace keeps 2.50.
const { invoice_id } = await call('POST', invoices, {
  account_id: setting('BUYER_ACCOUNT'),
  reference_type: 'order',
  reference_id: '1001',
  payment_methods: [{ payment_method_id: setting('BUYER_METHOD') }],
  line_items: [
    {
      amount: 2500,
      currency: 'USD',
      transaction_type: 'user_to_user',
      recipients: [
        {
          amount: 2250,
          currency: 'USD',
          fee_amount: 250,
          destination_wallet_id: setting('SELLER_WALLET'),
        },
      ],
    },
  ],
});
console.log(`invoice ${invoice_id}`);

// Paying answers at once; the outcome follows.
let { state } = await call('POST', `${invoices}/${invoice_id}/pay`);
while (state === 'processing') {
  await pause(200);
  ({ state } = await call('GET', `${invoices}/${invoice_id}`));
}
console.log(`state ${state}`);
