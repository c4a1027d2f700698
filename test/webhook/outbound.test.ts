// The guard of outbound requests: every spelling of a non-public address, a hostile resolver, and
// the address that the socket really connects to. Only loopback sockets are opened.
import assert from 'node:assert/strict';
import { createServer as createPlain } from 'node:http';
import { createServer } from 'node:https';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { ANSWER_MAX, outboundHttp } from '../../src/providers/outbound/http.ts';
import { placeOf, targetObjection } from '../../src/providers/outbound/port.ts';
import type { OutboundEnv, OutboundResult } from '../../src/providers/outbound/port.ts';
import { selfSigned } from '../kit/certificate.ts';

/** Hosts that all mean an address that is not public. Loopback ones come first. */
const LOOPBACK_SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '127.255.255.254',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
];
const INSIDE_SPELLINGS = [
  '0',
  '0.0.0.0',
  '0x0',
  '10.0.0.1',
  '10.1',
  '0xa.1',
  '012.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.168.257',
  '3232235777',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[::8.8.8.8]',
  '[::ffff:8.8.8.8]',
];
const BROKEN = [
  'https://１２７.0.0.1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://169.254.169.254\\@example.com/',
  'https:example.com',
  '//example.com/',
  '/hook',
  '',
  'https://',
  'https://exa mple.com/',
  'https://example.com/\n',
  '\thttps://example.com/',
  'https://[::1/',
  'https://999.999.999.999/',
  'https://ex%00ample.com/',
  'https://[fe80::1%25eth0]/',
  `https://example.com/${'a'.repeat(2048)}`,
];
const ADDRESSES_TO_REFUSE = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '169.254.169.254',
  '172.20.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  'fd00::1',
  'fe80::1',
  'fe80::1%lo',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  '127.1',
  '0x7f.1',
  '8.8',
  'example.com',
  '',
  'nonsense',
];

const originalConnect = net.Socket.prototype.connect;
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  const spy = function (this: net.Socket, ...args: unknown[]): net.Socket {
    const first = (Array.isArray(args[0]) ? args[0][0] : args[0]) as { host?: string };
    const host = first.host ?? '';
    asked.push(host);
    if (host === '127.0.0.1') return Reflect.apply(originalConnect, this, args) as net.Socket;
    // A public address: it was judged fit, but a test does not leave the machine.
    queueMicrotask(() => this.destroy(Object.assign(new Error('x'), { code: 'ENETUNREACH' })));
    return this;
  };
  net.Socket.prototype.connect = spy as typeof originalConnect;
});
afterEach(() => {
  net.Socket.prototype.connect = originalConnect;
});

async function post(
  url: string,
  env: OutboundEnv,
  addresses: readonly string[] = [],
  timeoutMs = 1000,
): Promise<OutboundResult> {
  const outbound = outboundHttp({ env, resolve: async () => addresses, connectMs: 500 });
  try {
    return await outbound.post({ url, headers: {}, body: '{}', timeoutMs });
  } finally {
    await outbound.close();
  }
}

const reasonOf = (result: OutboundResult): string =>
  result.kind === 'failed' ? result.reason : String(result.status);

describe('addresses', () => {
  test('no spelling of a non-public address is stored or called', async () => {
    for (const host of INSIDE_SPELLINGS) {
      for (const env of ['staging', 'production'] as const) {
        assert.equal(targetObjection(`https://${host}/`, env), 'address', `${host} ${env}`);
        assert.equal(reasonOf(await post(`https://${host}/`, env)), 'target_address', host);
      }
    }
    for (const host of LOOPBACK_SPELLINGS) {
      const url = `https://${host}/`;
      assert.equal(targetObjection(url, 'production'), 'address', host);
      assert.equal(reasonOf(await post(url, 'production', ['127.0.0.1'])), 'target_address', host);
      assert.equal(targetObjection(`http://${host}:5000/`, 'staging'), null, host);
    }
    for (const url of BROKEN) assert.equal(targetObjection(url, 'staging'), 'malformed', url);
    assert.deepEqual(asked, []);
  });

  test('production takes https on 443 only; staging 80 and 8443 too, any on loopback', () => {
    const rows: [string, string | null, string | null][] = [
      ['https://example.com/', null, null],
      ['https://example.com:443/a?b=c', null, null],
      ['HTTPS://example.com', null, null],
      ['https://example.com:8443/', null, 'port'],
      ['http://example.com/', null, 'scheme'],
      ['http://example.com:8080/', 'port', 'scheme'],
      ['https://example.com:5432/', 'port', 'port'],
      ['ftp://example.com/', 'scheme', 'scheme'],
      ['file:///etc/passwd', 'scheme', 'scheme'],
      ['https://a:b@example.com/', 'credentials', 'credentials'],
      ['https://@example.com/', 'credentials', 'credentials'],
      ['https://example.com/#', 'fragment', 'fragment'],
      ['https://8.8.8.8/', null, null],
      ['https://[2606:4700::1111]/', null, null],
    ];
    for (const [url, staging, production] of rows) {
      assert.equal(targetObjection(url, 'staging'), staging, url);
      assert.equal(targetObjection(url, 'production'), production, url);
    }
  });

  test('a name that cannot exist is refused; names of an own network are for staging only', () => {
    const long = 'a'.repeat(63);
    const rows: [string, string | null, string | null][] = [
      ...['a..b', '.a.b', 'a.b..', `${long}a.com`, `${`${long}.`.repeat(4)}com`].map(
        (host): [string, string, string] => [host, 'host', 'host'],
      ),
      ...['-a.com', 'a-.com', 'a.-b.com', 'invalid', 'hooks.INVALID', 'a.invalid.', 'a$b.com'].map(
        (host): [string, string, string] => [host, 'host', 'host'],
      ),
      ...['hooks', 'hooks.test', 'a.local', 'b.internal', 'c.onion', 'd.home.arpa', 'local.'].map(
        (host): [string, null, string] => [host, null, 'host'],
      ),
      ...['a.123', 'a.0x1', '1.2.3.4.5'].map((host): [string, string, string] => [
        host,
        'malformed',
        'malformed',
      ]),
      ...['hooks.example', 'a_b.shop.com', 'a--b.com', 'xn--bcher-kva.com', `${long}.com.`].map(
        (host): [string, null, null] => [host, null, null],
      ),
    ];
    for (const [host, staging, production] of rows) {
      assert.equal(targetObjection(`https://${host}/`, 'staging'), staging, host);
      assert.equal(targetObjection(`https://${host}/`, 'production'), production, host);
    }
  });

  test('one bad address among those of a name refuses the name', async () => {
    for (const bad of ADDRESSES_TO_REFUSE) {
      for (const list of [[bad], ['8.8.8.8', bad], [bad, '8.8.8.8']]) {
        const result = await post('https://receiver.example/', 'production', list);
        assert.equal(reasonOf(result), 'target_address', list.join());
      }
    }
    assert.equal(
      reasonOf(await post('https://receiver.example/', 'staging', ['8.8.8.8', '::1'])),
      'target_address',
    );
    assert.equal(
      reasonOf(await post('https://receiver.example/', 'staging', ['10.0.0.1'])),
      'target_address',
    );
    assert.equal(
      reasonOf(await post('http://localhost:5000/', 'staging', ['8.8.8.8'])),
      'target_address',
    );
    assert.equal(
      reasonOf(await post('https://receiver.example/', 'staging', [])),
      'name_not_resolved',
    );
    assert.deepEqual(asked, []);
  });

  test('a resolver is asked once, and the checked address is used', async () => {
    let calls = 0;
    const answers = [['8.8.8.8'], ['127.0.0.1']];
    const outbound = outboundHttp({
      env: 'production',
      resolve: async () => answers[calls++] ?? ['10.0.0.1'],
    });
    const request = { url: 'https://rebind.example/', headers: {}, body: '', timeoutMs: 500 };
    assert.equal(reasonOf(await outbound.post(request)), 'unreachable');
    assert.deepEqual([calls, asked], [1, ['8.8.8.8']]);
    assert.equal(reasonOf(await outbound.post(request)), 'target_address');
    assert.deepEqual([calls, asked], [2, ['8.8.8.8']]);
    await outbound.close();
  });

  test('no random IPv4 or IPv6 address outside the public ranges counts as public', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(
        fc.constantFrom('10', '127', '169.254', '192.168', '0'),
        octet,
        octet,
        octet,
        (head, a, b, c) => {
          const v4 = [...head.split('.'), a, b, c].slice(0, 4).join('.');
          return (
            placeOf(v4) !== 'public' &&
            placeOf(`::ffff:${v4}`) !== 'public' &&
            placeOf(`64:ff9b::${v4}`) !== 'public' &&
            placeOf(`::${v4}`) !== 'public'
          );
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('requests', () => {
  test('reads no more than 4 kB of an endless answer, and waits for no slow one', async () => {
    const server = createPlain((request, response) => {
      response.writeHead(200);
      if (request.url === '/slow') return void response.write('a');
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const endless = await post(`${base}/endless`, 'staging');
    assert.equal(endless.kind === 'answered' && endless.bytes.length, ANSWER_MAX);
    const slow = await post(`${base}/slow`, 'staging', [], 5000);
    assert.equal(reasonOf(slow), '200');
    assert.ok(slow.ms < 3000);
    server.closeAllConnections();
    server.close();
    assert.equal(reasonOf(await post(base, 'staging')), 'connection_refused');
  });

  test('reports what went wrong in one word', async () => {
    const server = net.createServer((socket) => {
      socket.once('data', (data) => {
        const path = data.toString().split(' ')[1];
        if (path === '/reset') socket.resetAndDestroy();
        else if (path === '/garbage') socket.end('SSH-2.0\r\n\r\n');
        else if (path === '/headers') {
          socket.end(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(20_000)}\r\n\r\n`);
        }
      });
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    assert.equal(reasonOf(await post(`${base}/reset`, 'staging')), 'connection_reset');
    assert.equal(reasonOf(await post(`${base}/garbage`, 'staging')), 'protocol');
    assert.equal(reasonOf(await post(`${base}/headers`, 'staging')), 'protocol');
    assert.equal(reasonOf(await post(`${base}/hang`, 'staging', [], 100)), 'timeout');
    server.close();
  });

  test('a certificate is checked against the name, not the address', async () => {
    const { key, cert: ca } = selfSigned('localhost');
    const server = createServer({ key, cert: ca }, (_, response) => {
      response.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const ask = async (host: string, trusted: boolean): Promise<string> => {
      const outbound = outboundHttp({
        env: 'staging',
        resolve: async () => ['127.0.0.1'],
        ...(trusted ? { ca } : {}),
      });
      const url = `https://${host}:${port}/`;
      const result = await outbound.post({ url, headers: {}, body: '', timeoutMs: 2000 });
      await outbound.close();
      return reasonOf(result);
    };
    assert.equal(await ask('localhost', true), '200');
    assert.equal(await ask('localhost', false), 'tls');
    assert.equal(await ask('other.localhost', true), 'tls');
    assert.equal(await ask('127.0.0.1', true), 'tls');
    server.closeAllConnections();
    server.close();
  });
});
