// HTTP on its own thread: what comes whole and what is relayed, answers in order, callers that
// leave, how late the thread is, and the end of the process with it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_LIMITS, type Handler, type Listener } from '../../src/http/listener.ts';
import { linger } from '../../src/http/linger.ts';
import { HttpThread } from '../../src/http/thread/index.ts';

interface Opened {
  readonly port: number;
  readonly listener: Listener;
}

async function open(t: TestContext, handle: Handler): Promise<Opened> {
  const thread = new HttpThread();
  const listener = thread.listener(DEFAULT_LIMITS, { handle });
  t.after(async () => {
    await listener.close(1_000);
    await thread.end();
  });
  const port = await listener.listen(0, '127.0.0.1');
  return { port: port as number, listener };
}

/** Answers with what was read of the request. */
const echo: Handler = (request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const body = Buffer.concat(pieces).toString('base64');
    const { method, url, headers, socket } = request;
    const text = JSON.stringify({ method, url, headers, peer: socket.remoteAddress, body });
    response.writeHead(200, ['Content-Length', String(Buffer.byteLength(text))]);
    response.end(text);
  });
};

async function ask(port: number, path: string, body?: Buffer): Promise<Record<string, unknown>> {
  const sent = body === undefined ? {} : { method: 'POST', body: new Uint8Array(body) };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, sent);
  return (await answer.json()) as Record<string, unknown>;
}

test('a request arrives with every byte, method and peer, whole or relayed', async (t) => {
  const { port } = await open(t, echo);
  const every = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
  const long = Buffer.alloc(3_000_000, every);
  for (const path of ['/v1/thing?a=%20b', '/docs/']) {
    for (const body of [every, long]) {
      const got = await ask(port, path, body);
      assert.equal(got['body'], body.toString('base64'));
      assert.deepEqual([got['method'], got['url']], ['POST', path]);
      assert.equal(got['peer'], '127.0.0.1');
    }
    const got = await ask(port, path);
    assert.deepEqual([got['method'], got['url'], got['body']], ['GET', path, '']);
    assert.equal((got['headers'] as { host: string }).host, `127.0.0.1:${port}`);
  }
});

test('requests on one connection are answered in their order, relayed or not', async (t) => {
  const handle: Handler = (request, response) => {
    const wait = Number(/\d+$/.exec(request.url as string)?.[0]);
    setTimeout(() => {
      const text = `<${request.url}>`;
      response.writeHead(200, ['Content-Length', String(text.length)]);
      response.end(text);
    }, wait);
  };
  const { port } = await open(t, handle);
  const paths = ['/v1/90', '/docs/60', '/v1/1', '/docs/2', '/v2/0'];
  const socket = net.connect(port, '127.0.0.1');
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  let got = '';
  for await (const piece of socket) {
    got += String(piece);
    if (got.includes('</v2/0>')) break;
  }
  assert.deepEqual(got.match(/<[^>]*>/g), paths.map((path) => `<${path}>`));
});

test('an answer before the body is sent at once, and to nobody who left', async (t) => {
  let seen = 0;
  const { port } = await open(t, (request, response) => {
    seen += 1;
    response.writeHead(401, ['Content-Length', '2', 'Connection', 'close']);
    if (request.method === 'GET') return response.end('no');
    response.write('no');
    request.on('close', () => response.end());
    request.resume();
    return undefined;
  });
  const slow = http.request({ port, path: '/v1/thing', method: 'POST' });
  slow.setHeader('Content-Length', '10');
  slow.write('begun');
  const [answer] = (await once(slow, 'response')) as [http.IncomingMessage];
  assert.deepEqual([answer.statusCode, answer.headers.connection], [401, 'close']);
  slow.destroy();
  slow.on('error', () => {});
  const left = net.connect(port, '127.0.0.1', () => {
    left.write('POST /v1/thing HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nnot', () =>
      left.destroy(),
    );
  });
  await once(left, 'close');
  // Whoever comes after them is served.
  const next = await fetch(`http://127.0.0.1:${port}/v1/other`);
  assert.deepEqual([next.status, await next.text()], [401, 'no']);
  assert.ok(seen >= 2);
});

test('who reads only after sending for long still gets the answer', async (t) => {
  const { port } = await open(t, (request, response) => {
    response.writeHead(413, ['Content-Length', '2', 'Connection', 'close']);
    response.write('no');
    linger(request, response);
  });
  const socket = net.connect({ port, host: '127.0.0.1' });
  t.after(() => socket.destroy());
  socket.write('POST /v1/thing HTTP/1.1\r\nHost: x\r\nContent-Length: 40000000\r\n\r\n');
  for (let n = 0; n < 20; n += 1) socket.write(Buffer.alloc(1_000_000, 'x'));
  await sleep(1_500);
  // A connection that is closed with bytes unread is reset, and what was sent on it is gone.
  let answer = '';
  socket.on('data', (piece: Buffer) => (answer += piece.toString()));
  await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  assert.match(answer, /^HTTP\/1\.1 413 /);
});

test('a taken port is told, a drained connection closed, an answer waited for', async (t) => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<() => void>();
  const { port, listener } = await open(t, (_request, response) => {
    arrive(() => {
      response.writeHead(200, ['Content-Length', '0']);
      response.end();
    });
  });
  const thread = new HttpThread();
  t.after(() => thread.end());
  const second = thread.listener(DEFAULT_LIMITS, { handle: echo });
  assert.equal(await second.listen(port, '127.0.0.1'), null);
  const asked = fetch(`http://127.0.0.1:${port}/v1/slow`);
  const finish = await arrived;
  listener.drain();
  const closed = listener.close(5_000);
  setTimeout(finish, 50);
  const answer = await asked;
  assert.deepEqual([answer.status, answer.headers.get('connection')], [200, 'close']);
  await closed;
});

/** A program in which each HTTP thread runs `code`, with the address of its script as `SCRIPT`. */
function program(code: string, rest: string): ReturnType<typeof spawn> {
  const at = join(import.meta.dirname, '../../src/http/thread/index.ts');
  const text = `
    import worker from 'node:worker_threads';
    import { syncBuiltinESMExports } from 'node:module';
    const { Worker } = worker;
    worker.Worker = class extends Worker {
      constructor(script, options) {
        const head = 'const SCRIPT = ' + JSON.stringify(String(script)) + ';';
        super(head + ${JSON.stringify(code)}, { ...options, eval: true });
      }
    };
    syncBuiltinESMExports();
    const { HttpThread } = await import(${JSON.stringify(at)});
    const thread = new HttpThread();
    ${rest}`;
  return spawn(process.execPath, ['--input-type=module', '-e', text], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('the process ends with the thread', async () => {
  const code = 'setTimeout(() => { throw new Error("the thread broke") }, 10)';
  const child = program(code, 'setInterval(() => {}, 1000);');
  let told = '';
  child.stderr?.on('data', (piece: Buffer) => (told += piece.toString()));
  const [status] = (await once(child, 'exit')) as [number];
  assert.equal(status, 1);
  assert.match(told, /the thread broke/);
});

/** What a thread that runs such code tells of its lag, second after second. */
async function lagsOf(code: string): Promise<number[]> {
  const child = program(code, `
    const lags = [];
    for (let nth = 0; nth < 4; nth += 1) {
      lags.push(await thread.lag());
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    console.log(JSON.stringify(lags));
    process.exit();`);
  let told = '';
  child.stdout?.on('data', (piece: Buffer) => (told += piece.toString()));
  await once(child, 'close');
  return JSON.parse(told) as number[];
}

test('it tells how late it is, and is ever later while it does not tell', async () => {
  const busy = `import(SCRIPT); setInterval(() => {
    for (const end = performance.now() + 600; performance.now() < end; );
  }, 10)`;
  const [told, silent] = await Promise.all([lagsOf(busy), lagsOf('setInterval(() => {}, 1000)')]);
  assert.ok((told.at(-1) ?? 0) > 0.5, String(told));
  assert.ok(silent.every((lag, nth) => lag > 0.45 + 1.45 * nth), String(silent));
});
