// The processor's port is not the shape of one processor: the same contract holds for one that only
// accepts commands, tells later what became of them, and writes its statement by days.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { declareOnce } from '../../../src/providers/processor/once.contract.ts';
import { declarePayouts } from '../../../src/providers/processor/payout.contract.ts';
import {
  payment,
  processorContract,
  type ProcessorBench,
} from '../../../src/providers/processor/processor.contract.ts';
import { declareWaiting } from '../../../src/providers/waiting.contract.ts';
import { dayProcessor, macOf, type DayLine } from './adapter.ts';
import { Book, type Command } from './book.ts';

const WORKSPACES = [3, 4] as const;
const SECRET = 'a secret of the day';

interface Day {
  readonly books: ReadonlyMap<number, Book>;
  readonly server: Server;
  readonly url: string;
}

/** The processor over HTTP: `/{workspace}/…` in JSON, and the buyer's pages. */
async function openDay(): Promise<Day> {
  const books = new Map<number, Book>(WORKSPACES.map((workspace) => [workspace, new Book()]));
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const [, first = '', noun = '', id = ''] = (request.url ?? '').split('/');
    const say = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body, (_key, value) =>
        typeof value === 'bigint' ? String(value) : (value as unknown)));
    };
    if (first === 'buyer') {
      const { decision } = JSON.parse(text) as { decision: string };
      const decided = [...books.values()].some((book) => book.decide(noun, decision === 'confirm'));
      return say(decided ? 200 : 409, {});
    }
    const book = books.get(Number(first));
    if (book === undefined) return say(404, {});
    if (request.method === 'POST') {
      const command = JSON.parse(text) as Command;
      const unheld = command.verb === 'take' && !book.orders.has(command.key);
      const number = unheld ? null : book.accept(command);
      return number === null ? say(409, {}) : say(202, { number });
    }
    if (noun === 'days') return say(200, book.day(Number(id)));
    const found = (noun === 'orders' ? book.orders : book.sendings).get(id) ?? null;
    return say(200, { found, done: book.done });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { books, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function lineTo(url: string): DayLine {
  return {
    async post(workspace, command) {
      const sent = { method: 'POST', body: JSON.stringify(command) };
      const answer = await fetch(`${url}/${workspace}/commands`, sent);
      const body = (await answer.json()) as { number: number };
      return answer.status === 202 ? body : null;
    },
    async get<T>(workspace: number, path: string) {
      const answer = await fetch(`${url}/${workspace}${path}`);
      return answer.ok ? ((await answer.json()) as T) : null;
    },
  };
}

async function openBench(): Promise<ProcessorBench> {
  const { books, server, url } = await openDay();
  const bookOf = (workspace: number): Book => books.get(workspace) ?? new Book();
  const token = async (workspace: number, name: string) => bookOf(workspace).newToken(name);
  return {
    processor: dayProcessor(lineTo(url), url, SECRET),
    workspaces: WORKSPACES,
    goodCard: (workspace) => token(workspace, 'good'),
    declinedCard: async (workspace) => ({
      token: await token(workspace, 'poor'),
      code: 'insufficient_funds',
    }),
    captureDeclinedCard: async (workspace) => ({
      token: await token(workspace, 'brittle'),
      code: 'card_declined',
    }),
    challengedCard: (workspace) => token(workspace, 'asked'),
    async decide(page, decision) {
      const sent = { method: 'POST', body: JSON.stringify({ decision }) };
      return (await fetch(page, sent)).status;
    },
    bankAccount: (workspace) => token(workspace, 'bank'),
    payableAccount: (workspace) => token(workspace, 'bank'),
    happen: async (workspace, key, event) =>
      bookOf(workspace).happen(key, event) ? 'done' : 'refused',
    async effects(workspace, key) {
      const count = (what: string): number =>
        bookOf(workspace).rows.filter((row) => row.key === key && row.what === what).length;
      return { captures: count('taken'), refunds: count('refund'), payouts: count('payout') };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

processorContract('a processor by days', openBench, declareWaiting, declareOnce, declarePayouts);

test('what is only accepted is unknown, and a signed notice says when to look again', async () => {
  const { books, server, url } = await openDay();
  const [here] = WORKSPACES;
  const book = books.get(here) as Book;
  let stuck = true;
  const line = lineTo(url);
  const slow: DayLine = {
    ...line,
    get: async (workspace, path) => (stuck ? null : line.get(workspace, path)),
  };
  const processor = dayProcessor(slow, url, SECRET);
  const order = payment(here, book.newToken('good'));
  const told = new Promise<string>((tell) => (book.tell = tell));
  assert.deepEqual(await processor.authorize(order), { state: 'unknown' });
  const body = Buffer.from(JSON.stringify({ seq: '1', key: await told }));
  const headers = { 'x-day-mac': macOf(SECRET, body) };
  const notice = processor.readNotice({ headers, body }, here);
  assert.deepEqual(notice, { workspace: here, id: '1', key: order.key, about: 'charge' });
  for (const forged of [{}, { 'x-day-mac': macOf('another', body) }]) {
    assert.equal(processor.readNotice({ headers: forged, body }, here), null);
  }
  stuck = false;
  assert.equal((await processor.retrieve(order)).state, 'authorized');
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});
