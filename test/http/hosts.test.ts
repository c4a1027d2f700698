// Where the hosts listen, how they are chosen behind a proxy, how they start and stop, and that
// production lacks what staging has.
import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { z } from 'zod';
import { hostOf } from '../../src/http/listeners.ts';
import { NO_LIMITS } from '../../src/http/limits.ts';
import { contractOf } from '../../src/http/openapi-contract.ts';
import { openapiDocument } from '../../src/http/openapi.ts';
import { HOST_NAMES } from '../../src/core/operation.ts';
import type { Answer, HostName, Operation } from '../../src/core/operation.ts';
import { strictObject } from '../../src/core/schema.ts';
import { kitOperations, logged, startKit } from './kit.ts';
import type { FailureBody } from './kit.ts';

const BASE = 10_100 + (process.pid % 500) * 40;

test('hosts have consecutive ports in order, and the shop another host name', async () => {
  const hosts = await startKit({ portBase: BASE });
  try {
    const first = Number(new URL(hosts.urls.pii).port);
    HOST_NAMES.forEach((name, at) => {
      const shown = name === 'shop' ? 'localhost' : '127.0.0.1';
      assert.equal(hosts.urls[name], `http://${shown}:${first + at}`);
    });
    for (const url of Object.values(hosts.urls)) {
      const answer = await fetch(`${url}/nothing`);
      assert.equal(answer.status, 404);
      assert.equal(((await answer.json()) as FailureBody).codes[0], 'NOT_FOUND');
      assert.equal((await fetch(`${url}/openapi.json`)).status, 200);
    }
  } finally {
    await hosts.stop();
  }
});

test('one taken port moves the whole block, and says so', async () => {
  const first = BASE + 12;
  const taken = net.createServer().listen(first + 5, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const hosts = await startKit({ portBase: first });
  try {
    const moved = Number(new URL(hosts.urls.pii).port);
    assert.ok(moved >= first + HOST_NAMES.length);
    assert.equal((moved - first) % HOST_NAMES.length, 0);
    assert.equal(Number(new URL(hosts.urls.internal).port), moved + HOST_NAMES.length - 1);
    assert.ok(logged.some((line) => line.includes(`listen from ${moved}`)));
    // Nothing of the block that was given up stays bound.
    const again = net.createServer().listen(first, '127.0.0.1');
    await new Promise((resolve, reject) => again.once('listening', resolve).once('error', reject));
    again.close();
  } finally {
    await hosts.stop();
    taken.close();
  }
});

test('a fixed block does not move: the start fails and names the taken port', async () => {
  const first = BASE + 24;
  const taken = net.createServer().listen(first + 5, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  await assert.rejects(
    startKit({ portBase: first, portBaseFixed: true }),
    new RegExp(`^Error: Port ${first + 5} is taken: [^\\n]+\\.$`),
  );
  taken.close();
  await new Promise((resolve) => taken.once('close', resolve));
  const hosts = await startKit({ portBase: first, portBaseFixed: true });
  assert.equal(hosts.urls.pii, `http://127.0.0.1:${first}`, 'nothing of the block stayed bound');
  await hosts.stop();
});

function getWithHost(port: number, host: string, path = '/v1/listed'): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port, path, headers: { host, authorization: 'Bearer good' } };
    const request = http.get(options, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    request.on('error', reject);
  });
}

test('one listener for all hosts chooses by the first label of the HostName header', async () => {
  const urls = Object.fromEntries(HOST_NAMES.map((n) => [n, `https://${n}.example`]));
  const hosts = await startKit({
    portBase: null,
    urls: urls as Record<HostName, string>,
    proxy: { port: 0 },
  });
  try {
    const port = hosts.proxyPort as number;
    assert.equal(hosts.urls.pii, 'https://pii.example');
    assert.equal(await getWithHost(port, 'invoicing.example'), 200);
    assert.equal(await getWithHost(port, 'INVOICING.example:443'), 200);
    assert.equal(await getWithHost(port, 'pii.example'), 404);
    assert.equal(await getWithHost(port, 'example'), 404);
    assert.equal(await getWithHost(port, 'constructor.example'), 404);
    // A whole address names the host, whatever the header says. (RFC 9112, section 3.2.2)
    const whole = 'HTTP://invoicing.example:443/v1/listed';
    assert.equal(await getWithHost(port, 'pii.example', whole), 200);
    assert.equal(await getWithHost(port, 'invoicing.example', 'http://pii.example/v1/listed'), 404);
  } finally {
    await hosts.stop();
  }
  assert.equal(hostOf('invoicing'), 'invoicing');
  assert.equal(hostOf('invoicing2.example'), null);
  assert.equal(hostOf(''), null);
});

test('behind one listener for all, `internal` answers health checks and nothing else', async () => {
  const hosts = await startKit({ proxy: { port: 0 }, metrics: async () => 'figures' });
  try {
    const own = await fetch(`${hosts.urls.internal}/metrics`);
    assert.equal(await own.text(), 'figures');
    const port = hosts.proxyPort as number;
    const names = ['internal', 'internal:443', 'INTERNAL', 'internal.example.com', 'Internal.'];
    for (const host of [...names, 'internal.example.com.:443', 'internal.x,invoicing.x']) {
      assert.equal(await getWithHost(port, host, '/readyz'), 200, host);
      assert.equal(await getWithHost(port, host, '/healthz'), 200, host);
      for (const path of ['/metrics', '//metrics', '/readyz/../metrics', '/metrics?/readyz']) {
        assert.equal(await getWithHost(port, host, path), 404, `${host} ${path}`);
      }
      assert.equal(await getWithHost(port, host, '/openapi.json'), 404, host);
    }
    for (const host of ['internal', 'invoicing.example']) {
      assert.equal(await getWithHost(port, host, 'http://internal/metrics'), 404, host);
    }
  } finally {
    await hosts.stop();
  }
});

test('stopping finishes what is under way, refuses the rest, and ends', async () => {
  const hosts = await startKit();
  const slow = fetch(`${hosts.urls.invoicing}/v1/slow`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const stopping = hosts.drain(100).then(() => hosts.stop());
  const ready = await fetch(`${hosts.urls.internal}/readyz`);
  assert.equal(ready.status, 503);
  assert.equal(ready.headers.get('connection'), 'close');
  assert.equal((await fetch(`${hosts.urls.internal}/healthz`)).status, 200);
  const finished = await slow;
  assert.deepEqual([finished.status, finished.headers.get('connection')], [200, 'close']);
  await stopping;
  await assert.rejects(fetch(`${hosts.urls.invoicing}/v1/slow`));
  await hosts.stop();
});

test('a kept connection is served until the drain ends, and is told to close', async () => {
  const hosts = await startKit();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = new URL(hosts.urls.internal);
  const ask = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = http.get({ agent, port, path, host: '127.0.0.1' }, (answer) => {
        answer.resume();
        const { connection, 'keep-alive': kept = '' } = answer.headers;
        const reused = request.reusedSocket ? 'reused' : '';
        const how = `${answer.statusCode} ${connection} ${kept}${reused}`;
        answer.once('end', () => resolve(how));
      });
      request.once('error', reject);
    });
  assert.equal(await ask('/readyz'), '200 keep-alive timeout=80', 'longer than those of proxies');
  let drained = false;
  const drain = hosts.drain(150).then(() => (drained = true));
  assert.equal(await ask('/readyz'), '503 close reused');
  assert.equal(await ask('/healthz'), '200 close ', 'new connections are taken still');
  assert.equal(await ask('/nothing'), '404 close ');
  assert.equal(drained, false);
  await drain;
  await hosts.stop();
  await assert.rejects(ask('/healthz'), { code: 'ECONNREFUSED' });
});

test('a stop does not wait for a request that never ends', async () => {
  const hosts = await startKit({ graceMs: 200 });
  const { port } = new URL(hosts.urls.invoicing);
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write('POST /v1/break HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
  socket.write('Content-Length: 50\r\n\r\n{');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const started = Date.now();
  await hosts.stop();
  assert.ok(Date.now() - started < 2_000);
});

test('a request whose caller hung up is waited for after a stop', async () => {
  const began = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  let ended = false;
  const run = async (): Promise<Answer> => {
    began.resolve();
    await goesOn.promise;
    ended = true;
    return { status: 200, payload: {} };
  };
  const slow = kitOperations.filter(({ id }) => id === 'slowThing');
  const hosts = await startKit({ operations: slow.map((one) => ({ ...one, run })) });
  const leaving = new AbortController();
  const call = fetch(`${hosts.urls.invoicing}/v1/slow`, { signal: leaving.signal });
  await began.promise;
  leaving.abort();
  await assert.rejects(call);
  await hosts.stop();
  const waited = hosts.ended().then(() => ended);
  setImmediate(goesOn.resolve);
  assert.equal(await waited, true);
});

test('above the concurrency limit: 503 with Retry-After, then as before', async () => {
  const hosts = await startKit({ callLimits: { ...NO_LIMITS, process: 3 } });
  try {
    const url = `${hosts.urls.invoicing}/v1/slow`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(url)));
    const statuses = answers.map((answer) => answer.status).sort();
    assert.deepEqual(statuses, [200, 200, 200, 503, 503, 503, 503, 503]);
    const refused = answers.find((answer) => answer.status === 503) as Response;
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal(((await refused.json()) as FailureBody).codes[0], 'OVERLOADED');
    assert.equal((await fetch(url)).status, 200);
  } finally {
    await hosts.stop();
  }
});

test('the last slots are for high-priority operations', async () => {
  const operations = kitOperations.flatMap((one) => {
    const begun = {
      ...one,
      id: 'finish',
      path: '/v1/finish',
      highPriority: true,
    } as Operation<null>;
    return one.id === 'slowThing' ? [one, begun] : [];
  });
  const hosts = await startKit({ operations, callLimits: { ...NO_LIMITS, process: 5 } });
  try {
    const ask = async (path: string, times: number): Promise<number[]> => {
      const url = hosts.urls.invoicing + path;
      const answers = await Promise.all(Array.from({ length: times }, () => fetch(url)));
      return answers.map(({ status }) => status).sort();
    };
    const first = ask('/v1/slow', 4);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const highPriority = ask('/v1/finish', 1);
    const late = ask('/v1/slow', 2);
    assert.deepEqual(await late, [503, 503]);
    assert.deepEqual(await first, [200, 200, 200, 200]);
    assert.deepEqual(await highPriority, [200]);
  } finally {
    await hosts.stop();
  }
});

test('hosts listen where configured, and internal only where configured separately', async () => {
  const everywhere = { hosts: '0.0.0.0', internal: '127.0.0.1' };
  const hosts = await startKit({ listen: everywhere, proxy: { port: 0 } });
  try {
    const shown = { pii: '127.0.0.1', shop: 'localhost', internal: '127.0.0.1' };
    for (const [name, hostname] of Object.entries(shown) as [HostName, string][]) {
      assert.equal(new URL(hosts.urls[name]).hostname, hostname);
      assert.equal((await fetch(`${hosts.urls[name]}/openapi.json`)).status, 200);
    }
    const port = hosts.proxyPort as number;
    assert.equal(await getWithHost(port, 'invoicing.example'), 200);
    assert.equal(await getWithHost(port, 'internal.example', '/healthz'), 404);
  } finally {
    await hosts.stop();
  }
});

test('pages count as concurrent requests, also after their readers have left', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const hosts = await startKit({
    callLimits: { ...NO_LIMITS, process: 2 },
    pages: { hosted: (app) => void app.get('/page', () => held.then(() => 'a page')) },
  });
  try {
    const url = `${hosts.urls.hosted}/page`;
    const gone = new AbortController();
    const readers = [0, 1].map(() => fetch(url, { signal: gone.signal }).catch(() => null));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const refused = await fetch(url);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
    gone.abort();
    await Promise.all(readers);
    await new Promise((resolve) => setTimeout(resolve, 100));
    release();
    const answers = await Promise.all([0, 1].map(() => fetch(url)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
  } finally {
    release();
    await hosts.stop();
  }
});

test('before the platform is ready, and if it fails, nothing is half open', async () => {
  const starting = startKit({
    platform: async (urls) => {
      const answer = await fetch(`${urls.invoicing}/v1/slow`);
      assert.equal(answer.status, 503);
      throw new Error(`stopped at ${urls.invoicing}`);
    },
  });
  const error = await starting.then(
    () => assert.fail('it started'),
    (reason: Error) => reason,
  );
  const url = error.message.slice('stopped at '.length);
  await assert.rejects(fetch(url));
});

test('staging-only operations do not exist in production', async () => {
  const operations = kitOperations.map((one) =>
    one.id === 'listed' ? ({ ...one, stagingOnly: true } as Operation<null>) : one,
  );
  for (const [env, status] of [
    ['staging', 200],
    ['production', 404],
  ] as const) {
    const hosts = await startKit({ env, operations });
    try {
      const headers = { authorization: 'Bearer good' };
      const url = hosts.urls.invoicing;
      assert.equal((await fetch(`${url}/v1/listed`, { headers })).status, status);
      const text = await (await fetch(`${url}/openapi.json`)).text();
      assert.equal(text.includes('/v1/listed'), env === 'staging');
    } finally {
      await hosts.stop();
    }
  }
});

test('an answer that its operation does not declare is a fault in tests', async () => {
  const nothing = strictObject({});
  const wrong: Operation<null> = {
    id: 'wrong',
    host: 'pii',
    method: 'GET',
    path: '/wrong',
    summary: 'Answers more than it says.',
    cites: 'test',
    access: 'public',
    params: nothing,
    query: nothing,
    body: null,
    answers: { 200: z.strictObject({ a: z.number() }) },
    refusals: [],
    run: async () => ({ status: 200, payload: { a: 1, b: 2 } }),
  };
  for (const [checkAnswers, status] of [
    [true, 500],
    [false, 200],
  ] as const) {
    const hosts = await startKit({ operations: [wrong], checkAnswers });
    assert.equal((await fetch(`${hosts.urls.pii}/wrong`)).status, status);
    await hosts.stop();
  }
});

test('the description names every operation, its scopes, refusals and version', () => {
  const urls = Object.fromEntries(HOST_NAMES.map((n) => [n, `https://${n}.example`]));
  const contract = contractOf(kitOperations as readonly Operation<never>[]);
  const all = urls as Record<HostName, string>;
  const document = openapiDocument('pii', kitOperations, contract, all);
  assert.equal(document['openapi'], '3.1.0');
  assert.equal((document['info'] as { version: string }).version, '1.0.0');
  const paths = document['paths'] as Record<string, Record<string, Record<string, unknown>>>;
  const create = paths['/v1/thing']?.['post'] as Record<string, unknown>;
  assert.deepEqual(create['security'], [{ client: ['write_things'] }, { bearer: [] }]);
  const statuses = Object.keys(create['responses'] as object);
  const declared = [201, 400, 401, 403, 413, 415, 421, 422, 429, 500, 503];
  assert.deepEqual(statuses.map(Number), declared);
  const read = paths['/v1/thing/{thing_id}']?.['get'] as { parameters: { $ref: string }[] };
  const { parameters: shared } = document['components'] as { parameters: Record<string, object> };
  const named = read.parameters.map(({ $ref }) => shared[$ref.split('/').at(-1) ?? '']);
  assert.deepEqual(
    named.map((one) => (one as { name: string } | undefined)?.name),
    ['thing_id', 'view'],
  );
});
