// A file that breaks off after its answer has begun: its reader sees that it is not whole, and the
// log says why. One who hangs up is no fault.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import fastify from 'fastify';
import { NO_OBSERVER } from '../concurrency/observer.ts';
import { Limits, NO_LIMITS } from './limits.ts';
import type { LogEntry } from './log.ts';
import { guardPages } from './pages.ts';

const app = fastify({ logger: false });
const written: LogEntry[] = [];
let url = '';
let ended = false;

async function* rows(most: number): AsyncGenerator<string> {
  try {
    for (let row = 0; row < most; row += 1) yield `${row}${' '.repeat(1_000)}\n`;
    throw Object.assign(new Error('out of time'), { code: '57014' });
  } finally {
    ended = true;
  }
}

before(async () => {
  const limits = new Limits(NO_LIMITS, () => 'somewhere', () => performance.now());
  const log = { requests: false, write: (entry: LogEntry) => void written.push(entry) };
  guardPages(app, 'console', { limits, observer: NO_OBSERVER, log }, () => assert.fail());
  app.get('/:most', ({ params }, reply) => {
    const { most } = params as { readonly most: string };
    return reply.send(Readable.from(rows(Number(most))));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
after(() => app.close());

async function opened(most: number): Promise<IncomingMessage> {
  const [answer] = (await once(get(`${url}/${most}`), 'response')) as [IncomingMessage];
  return answer;
}

test('one who hangs up ends the file, and is no fault', async () => {
  const answer = await opened(1_000_000);
  await once(answer, 'data');
  answer.destroy();
  while (!ended) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(written, []);
});

test('a file that breaks off is not taken for whole, and is logged once', async () => {
  const answer = await opened(3);
  await assert.rejects(text(answer), /aborted/);
  assert.equal(answer.complete, false);
  const [fault, ...more] = written;
  assert.deepEqual(more, []);
  const reference = answer.headers['x-request-id'];
  const { frames, ...said } = fault as LogEntry & { frames: readonly string[] };
  assert.deepEqual(said, {
    ...{ event: 'fault', reference, host: 'console', operation: 'page' },
    ...{ error: 'Error', code: '57014', message: null },
  });
  assert.match(frames.join(), /rows/);
});
