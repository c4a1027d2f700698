// The HTTP adapter: the processor contract suite against the real sandbox processor over loopback,
// and every kind of network trouble read as `unknown`.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { declareOnce } from '../../../providers/processor/once.contract.ts';
import { declarePayouts } from '../../../providers/processor/payout.contract.ts';
import { processorContract } from '../../../providers/processor/processor.contract.ts';
import { declareDisputes } from '../../../providers/dispute.contract.ts';
import { declareWaiting } from '../../../providers/waiting.contract.ts';
import type {
  AnswerOrder,
  ChargeOrder,
  RawNotice,
  TransferOrder,
} from '../../../providers/processor/port.ts';
import type { HttpProcessor } from './processor.ts';
import { httpProcessor } from './processor.ts';
import { processorKey } from '../processor/index.ts';
import { SIGNING } from '../processor/notices.ts';
import { signedHeaders } from '../store/signing.ts';
import { readStatement } from '../processor/reports.ts';
import { openBook, openHost, testKeys } from '../../../../test/kit/processor-host.ts';

const keyOf = (workspace: number): string => processorKey(testKeys, workspace);

processorContract(
  'sandbox processor over HTTP',
  async () => {
    const book = await openBook();
    const host = await openHost(book, async () => {});
    const processor = httpProcessor({ url: host.url, keyOf });
    const card = async (workspace: number, name: string): Promise<string> =>
      (await processor.attachTestCard(workspace, name)).token;
    return {
      processor,
      workspaces: [7, 2_147_483_647],
      goodCard: (workspace) => card(workspace, 'visa'),
      challengedCard: (workspace) => card(workspace, 'three_d_secure'),
      async decide(url, decision) {
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ decision });
        return (await fetch(url, { method: 'POST', headers, body })).status;
      },
      bankAccount: (workspace) => card(workspace, 'bank'),
      payableAccount: (workspace) => card(workspace, 'bank_settled'),
      happen: processor.happen,
      declinedCard: async (workspace) => ({
        token: await card(workspace, 'insufficient_funds'),
        code: 'insufficient_funds',
      }),
      captureDeclinedCard: async (workspace) => ({
        token: await card(workspace, 'capture_declined'),
        code: 'card_declined',
      }),
      async effects(workspace, key) {
        const lines = (await readStatement(host.db, workspace, 0n)).filter(
          (line) => line.key === key,
        );
        const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
        return { captures: count('capture'), refunds: count('refund'), payouts: count('payout') };
      },
      async close() {
        await processor.close();
        await host.close();
        await book.drop();
      },
    };
  },
  declareWaiting,
  declareOnce,
  declarePayouts,
  declareDisputes,
);

const TRANSFER: TransferOrder = {
  workspace: 1,
  key: 'k-1',
  kind: 'refund',
  target: 'k-0',
  amount: 100n,
  currency: 'USD',
};
const ANSWER: AnswerOrder = {
  ...{ workspace: 1, key: 'k-1', reference: 'r', charge: 'k-0' },
  texts: [],
  files: [{ kind: 'receipt', mime: 'image/png', bytes: Buffer.alloc(200_000, 7) }],
};
const ORDER: ChargeOrder = { workspace: 1, key: 'k-1', token: 't', amount: 100n, currency: 'USD' };
const TRUTH = { state: 'captured', key: 'k-1', reference: 'r', amount: '100', currency: 'USD' };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Calls a server that answers in one odd way; the result of each operation. */
async function against(
  handler: Handler,
  timeoutMs = 5_000,
  ask: (processor: HttpProcessor) => Promise<object[]> = askAll,
): Promise<object[]> {
  const server = createServer(handler);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const processor = httpProcessor({ url: `http://127.0.0.1:${port}`, keyOf, timeoutMs });
  try {
    return await ask(processor);
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await processor.close();
  }
}

function askAll(processor: HttpProcessor): Promise<object[]> {
  const { authorize, capture, reverse, retrieve: look } = processor;
  return Promise.all([authorize(ORDER), capture(ORDER), reverse(ORDER), look(ORDER)]);
}

function sends(status: number, body: string, headers: Record<string, string> = {}): Handler {
  return (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

const UNKNOWN = Array.from({ length: 4 }, () => ({ state: 'unknown' }));
const json = (change: object): string => JSON.stringify({ ...TRUTH, ...change });

const ODD: Readonly<Record<string, Handler>> = {
  'a 400': sends(400, json({})),
  'a 401': sends(401, json({})),
  'a 404 that says absent': sends(404, json({ state: 'absent' })),
  'a 409': sends(409, json({})),
  'a 500': sends(500, json({})),
  'a 503': sends(503, ''),
  'a 201': sends(201, json({})),
  'a redirect': sends(307, json({}), { location: '/v1/elsewhere' }),
  'no body': sends(200, ''),
  'a page': sends(200, '<html>captured</html>'),
  'half a body': sends(200, json({}).slice(0, 40)),
  'a cut body': (_request, response) => {
    response.writeHead(200, { 'content-length': '500' });
    response.write(json({}), () => response.destroy());
  },
  'a body too long': sends(200, json({ more: 'x'.repeat(70_000) })),
  'a key twice': sends(200, json({}).replace('{', '{"state":"declined",')),
  'another key': sends(200, json({ key: 'k-2' })),
  'no key': sends(200, JSON.stringify({ state: 'absent' })),
  'another state': sends(200, json({ state: 'perhaps' })),
  'an amount as a number': sends(200, json({ amount: 100 })),
  'a negative amount': sends(200, json({ amount: '-100' })),
  'no amount': sends(200, json({ amount: undefined })),
  'an odd currency': sends(200, json({ currency: 'usd' })),
  'a decline without a code': sends(200, json({ state: 'declined' })),
  'a reset': (_request, response) => response.destroy(),
};

for (const [name, handler] of Object.entries(ODD)) {
  test(`${name} is unknown`, async () => {
    assert.deepEqual(await against(handler), UNKNOWN);
  });
}

test('a normal answer is understood, so the odd ones above are really odd', async () => {
  const { key: _key, ...rest } = TRUTH;
  const read = { ...rest, amount: 100n };
  assert.deepEqual(await against(sends(200, json({}))), [read, read, read, read]);
});

test('silence is unknown after the time limit, also in the middle of a body', async () => {
  assert.deepEqual(await against(() => {}, 150), UNKNOWN);
  const stalls: Handler = (_request, response) => {
    response.writeHead(200);
    response.write('{"state":');
  };
  assert.deepEqual(await against(stalls, 150), UNKNOWN);
});

test('too busy is unknown and says so', async () => {
  const busy = { state: 'unknown', busy: true };
  const seen = await against(sends(429, json({}), { 'retry-after': '1' }));
  assert.deepEqual(seen, [busy, busy, busy, busy]);
});

/** The same odd answer for the rest of the port. */
async function others(handler: Handler): Promise<unknown[]> {
  let seen: unknown[] = [];
  await against(
    handler,
    1_000,
    async ({ remit, retrieveTransfer: lookTransfer, statement, play, happen }) => {
      seen = await Promise.all([
        remit(TRANSFER),
        lookTransfer(TRANSFER),
        statement(1, null),
        play(1, 'declined', null),
        happen(1, 'k-1', 'settle'),
      ]);
      return [];
    },
  );
  return seen;
}

for (const [name, handler] of Object.entries(ODD)) {
  test(`${name} is unknown for an outbound transfer, and no statement`, async () => {
    const [sent, looked, lines] = await others(handler);
    assert.deepEqual([sent, looked, lines], [...UNKNOWN.slice(2), null]);
  });
}

for (const [name, handler] of Object.entries(ODD)) {
  test(`${name} is unknown for the answer to a dispute`, async () => {
    const ask = async ({ answerDispute, retrieveAnswer }: HttpProcessor) =>
      Promise.all([answerDispute(ANSWER), retrieveAnswer(ANSWER)]);
    assert.deepEqual(await against(handler, 1_000, ask), UNKNOWN.slice(2));
  });
}

test('an outbound transfer, a statement, a script and an event are read', async () => {
  const { key: _key, ...rest } = { ...TRUTH, state: 'paid', amount: 100n };
  const paid = await others(sends(200, json({ state: 'paid' })));
  assert.deepEqual(paid, [rest, rest, null, true, 'done']);
  const absent = await others(sends(200, json({ state: 'absent' })));
  assert.deepEqual(absent.slice(0, 2), [{ state: 'unknown' }, { state: 'absent' }]);
  assert.deepEqual((await others(sends(409, '{}'))).slice(3), [false, 'refused']);
  assert.deepEqual((await others(sends(503, '{}'))).slice(3), [false, null]);
  const told = { reason: null, due_by: null };
  const line = { ...TRUTH, ...told, state: undefined, line: '7', kind: 'payout', part: 1 };
  const page = (lines: object[]): Handler => sends(200, JSON.stringify({ lines }));
  const { state: _state, line: row, ...shown } = { ...line, amount: 100n };
  const first = { ...shown, row, fee: 0n, available_at: null };
  const one = { lines: [first], cursor: '7', more: false };
  assert.deepEqual((await others(page([line])))[2], one);
  const terms = { fee: '-30', available_at: '2030-01-02T00:00:00.000000Z' };
  const settled = { ...first, ...terms, fee: -30n };
  assert.deepEqual((await others(page([{ ...line, ...terms }])))[2], { ...one, lines: [settled] });
  const none = { lines: [], cursor: '0', more: false };
  assert.deepEqual((await others(page([])))[2], none);
  for (const odd of [{ line: '0' }, { line: 7 }, { kind: 'gift' }, { fee: '1.5' }, { part: 0 }]) {
    assert.equal((await others(page([{ ...line, ...odd }])))[2], null);
  }
  assert.equal((await others(page([line, line])))[2], null, 'lines ascend');
});

test('a webhook is accepted only if signed for the workspace and fresh', () => {
  const { readNotice: read, close } = httpProcessor({ url: 'http://127.0.0.1:1', keyOf });
  const readNotice = (headers: RawNotice['headers'], sent: unknown) => {
    return read({ headers, body: Buffer.from(JSON.stringify(sent) ?? '') }, null);
  };
  const body = { notice_id: 'ntc_5', key: 'k-1', about: 'charge', at: 'then' } as const;
  const now = Math.floor(Date.now() / 1000);
  const signed = (seconds: number, workspace = 7, told = body): Record<string, string> => ({
    ...signedHeaders(SIGNING, keyOf(7), seconds, 7, told),
    'processor-world': String(workspace),
  });
  const notice = { workspace: 7, id: 'ntc_5', key: 'k-1', about: 'charge' };
  assert.deepEqual(readNotice(signed(now), body), notice);
  assert.deepEqual(readNotice(signed(now - 295), { ...body, at: 'now' }), notice);
  for (const seconds of [now - 310, now + 310]) {
    assert.equal(readNotice(signed(seconds), body), null);
  }
  for (const odd of [{ key: 'k-2' }, { about: 'statement' }, { notice_id: 'ntc_6' }, { key: 5 }]) {
    assert.equal(readNotice(signed(now), { ...body, ...odd }), null, JSON.stringify(odd));
  }
  assert.equal(readNotice(signed(now, 8), body), null, 'another workspace');
  const { 'processor-signature': right = '', ...bare } = signed(now);
  for (const wrong of [undefined, '', [right], right.slice(0, -1), `${right}0`, ` ${right}`]) {
    assert.equal(readNotice({ ...bare, 'processor-signature': wrong }, body), null);
  }
  for (const workspace of [undefined, '', '07', '9999999999', 'x', ['7']]) {
    assert.equal(readNotice({ ...signed(now), 'processor-world': workspace }, body), null);
  }
  for (const none of [null, undefined, [], 'x', {}]) {
    assert.equal(readNotice(signed(now), none), null);
  }
  return close();
});

test('a processor that is not there is unknown', async () => {
  // Port 1 of loopback: nobody listens.
  const processor = httpProcessor({ url: 'http://127.0.0.1:1', keyOf, timeoutMs: 2_000 });
  assert.deepEqual(await askAll(processor), UNKNOWN);
  await assert.rejects(processor.attachTestCard(1, 'visa'));
  await processor.close();
});

test('absent is accepted only when retrieving', async () => {
  const outcomes = await against(sends(200, json({ state: 'absent' })));
  assert.deepEqual(outcomes, [...UNKNOWN.slice(1), { state: 'absent' }]);
});

test('a decline with an unknown reason is still a decline', async () => {
  const outcomes = await against(sends(200, json({ state: 'declined', code: 'R2D2' })));
  const declined = { state: 'declined', reference: 'r', code: 'generic_error' };
  assert.deepEqual(outcomes, [declined, declined, declined, declined]);
});

test("a challenge is accepted only with its page's URL", async () => {
  const url = 'https://bank.example/challenge/5?a=b';
  const read = { ...TRUTH, key: undefined, state: 'challenged', url, amount: 100n };
  const { key: _key, ...shown } = read;
  const seen = await against(sends(200, json({ state: 'challenged', url })));
  assert.deepEqual(seen, [shown, shown, shown, shown]);
  for (const odd of [undefined, '', 'javascript:alert(1)', 'bank', `${url}"`, `${url} `, 5]) {
    const said = sends(200, json({ state: 'challenged', url: odd }));
    assert.deepEqual(await against(said), UNKNOWN, String(odd));
  }
});

test("the workspace's secret is sent, and no URL holds a secret or token", async () => {
  const seen: string[] = [];
  await against((request, response) => {
    seen.push(request.url ?? '');
    assert.equal(request.headers.authorization, `Bearer ${keyOf(1)}`);
    response.end(json({}));
  });
  const at = '/v1/charges/k-1';
  assert.deepEqual(seen.sort(), [at, `${at}/authorize`, `${at}/capture`, `${at}/reverse`]);
});
