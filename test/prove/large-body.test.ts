// Large bodies through a socket: 40 MB that nobody else feels, the same refusals as for small ones,
// one fingerprint per request, and a limited number of them in memory.
import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { fileWorkers } from '../../src/providers/files/inspector/index.ts';
import type { RunningHosts } from '../../src/http/hosts.ts';
import type { Caller, Operation } from '../../src/core/operation.ts';
import type { OffloadedText } from '../../src/core/offloaded-text.ts';
import { refuse } from '../../src/core/refusal.ts';
import { fileText, list, optional, strictObject, text } from '../../src/core/schema.ts';
import {
  fileRefusals,
  FURTHER_FILES_MAX_BYTES,
  IMAGE_MAX_BYTES,
} from '../../src/providers/files/port.ts';
import { dataUri, png, pngChunk } from '../kit/sample-files.ts';
import { raw, startKit } from '../http/kit.ts';
import type { FailureBody } from '../http/kit.ts';

const LIMIT = 40 * 1_048_576;
const workers = fileWorkers({ fault: (error) => assert.fail(String(error)) });

interface Submission {
  readonly name: string;
  readonly front?: string | OffloadedText;
  readonly extra?: readonly (string | OffloadedText)[];
}

/** What the last run was given, what runs now, and what lets it end. */
const runs = { now: 0, most: 0, fingerprint: '', held: null as Promise<void> | null };

async function run(request: {
  body: unknown;
  idempotency: { fingerprint: string } | null;
  bodyDone?: () => void;
}) {
  runs.fingerprint = request.idempotency?.fingerprint ?? '';
  runs.now += 1;
  runs.most = Math.max(runs.most, runs.now);
  const { name, front, extra = [] } = request.body as Submission;
  if (name === 'done with it') request.bodyDone?.();
  await runs.held;
  runs.now -= 1;
  if (front === undefined) return { status: 201, payload: { lengths: extra.map((e) => e.length) } };
  const source = { form: 'data-uri', text: front } as const;
  const wish = { kind: 'image', source, claims: [], maxBytes: IMAGE_MAX_BYTES } as const;
  const found = await workers.inspect(wish);
  if (!found.ok) throw refuse(fileRefusals[found.code], { front: 'is refused' });
  return { status: 201, payload: { mime: found.mime, size: found.size } };
}

const shape = {
  name: text(),
  front: optional(fileText(IMAGE_MAX_BYTES)),
  extra: optional(list(fileText(FURTHER_FILES_MAX_BYTES))),
};

function operation(id: string, more: Partial<Operation<null>>): Operation<null> {
  return {
    id,
    host: 'invoicing',
    method: 'POST',
    path: `/v1/${id}`,
    summary: 'Takes files.',
    cites: 'test',
    access: { client: 'write_things', user: 'write_thing' },
    params: strictObject({}),
    query: strictObject({}),
    body: strictObject(shape),
    bodyLimit: LIMIT,
    answers: { 201: z.unknown() },
    refusals: Object.values(fileRefusals),
    run: (_services, request) => run(request),
    ...more,
  };
}

const ping: Partial<Operation<null>> = {
  method: 'GET',
  access: 'public',
  body: null,
  answers: { 200: z.unknown() },
  run: async () => ({ status: 200, payload: {} }),
};
const operations = [
  operation('heavy', { heavy: true }),
  operation('plain', {}),
  operation('ping', ping),
];

/** A token is the name of its user. */
function callerOf(accountId: string): Caller {
  const scopes = new Set(['write_thing']);
  return { workspace: 1, integrator: 't', clientId: 'c', kind: 'user', accountId, scopes };
}

let hosts: RunningHosts;
let base = '';

function open(requestMs: number): Promise<RunningHosts> {
  return startKit({
    operations,
    platform: async () => ({
      services: null,
      verify: callerOf,
      secret: 's',
      ready: () => true,
      lift: workers.lift,
    }),
    limits: { requestMs },
  });
}

before(async () => {
  hosts = await open(30_000);
  base = hosts.urls.invoicing;
});
after(async () => {
  await hosts.stop();
  await workers.close();
});

interface Sending {
  readonly to?: string;
  readonly user?: string;
  readonly key?: string;
  readonly url?: string;
}

async function post(body: string | Buffer, sending: Sending = {}) {
  const { to = 'heavy', user = 'u', key, url = base } = sending;
  const headers: Record<string, string> = {
    authorization: `Bearer ${user}`,
    'content-type': 'application/json',
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  const answer = await fetch(`${url}/v1/${to}`, { method: 'POST', headers, body });
  return { status: answer.status, body: (await answer.json()) as FailureBody, answer };
}

function submission(more: Record<string, unknown>): string {
  return JSON.stringify({ name: 'n', ...more });
}

/** A picture of exactly so many bytes, most of which are stripped. */
function pictureOf(bytes: number): Buffer {
  const rest = bytes - png(10, 10).length - 12;
  return png(10, 10, [pngChunk('prVt', Buffer.alloc(rest, 'x'))]);
}

test('40 MB pass, one byte more is 413, declared or not', async () => {
  const file = 'A'.repeat(5_000_000);
  const frame = submission({ extra: [...Array(8).fill(file), ''] }).length;
  const full = submission({ extra: [...Array(8).fill(file), 'B'.repeat(LIMIT - frame)] });
  assert.equal(full.length, LIMIT);
  const fine = await post(full);
  assert.equal(fine.status, 201);
  const { lengths } = fine.body.payload as unknown as { lengths: number[] };
  assert.equal(
    lengths.reduce((sum, one) => sum + one),
    40_000_000 + LIMIT - frame,
  );
  const declared = await post(Buffer.alloc(41 * 1_048_576, ' '));
  assert.deepEqual([declared.status, declared.body.codes], [413, ['BODY_TOO_LARGE']]);
  const head = 'POST /v1/heavy HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer u\r\n';
  const type = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const chunk = `100000\r\n${' '.repeat(1_048_576)}\r\n`;
  const told = await raw(base, `${head}${type}${chunk.repeat(41)}0\r\n\r\n`, 10_000);
  assert.match(told, /^HTTP\/1\.1 413 [^]*BODY_TOO_LARGE/);
});

test('a picture of 3 MB is inspected; one byte more is too large', async () => {
  const send = (bytes: number, mime = 'img/png') =>
    post(submission({ front: dataUri(mime, pictureOf(bytes)) }));
  const fine = await send(IMAGE_MAX_BYTES);
  assert.deepEqual(fine.body.payload, { mime: 'image/png', size: png(10, 10).length });
  assert.deepEqual((await send(IMAGE_MAX_BYTES + 1)).body.codes, ['FILE_TOO_LARGE']);
  assert.deepEqual((await send(10_000, 'image/jpg')).body.codes, ['FILE_TYPE_MISMATCH']);
  const far = await send(IMAGE_MAX_BYTES + 100);
  assert.deepEqual(far.body.codes, ['INVALID_FIELD']);
  assert.match(far.body.payload.errors?.['front'] ?? '', /at most 3145728 bytes/);
});

test('refusals of the reader and of the schema are those of any body', async () => {
  const long = 'A'.repeat(9_000);
  const bodies = [
    `{"front":"${long}","name":"n","name":"m"}`,
    `{"front":"${long}","extra":${'['.repeat(32)}${']'.repeat(32)}}`,
    `{"front":"${long}\\ud800"}`,
    `{"front":"${long}","name":"\\u0000"}`,
    `{"front":"${long}","name":{"__proto__":1}}`,
    `{"front":"${long}"`,
    `{"front":"${long}","name":5}`,
    `{"front":"${long}","nam":"n"}`,
    `{"front":1.5,"name":"n"}`,
    '[]',
    '{}',
    '',
    'null',
  ];
  for (const body of bodies) {
    const [heavy, plain] = [await post(body), await post(body, { to: 'plain' })];
    assert.equal(heavy.status, 400, body.slice(-40));
    assert.deepEqual(heavy.body, plain.body, body.slice(-40));
  }
  const lengthy = await post(submission({ name: long }));
  assert.deepEqual(lengthy.body.payload.errors, { name: 'is too long' });
});

test('the fingerprint covers every file, whatever the spelling and order', async () => {
  const print = async (body: string) => {
    assert.equal((await post(body, { key: 'k' })).status, 201);
    return runs.fingerprint;
  };
  const [slashes, plus] = ['/'.repeat(90_000), `${'/'.repeat(89_999)}+`];
  const first = await print(submission({ extra: [slashes] }));
  assert.match(first, /^[\w-]{22}$/);
  const escaped = slashes.replaceAll('/', '\\/');
  assert.equal(await print(` {"extra": ["${escaped}"], "name":"\\u006e"}`), first);
  const others = [{ extra: [plus] }, { extra: [slashes, slashes] }, { extra: ['/'] }, {}];
  const prints = new Set([first]);
  for (const one of others) prints.add(await print(submission(one)));
  assert.equal(prints.size, 5);
});

test('four bodies are in memory; others wait, and finally get 503', async () => {
  let release = (): void => {};
  runs.held = new Promise((resolve) => (release = resolve));
  runs.most = 0;
  const send = (user: string) => post(submission({ extra: ['A'.repeat(9_000)] }), { user });
  const first = ['a', 'b', 'c', 'd'].map(send);
  const deadline = performance.now() + 5_000;
  while (runs.now < 4 && performance.now() < deadline) await sleep(10);
  const late = await send('e');
  assert.deepEqual([late.status, late.body.codes], [503, ['OVERLOADED']]);
  assert.equal(late.answer.headers.get('retry-after'), '5');
  const waiting = ['e', 'f', 'g', 'a', 'a'].map(send);
  await sleep(200);
  assert.equal(runs.now, 4);
  runs.held = null;
  release();
  const all = await Promise.all([...first, ...waiting]);
  assert.deepEqual(
    all.map(({ status }) => status),
    Array(9).fill(201),
  );
  assert.equal(runs.most, 4);
});

test('a finished body frees its slot before the answer, once', async () => {
  let release = (): void => {};
  runs.held = new Promise((resolve) => (release = resolve));
  const body = submission({ name: 'done with it', extra: ['A'.repeat(9_000)] });
  const all = Array.from({ length: 12 }, (_, n) => post(body, { user: `user${n}` }));
  const deadline = performance.now() + 5_000;
  while (runs.now < 12 && performance.now() < deadline) await sleep(10);
  assert.equal(runs.now, 12);
  runs.held = null;
  release();
  assert.deepEqual(
    (await Promise.all(all)).map(({ status }) => status),
    Array(12).fill(201),
  );
});

test('a slow or vanished sender holds one slot, and not for long', async () => {
  const hasty = await open(2_000);
  const url = hasty.urls.invoicing;
  const head = (user: string) =>
    `POST /v1/heavy HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n{"name"';
  const slow = Array.from({ length: 5 }, () => raw(url, head('slow'), 20_000));
  await Promise.all(['x', 'y', 'z'].map((user) => raw(url, head(user), 100)));
  assert.equal((await post(submission({}), { url })).status, 201);
  for (const told of await Promise.all(slow)) assert.match(told, /^HTTP\/1\.1 408 /);
  const again = ['slow', 'x', 'y', 'z'].map((user) => post(submission({}), { url, user }));
  assert.deepEqual(
    (await Promise.all(again)).map(({ status }) => status),
    Array(4).fill(201),
  );
  await hasty.stop();
});

/** Sends so many bodies of 40 MB from another thread, one after another. */
function sender(to: string, count: number): Promise<number> {
  const script = `
    const { workerData, parentPort } = require('node:worker_threads');
    const { url, count } = workerData;
    const file = 'A'.repeat(4_000_000);
    const body = Buffer.from(JSON.stringify({ name: 'n', extra: Array(10).fill(file) }));
    const headers = { authorization: 'Bearer s', 'content-type': 'application/json' };
    (async () => {
      let good = 0;
      for (let n = 0; n < count; n += 1) {
        const answer = await fetch(url, { method: 'POST', headers, body });
        await answer.text();
        if (answer.status === 201) good += 1;
      }
      parentPort.postMessage(good);
    })();`;
  const worker = new Worker(script, { eval: true, workerData: { url: `${base}/v1/${to}`, count } });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

const BODIES = 3;

/** Small requests while bodies are sent: the slowest of a hundred, and the longest stall, in ms. */
async function felt(to: string | null): Promise<{ p99: number; stall: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const times: number[] = [];
  let sending = to !== null;
  const sent = to === null ? null : sender(to, BODIES).finally(() => (sending = false));
  delay.enable();
  while (sending || times.length < 100) {
    const started = performance.now();
    await (await fetch(`${base}/v1/ping`)).text();
    times.push(performance.now() - started);
    await sleep(2);
  }
  delay.disable();
  assert.equal((await sent) ?? BODIES, BODIES);
  times.sort((a, b) => a - b);
  return { p99: times[Math.floor(times.length * 0.99)] as number, stall: delay.max / 1e6 };
}

test('40 MB do not block the event loop as a body parsed on it would', async () => {
  const stories: string[] = [];
  // What else the machine does makes a round worse, never better: one good round is proof.
  for (let round = 0; round < 4; round += 1) {
    const [none, heavy, plain] = [await felt(null), await felt('heavy'), await felt('plain')];
    stories.push(JSON.stringify({ none, heavy, plain }));
    const light = heavy.stall < plain.stall / 3 && heavy.p99 < Math.max(20, none.p99 * 4);
    if (light) return;
  }
  assert.fail(stories.join('\n'));
});
