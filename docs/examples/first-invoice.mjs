// A first sale, with nothing but fetch: reads the ready line, finds the seller's wallet, creates an
// invoice, pays it, and verifies its event. Needs Node 20; installs nothing.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const PORT = Number(process.argv[2] ?? 7420);

// 1. The ready line: base addresses, a client, two people.
const line = await new Promise((done) => createInterface(process.stdin).once('line', done));
const { urls, client, webhook, accounts } = JSON.parse(line);
const { buyer, seller } = accounts;

// 2. Your server's side of events: keep the bytes, answer 2XX, then process.
const events = [];
const receiver = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    events.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(204).end();
  });
});
await new Promise((done) => receiver.listen(PORT, '127.0.0.1', done));

// 3. A token, by the client credentials grant.
const form = new URLSearchParams({ grant_type: 'client_credentials', ...client });
const token = await (await fetch(`${urls.auth}/token`, { method: 'POST', body: form })).json();

async function call(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token.access_token}`,
      // The same key with the same request gives the same answer, so it is safe to repeat.
      ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { status, codes, message, payload } = await response.json();
  if (status !== 'Success') throw new Error(`${response.status} ${codes} ${message}`);
  return payload;
}

// 4. The rule for a seller's wallet: provider "wallet", in the currency of the sale.
async function walletOf(account, currency) {
  const methods = await call('GET', `${urls.payments}/v1/${account}/payment_methods`);
  const wallet = methods.find(
    (one) => one.provider === 'wallet' && one.processing_currency === currency,
  );
  return wallet.provider_data.wallet_id;
}

// 5. Create: USD 25.00, of which the marketplace keeps 2.50. Amounts are minor units.
const created = await call('POST', `${urls.invoicing}/v2/invoice`, {
  account_id: buyer.account_id,
  reference_type: 'order',
  reference_id: '1001',
  description: 'Ceramic mug',
  payment_methods: [{ payment_method_id: buyer.wallet_payment_method_id }],
  line_items: [
    {
      amount: 2500,
      currency: 'USD',
      transaction_type: 'user_to_user',
      product_sku: 'MUG-1',
      recipients: [
        {
          amount: 2250,
          currency: 'USD',
          destination_wallet_id: await walletOf(seller.account_id, 'USD'),
          fee_amount: 250,
        },
      ],
    },
  ],
});
console.log('created ', created.state, created.summary.display_amount);

// 6. Pay: the answer is the invoice as submitted; its outcome follows.
const address = `${urls.invoicing}/v2/invoice/${created.invoice_id}`;
console.log('paid    ', (await call('POST', `${address}/pay`)).state);

// 7. The event: verify the signature over the exact bytes before you believe them.
function verified({ headers, body }) {
  const id = headers['webhook-id'];
  const at = headers['webhook-timestamp'];
  if (Math.abs(Date.now() / 1000 - Number(at)) > 300) return false;
  const key = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest();
  return headers['webhook-signature'].split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

let event;
for (let tries = 0; tries < 500 && event === undefined; tries += 1) {
  event = events.find(({ body }) => body.includes(created.invoice_id));
  await new Promise((done) => setTimeout(done, 20));
}
const { event_name: name, message } = JSON.parse(event.body);
console.log('event   ', name, message.state, verified(event) ? 'verified' : 'FORGED');

// 8. The same, by reading it.
console.log('read    ', (await call('GET', address)).state);
receiver.close();
receiver.closeAllConnections();
process.stdin.destroy();
