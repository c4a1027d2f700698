// HAProxy with the files of deploy/, one alone and both in a chain: however a client spells a host
// or a target, it reaches what is published and nothing else; its address arrives; and a proxy
// without a node that is ready gets no requests.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:http2';
import { BlockList, type AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { HOST_NAMES } from '../../src/core/operation.ts';
import { senders } from '../../src/http/client-address.ts';
import type { RunningHosts } from '../../src/http/hosts.ts';
import { startKit } from '../http/kit.ts';
import { freePort, startDirectory, startProxy, type Proxy } from '../kit/haproxy.ts';
import { until } from '../kit/until.ts';

/** Where proxies connect from, and whose word a node takes. */
const PROXIES = '127.0.0.1';
const UNPUBLISHED: readonly string[] = ['internal', 'processor', 'shop'];
const FIGURES = 'figures of the node';

let node: RunningHosts;
let own: Proxy;
let directory: Proxy;
const more: Proxy[] = [];
/** A node that answers each request with the client's address. */
let echo: Server;
before(async () => {
  node = await startKit({ proxy: { port: 0 }, metrics: async () => FIGURES });
  own = await startProxy([node.proxyPort ?? 0]);
  directory = await startDirectory([[own.port], [own.port]], '');
  const trusted = new BlockList();
  trusted.addAddress(PROXIES);
  const addressOf = senders(trusted);
  echo = createServer((request, response) => void response.end(addressOf(request)));
  await new Promise<void>((done) => echo.listen(0, PROXIES, done));
  await Promise.all([own.serving(), directory.serving()]);
});
after(async () => {
  await Promise.all([own, directory, ...more].map((proxy) => proxy?.stop()));
  await node?.stop();
  echo?.close();
  echo?.closeAllConnections();
});

const both = (): readonly (readonly [string, Proxy])[] => {
  return [['haproxy.cfg', own], ['directory.cfg', directory]];
};

async function started(proxy: Promise<Proxy>): Promise<Proxy> {
  more.push(await proxy);
  return proxy;
}

/** The status that these lines are answered with; never the figures. */
async function ask(proxy: Proxy, line: string, ...headers: string[]): Promise<string> {
  const text = await proxy.raw(`${[line, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  assert.doesNotMatch(text, new RegExp(FIGURES), `${line} ${headers.join()}`);
  return /^HTTP\/1\.\d (\d+)/.exec(text)?.[1] ?? text;
}

/** How a host can be spelled. */
function spellings(host: string): string[] {
  const names = [host, host.toUpperCase(), `${host}.example.com`, `${host}.EXAMPLE.com`];
  const dotted = [`${host[0]?.toUpperCase()}${host.slice(1)}.`, `${host}.example.com.`];
  const all = [...names, ...dotted];
  return [...all, ...all.map((name) => `${name}:443`), ...all.map((name) => `${name}:80`)];
}

/** A path that a node answers with 200 on this host, so that only the proxy refuses it. */
const answered = (host: string): string => (host === 'internal' ? '/healthz' : '/openapi.json');

test('what is not published is not reached, however it is spelled', async () => {
  const metrics = await fetch(`${node.urls.internal}/metrics`);
  assert.equal(await metrics.text(), FIGURES, 'there is something to be reached');
  const tries = UNPUBLISHED.flatMap((host) => {
    return ['/metrics', answered(host)].flatMap((path) => [
      ...spellings(host).map((name) => ['404', `GET ${path} HTTP/1.1`, `Host: ${name}`]),
      ...[host, `${host}.example.com`].flatMap((name) => {
        const whole = `GET http://${name}${path} HTTP`;
        const mixed = ['400', `${whole}/1.1`, 'Host: invoicing.example.com'];
        return [['404', `${whole}/1.1`, `Host: ${name}`], ['404', `${whole}/1.0`], mixed];
      }),
    ]);
  });
  for (const [file, proxy] of both()) {
    const seen = tries.map(async ([status, line = '', ...headers]) => {
      assert.equal(await ask(proxy, line, ...headers), status, `${file}: ${line} ${headers}`);
    });
    await Promise.all(seen);
  }
});

test('two hosts in one request do not mislead the proxy', async () => {
  const [inner, outer] = ['internal.example.com', 'invoicing.example.com'];
  for (const [file, proxy] of both()) {
    for (const path of ['/metrics', '/healthz']) {
      const line = `GET ${path} HTTP/1.1`;
      assert.equal(await ask(proxy, line, `Host: ${inner}`, `Host: ${outer}`), '400', file);
      assert.equal(await ask(proxy, line, `Host: ${outer}`, `Host: ${inner}`), '400', file);
      assert.equal(await ask(proxy, line, `Host: ${inner},${outer}`), '404', file);
      assert.equal(await ask(proxy, line, `Host: ${outer},${inner}`), '404', file);
      assert.equal(await ask(proxy, line), '404', `${file} without a host`);
      assert.equal(await ask(proxy, line, 'Host:'), '404', `${file} with an empty host`);
    }
  }
});

/** Status and body over HTTP/2, where two headers name a host. */
function askSecond(proxy: Proxy, authority: string, host?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const session = connect(`https://127.0.0.1:${proxy.port}`, { rejectUnauthorized: false });
    session.once('error', reject);
    const names = { ':authority': authority, ...(host === undefined ? {} : { host }) };
    const stream = session.request({ ...names, ':path': '/healthz' });
    let answer = '';
    stream.once('response', (headers) => (answer = `${headers[':status']} `));
    stream.setEncoding('utf8').on('data', (piece: string) => (answer += piece));
    stream.once('error', reject).once('end', () => {
      session.destroy();
      resolve(answer);
    });
    stream.end();
  });
}

test('nor does HTTP/2, by whichever header', async () => {
  const [inner, outer] = ['internal.example.com', 'invoicing.example.com'];
  for (const [file, proxy] of both()) {
    assert.match(await askSecond(proxy, inner), /^404 /, file);
    for (const pair of [[inner, outer], [outer, inner]] as const) {
      const answer = await askSecond(proxy, ...pair);
      assert.match(answer, /^40[04] /, `${file} ${pair.join()}`);
    }
  }
});

test('every other host is published, however it is spelled', async () => {
  const published = HOST_NAMES.filter((host) => !UNPUBLISHED.includes(host));
  assert.equal(published.length, HOST_NAMES.length - UNPUBLISHED.length);
  for (const [file, proxy] of both()) {
    for (const host of published) {
      const answer = await proxy.call({ host, path: '/openapi.json' });
      assert.equal(answer.status, 200, `${file}: ${host}`);
      assert.match(answer.headers['strict-transport-security'] ?? '', /^max-age=/);
    }
    for (const name of spellings('invoicing').filter((one) => /^\w+\./.test(one))) {
      const line = 'GET /openapi.json HTTP/1.1';
      assert.equal(await ask(proxy, line, `Host: ${name}`), '200', `${file}: ${name}`);
    }
  }
});

test('the address of a client arrives, whatever it claims, through one proxy or two', async () => {
  const { port } = echo.address() as AddressInfo;
  const inner = await started(startProxy([port], { inFront: PROXIES }));
  const outer = await started(startDirectory([[inner.port], [inner.port]], ''));
  const alone = await started(startProxy([port]));
  await Promise.all([inner, outer, alone].map((proxy) => proxy.serving()));
  for (const proxy of [alone, inner, outer]) {
    for (const from of ['127.0.0.2', '127.0.0.3']) {
      for (const claimed of [undefined, '198.51.100.1', '198.51.100.1, 127.0.0.1']) {
        const headers = claimed === undefined ? {} : { 'x-forwarded-for': claimed };
        const { text } = await proxy.call({ host: 'invoicing', path: '/', headers, from });
        assert.equal(text, from);
      }
    }
  }
  // As it stands the file takes nobody's word: not that of the address that tests call from either.
  const headers = { 'x-forwarded-for': '198.51.100.1' };
  const order = { host: 'invoicing', path: '/', headers, from: PROXIES };
  assert.notEqual((await alone.call(order)).text, '198.51.100.1');
});

test('a proxy without a node that is ready is sent nothing, and says so itself', async () => {
  const empty = await started(startProxy([await freePort()]));
  const chain = await started(startDirectory([[empty.port, own.port], [empty.port]], 'tenant 1\n'));
  await until('the checks have failed', () => /installation_1\/one is DOWN/.test(chain.log()));
  await until('the checks have failed', () => /installation_0\/one is DOWN/.test(chain.log()));
  assert.equal(await ask(own, 'GET /readyz HTTP/1.1', 'Host: invoicing.example.com'), '200');
  await until('its own check has failed', () => /nodes\/one is DOWN/.test(empty.log()));
  assert.equal(await ask(empty, 'GET /readyz HTTP/1.1', 'Host: invoicing.example.com'), '503');
  for (let n = 0; n < 10; n += 1) {
    assert.equal((await chain.call({ host: 'invoicing', path: '/openapi.json' })).status, 200);
  }
  assert.equal((await chain.call({ host: 'hosted', path: '/tenant/kyc' })).status, 503);
});
