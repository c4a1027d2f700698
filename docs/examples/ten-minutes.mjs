// The first ten minutes, after the paste: a sale and an escrow with their signed events and ledger
// entries; a processor that does not answer; a day that passes; a payout that is refused. Runs
// beside `npm start`, from the same folder, in a workspace of its own: yours stays as it is. Needs
// Node 20; installs nothing.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

// Finds the running sandbox: the newest file left by a start whose server answers.
const folder = process.argv[2] ?? '.holdfast/running';
const names = existsSync(folder) ? readdirSync(folder) : [];
const notes = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
notes.sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);

async function tokenFor({ urls }, { client_id, client_secret }) {
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const body = new URLSearchParams(form);
  const answer = await fetch(`${urls.auth}/token`, { method: 'POST', body }).catch(() => null);
  return answer?.ok ? await answer.json() : undefined;
}

let sandbox, token;
for (const note of notes) {
  sandbox = JSON.parse(readFileSync(note, 'utf8'));
  token = await tokenFor(sandbox, sandbox.client);
  if (token) break;
}
if (!token) {
  console.error('No sandbox runs here: `npm start` in this folder first, and leave it running.');
  process.exit(1);
}
const { urls, accounts } = sandbox;
const { buyer, seller } = accounts;

async function ask(method, url, body) {
  const headers = {
    authorization: `Bearer ${token.access_token}`,
    ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  const sent = body ? { method, headers, body: JSON.stringify(body) } : { method, headers };
  const text = await (await fetch(url, sent)).text();
  return text === '' ? { status: 'Success' } : JSON.parse(text);
}

async function call(method, url, body) {
  const { status, codes, message, payload } = await ask(method, url, body);
  if (status !== 'Success') throw new Error(`${method} ${url}: ${codes} ${message}`);
  return payload;
}

async function until(what, look) {
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    const found = await look();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`waited in vain for ${what}`);
}

const say = (step, text) => console.log(step.padEnd(10), text);
const { invoicing, payments } = urls;

// A workspace of its own, as the sandbox began: with equal ids, and its own clock and client.
// Whoever looks at yours meanwhile sees nothing of it.
const { worlds } = await call('GET', `${invoicing}/sandbox/worlds`);
const { snapshot_id } = worlds.find(({ current }) => current);
const fork = { name: 'Ten minutes', ...(snapshot_id && { snapshot_id }) };
const world = await call('POST', `${invoicing}/sandbox/worlds`, fork);
const yours = token;
token = await tokenFor(sandbox, world);

// Your server's side of events: keep the bytes, verify, then believe.
const events = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    events.push({ headers: request.headers, body });
    response.writeHead(204).end();
  });
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${server.address().port}/events`;
let endpoint;

function verified({ headers, body }) {
  const key = Buffer.from(endpoint.secret.slice('whsec_'.length), 'base64');
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(text).digest();
  return headers['webhook-signature'].split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

async function eventAbout(id, name) {
  const isIt = ({ body }) => body.includes(id) && JSON.parse(body).event_name === name;
  const event = await until(`${name} about ${id}`, () => events.find(isIt));
  say('event', `${name} ${verified(event) ? 'verified' : 'FORGED'}`);
}

async function walletOf(account) {
  const { balances } = await call('GET', `${urls.wallets}/balances/${account}`);
  return balances.USD.spendable.balance;
}

const mug = (payment_method_id) => ({
  account_id: buyer.account_id,
  reference_type: 'order',
  reference_id: randomUUID(),
  payment_methods: [{ payment_method_id }],
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
          destination_wallet_id: seller.wallet_id,
          fee_amount: 250,
        },
      ],
    },
  ],
});

async function sold(payment_method_id) {
  const { invoice_id } = await call('POST', `${invoicing}/v2/invoice`, mug(payment_method_id));
  await call('POST', `${invoicing}/v2/invoice/${invoice_id}/pay`);
  return invoice_id;
}

const stateOf = async (id) => (await call('GET', `${invoicing}/v2/invoice/${id}`)).state;
const ended = (id) =>
  until('the end of the payment', async () => {
    const state = await stateOf(id);
    return state === 'success' || state === 'failed' ? state : null;
  });

async function play() {
  endpoint = await call('POST', `${invoicing}/v1/webhook_endpoints`, { url });

  // Three minutes: pay, escrow, the event received and verified, commit, wallets, ledger entries.
  const before = await walletOf(seller.account_id);
  const sale = await sold(buyer.wallet_payment_method_id);
  say('pay', await ended(sale));
  await eventAbout(sale, 'invoice-completed');
  const held = await call('POST', `${invoicing}/v2/escrow`, mug(buyer.wallet_payment_method_id));
  say('escrow', (await call('POST', `${invoicing}/v2/escrow/${held.id}/pay`)).status);
  say('commit', (await call('POST', `${invoicing}/v2/escrow/${held.id}/commit`)).status);
  await eventAbout(held.id, 'escrow-transaction-update');
  say('wallet', `the seller has ${(await walletOf(seller.account_id)) - before} more`);
  const { timeline } = await call('GET', `${invoicing}/sandbox/explain/${sale}`);
  for (const { text } of timeline.filter(({ kind }) => kind === 'posting')) say('posting', text);

  // Five minutes: the processor times out, and the unknown outcome resolves to one charge.
  const card = { account_id: buyer.account_id, test_card: 'capture_timeout_after_effect' };
  const slow = await call('POST', `${invoicing}/sandbox/payment_methods`, card);
  const unknown = await sold(slow.id);
  say('timeout', await stateOf(unknown));
  await call('POST', `${invoicing}/sandbox/clock`, { until_idle: true });
  const story = await call('GET', `${invoicing}/sandbox/explain/${unknown}`);
  const asked = story.timeline.filter(({ kind }) => kind === 'exchange');
  const captures = asked.filter(({ operation }) => operation === 'capture');
  const took = captures.filter(({ book }) => book === 'captured').length;
  say('resolved', `${await ended(unknown)}, charges at the processor: ${took}`);

  // A day passes: the link has expired.
  const { redirect } = await call('POST', `${urls.auth}/authorize/user`, {
    account_id: buyer.account_id,
    flow: 'checkout',
  });
  const shown = async () => (await fetch(redirect, { redirect: 'manual' })).status;
  say('link', String(await shown()));
  await call('POST', `${invoicing}/sandbox/clock`, { advance_seconds: 86_400 });
  say('link', `${await shown()} a day later`);

  // Denied: the payout is refused, and the refusal names the rule.
  await call('PUT', `${urls.pii}/v2/kyc/account/${seller.account_id}/state`, { state: 'DENY' });
  const to = { account_id: seller.account_id, test_card: 'bank' };
  const bank = await call('POST', `${invoicing}/sandbox/payment_methods`, to);
  const methods = await call('GET', `${payments}/v1/${seller.account_id}/payment_methods`);
  const wallet = methods.find((one) => one.provider_data.wallet_id === seller.wallet_id);
  const wish = {
    source_payment_method_id: wallet.id,
    destination_payment_method_id: bank.id,
    currency: 'USD',
    amount: 1000,
  };
  const refused = await ask('POST', `${invoicing}/v2/${seller.account_id}/payout`, wish);
  say('payout', `${refused.codes[0]}: ${refused.message}`);
}

try {
  await play();
} finally {
  // Endpoint, people, money and time of that workspace end with it.
  token = yours;
  await call('DELETE', `${invoicing}/sandbox/worlds/${world.world_id}`);
  server.close();
  server.closeAllConnections();
}
