// A stand-in for the platform, for testing the bench itself: serves the few operations the bench
// needs and writes each paid invoice into a table `invoice`, many per commit. Without ledger and
// checks, its figures say nothing about the platform.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Database } from '../src/db/index.ts';

const HOSTS = ['pii', 'invoicing', 'payments', 'auth', 'accounts'];
/** `FAKE_FAULT=unsettled` acknowledges some payments without storing them: checks must notice. */
const FAULT = process.env['FAKE_FAULT'] ?? '';

const db = new Database({ url: process.env['DATABASE_URL'] ?? '', max: 4 });

let waiting: { id: string; answer: () => void }[] = [];
let flying = 0;
let paid = 0;

async function flush(): Promise<void> {
  if (flying >= 2 || waiting.length === 0) return;
  const batch = waiting;
  waiting = [];
  flying += 1;
  await db.query({
    name: 'pay',
    text: `insert into invoice select 1, id, 'success' from unnest($1::uuid[]) as id`,
    values: [batch.map((entry) => entry.id)],
  });
  flying -= 1;
  for (const entry of batch) entry.answer();
  await flush();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function success(response: ServerResponse, status: number, payload: unknown): void {
  send(response, status, { status: 'Success', message: [], codes: [], payload });
}

function pay(id: string, response: ServerResponse): void {
  paid += 1;
  const answer = (): void => success(response, 200, { invoice_id: id, state: 'processing' });
  if (FAULT === 'unsettled' && paid % 100 === 0) return answer();
  waiting.push({ id, answer });
  void flush();
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? '';
  const [, first = '', second = '', id = '', verb = ''] = url.split('/');
  if (url === '/token') return send(response, 200, { access_token: randomUUID().repeat(12) });
  if (request.headers.authorization === undefined) return send(response, 401, {});
  if (url === '/register') {
    return success(response, 200, { account_id: `acct_${randomUUID().slice(0, 26)}` });
  }
  if (url === '/sandbox/deposits') return success(response, 201, {});
  if (first === 'v1') {
    const wallet = { wallet_id: randomUUID(), wallet_balance: '0' };
    const method = { id: randomUUID(), account_id: second, provider: 'wallet' };
    const list = [{ ...method, processing_currency: 'USD', provider_data: wallet }];
    return success(response, 200, list);
  }
  if (second !== 'invoice') return send(response, 404, { status: 'Failure' });
  if (verb === 'pay') return pay(id, response);
  if (id !== '') return success(response, 200, { invoice_id: id, state: 'success' });
  success(response, 201, { invoice_id: randomUUID(), state: 'open', filling: 'x'.repeat(1200) });
}

async function start(): Promise<void> {
  await db.query(
    `create table if not exists invoice
       (workspace integer, id uuid, state text, primary key (workspace, id))`,
  );
  const portBase = Number(process.argv[process.argv.indexOf('--port-base') + 1]);
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume();
    request.on('end', () => handle(request, response));
  });
  server.listen(portBase, '127.0.0.1', () => {
    const urls = Object.fromEntries(HOSTS.map((host) => [host, `http://127.0.0.1:${portBase}`]));
    const client = { client_id: 'fake', client_secret: 'fake' };
    process.stdout.write(`${JSON.stringify({ ready: true, env: 'staging', urls, client })}\n`);
  });
  process.once('SIGTERM', () => {
    server.closeAllConnections();
    server.close(() => void db.close().then(() => process.exit(0)));
  });
}

if (process.argv[2] === 'start') await start();
else await db.close();
