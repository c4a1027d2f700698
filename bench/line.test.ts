// The generator's connection against a server that answers in awkward pieces.
import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import { Line, answerLength } from './line.ts';

const BODY = '{"payload":{"invoice_id":"i-1"}}';
const LENGTH = `HTTP/1.1 201 Created\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' +
  `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
const CLOSING = `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;

/** Serves the given pieces, one list per request, with a pause between pieces. */
async function serve(
  answers: readonly (readonly string[])[],
  work: (line: Line, sockets: () => number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let sockets = 0;
  const server = net.createServer((socket) => {
    sockets += 1;
    socket.on('error', () => {});
    socket.on('data', async () => {
      const pieces = answers[next] ?? [];
      next += 1;
      if (pieces.length === 0) socket.destroy();
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const line = new Line({ host: '127.0.0.1', port: address.port }, Buffer.alloc(4096));
  try {
    await work(line, () => sockets);
  } finally {
    line.close();
    server.close();
  }
}

function ask(line: Line): Promise<[number, string]> {
  return new Promise((resolve) => {
    line.send('GET / HTTP/1.1\r\n\r\n', (status, text) => resolve([status, text]));
  });
}

test('answers in one piece, in many, and in chunks are each read once and whole', async () => {
  const split = [LENGTH.slice(0, 10), LENGTH.slice(10, 45), LENGTH.slice(45, 60), LENGTH.slice(60)];
  const chunks = [CHUNKED.slice(0, 70), CHUNKED.slice(70, -3), CHUNKED.slice(-3)];
  await serve([[LENGTH], split, chunks, [LENGTH]], async (line, sockets) => {
    assert.deepEqual(await ask(line), [201, LENGTH]);
    assert.deepEqual(await ask(line), [201, LENGTH]);
    assert.deepEqual(await ask(line), [200, CHUNKED]);
    assert.deepEqual(await ask(line), [201, LENGTH]);
    assert.equal(sockets(), 1);
  });
});

test('a close after an answer costs the connection, a break loses the request', async () => {
  await serve([[CLOSING], [LENGTH], [], [LENGTH]], async (line, sockets) => {
    assert.deepEqual(await ask(line), [200, CLOSING]);
    assert.deepEqual(await ask(line), [201, LENGTH]);
    assert.deepEqual(await ask(line), [0, '']);
    assert.deepEqual(await ask(line), [201, LENGTH]);
    assert.equal(sockets(), 3);
  });
});

test("a Content-Length inside a body is not taken for the answer's", () => {
  const head = 'HTTP/1.1 204 No Content\r\nX: y\r\n\r\n';
  assert.equal(answerLength(`${head}ength: 900\r\n`), head.length);
  assert.equal(answerLength('HTTP/1.1 200 OK\r\nContent-Le'), 0);
});
