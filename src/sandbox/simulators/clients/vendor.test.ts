// The HTTP adapter: the vendor contract suite against the real simulator over loopback, every kind
// of network trouble read as `unknown`, and nothing sent beyond what is needed.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { checkFor, vendorContract } from '../../../providers/identity/identity-vendor.contract.ts';
import type { CheckOrder, CheckOutcome } from '../../../providers/identity/port.ts';
import { signedHeaders } from '../store/signing.ts';
import { vendorKey } from '../vendor/index.ts';
import { SIGNING } from '../vendor/notices.ts';
import { httpVendor, type HttpVendor } from './vendor.ts';
import { openBook, openHost, testKeys } from '../../../../test/kit/processor-host.ts';

const keyOf = (workspace: number): string => vendorKey(testKeys, workspace);

vendorContract('sandbox vendor over HTTP', async () => {
  const book = await openBook();
  const host = await openHost(book, async () => {});
  const vendor = httpVendor({ url: host.url, keyOf });
  return {
    vendor,
    workspaces: [7, 2_147_483_647],
    accepted: 'Example',
    denied: 'Specimen-Document-Expired',
    review: 'Specimen-Review',
    incomplete: 'specimen incomplete',
    pending: 'SPECIMEN-LATE',
    async decide(workspace, key) {
      assert.equal(await vendor.happen(workspace, key, 'accept'), 'done');
      assert.equal(await vendor.happen(workspace, key, 'accept'), 'refused');
    },
    async checks(workspace) {
      const text = 'select from vendor_check where workspace = $1';
      return (await host.db.query({ text, values: [workspace] })).length;
    },
    async close() {
      await vendor.close();
      await host.close();
      await book.drop();
    },
  };
});

const ORDER: CheckOrder = { ...checkFor(1, 'Example'), key: 'k-1' };
const SAID = { reasons: ['UNDERAGE'], rules: ['a:0'] };
const TRUTH = { state: 'denied', key: 'k-1', reference: 'r', ...SAID };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Calls a server that answers in one odd way; the result of each call. */
async function against<T = (CheckOutcome | boolean)[]>(
  handler: Handler,
  timeoutMs = 5_000,
  ask: (vendor: HttpVendor) => Promise<T> = askAll as (vendor: HttpVendor) => Promise<T>,
): Promise<T> {
  const server = createServer(handler);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const vendor = httpVendor({ url: `http://127.0.0.1:${port}`, keyOf, timeoutMs });
  try {
    return await ask(vendor);
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await vendor.close();
  }
}

function askAll(vendor: HttpVendor): Promise<(CheckOutcome | boolean)[]> {
  return Promise.all([vendor.begin(ORDER), vendor.retrieve(1, 'k-1'), vendor.forget(1, 'k-1')]);
}

function sends(status: number, body: string, headers: Record<string, string> = {}): Handler {
  return (request, response) => {
    request.resume();
    response.writeHead(status, headers);
    response.end(body);
  };
}

const NOTHING = [{ state: 'unknown' }, { state: 'unknown' }, false];
const json = (change: object): string => JSON.stringify({ ...TRUTH, ...change });

const ODD: Readonly<Record<string, Handler>> = {
  'a 400': sends(400, json({})),
  'a 401': sends(401, json({})),
  'a 404 that says absent': sends(404, json({ state: 'absent' })),
  'a 409': sends(409, json({})),
  'a 429': sends(429, json({})),
  'a 500': sends(500, json({})),
  'a 201': sends(201, json({})),
  'a redirect': sends(307, json({}), { location: '/v1/elsewhere' }),
  'no body': sends(200, ''),
  'a page': sends(200, '<html>accepted</html>'),
  'half a body': sends(200, json({}).slice(0, 40)),
  'a body too long': sends(200, json({ more: 'x'.repeat(70_000) })),
  'a key twice': sends(200, json({}).replace('{', '{"state":"accepted",')),
  'another key': sends(200, json({ key: 'k-2' })),
  'another state': sends(200, json({ state: 'perhaps' })),
  'no reference': sends(200, json({ reference: undefined })),
  'no reasons': sends(200, json({ reasons: undefined })),
  'odd rules': sends(200, json({ rules: ['age:yes'] })),
  'a reset': (_request, response) => response.destroy(),
};

for (const [name, handler] of Object.entries(ODD)) {
  test(`vendor: ${name} is unknown`, async () => {
    assert.deepEqual(await against(handler), NOTHING);
  });
}

test('a normal answer is understood, so the odd ones above are really odd', async () => {
  const { key: _key, ...read } = TRUTH;
  assert.deepEqual(await against(sends(200, json({}))), [read, read, false]);
  const unheard = json({ reasons: ['BAD_HAIR', 'UNDERAGE', 'WORSE'] });
  const [first] = await against(sends(200, unheard));
  assert.deepEqual(first, { ...read, reasons: ['NOT_VERIFIED', 'UNDERAGE'] });
});

test('only retrieving reports absence, and only an erasure reports itself done', async () => {
  const absent = await against(sends(200, json({ state: 'absent' })));
  assert.deepEqual(absent, [{ state: 'unknown' }, { state: 'absent' }, false]);
  const forgotten = await against(sends(200, json({ state: 'forgotten' })));
  assert.deepEqual(forgotten, [{ state: 'unknown' }, { state: 'unknown' }, true]);
});

test('silence is unknown after the time limit, also while a file is sent', async () => {
  assert.deepEqual(await against(() => {}, 150), NOTHING);
  const bytes = Buffer.alloc(12_000_000);
  const large = checkFor(1, 'Example', [{ role: 'front', mime: 'image/png', bytes }]);
  const neverReads: Handler = (request) => void request.pause();
  const outcome = await against(neverReads, 300, (vendor) => vendor.begin(large));
  assert.deepEqual(outcome, { state: 'unknown' });
});

test('a refused connection is unknown', async () => {
  const vendor = httpVendor({ url: 'http://127.0.0.1:9', keyOf });
  assert.deepEqual(await askAll(vendor), NOTHING);
  await vendor.close();
});

test('the request holds the check, its files as base64, and no other field', async () => {
  const chunks: Buffer[] = [];
  const handler: Handler = (request, response) => {
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.end(json({})));
  };
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7) % 256));
  const order = checkFor(1, 'Écrivain "O\'Neil"', [
    { role: 'front', mime: 'image/png', bytes },
    { role: 'extra', mime: 'application/pdf', bytes: Buffer.from('x') },
  ]);
  const person = { ...order.person, ssn: '000-00-0000' };
  await against(handler, 5_000, (vendor) => vendor.begin({ ...order, person }));
  assert.deepEqual(JSON.parse(Buffer.concat(chunks).toString('utf8')), {
    person: order.person,
    files: [
      { role: 'front', mime: 'image/png', content: bytes.toString('base64') },
      { role: 'extra', mime: 'application/pdf', content: 'eA==' },
    ],
  });
});

test('a webhook is accepted only if the vendor signed it, fresh, for that key', async () => {
  const vendor = httpVendor({ url: 'http://127.0.0.1:9', keyOf });
  const body = { notice_id: 'vntc_1', key: 'k-1', at: '2026-01-01' };
  const now = Math.floor(Date.now() / 1000);
  const signed = (seconds: number, workspace = 7, secret = keyOf(7)): Record<string, string> => ({
    ...signedHeaders(SIGNING, secret, seconds, 7, body),
    'vendor-world': String(workspace),
  });
  const read = { workspace: 7, id: 'vntc_1', key: 'k-1' };
  for (const at of [now, now - 290, now + 290]) {
    assert.deepEqual(vendor.readNotice(signed(at), body), read);
  }
  for (const at of [now - 310, now + 310]) assert.equal(vendor.readNotice(signed(at), body), null);
  assert.equal(vendor.readNotice(signed(now, 8), body), null);
  assert.equal(vendor.readNotice(signed(now, 7, keyOf(8)), body), null);
  assert.equal(vendor.readNotice({}, body), null);
  for (const change of [{ key: 'k-2' }, { notice_id: 'vntc_2' }, { key: 5 }]) {
    assert.equal(vendor.readNotice(signed(now), { ...body, ...change }), null);
  }
  assert.equal(vendor.readNotice(signed(now), null), null);
  await vendor.close();
});
