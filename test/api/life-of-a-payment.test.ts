// The page "The life of a payment" against a real call: the files on the call stack, across awaits
// and timers, when the rows of a wallet payment are made and sent, are the steps of the page.
import assert from 'node:assert/strict';
import { createHook, executionAsyncId } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { UnitOfWork } from '../../src/engine/unit-of-work.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { CHECKOUT } from '../start/launch.ts';

const MOST_STEPS = 9;
const PAGE = readFileSync(join(CHECKOUT, 'docs/life-of-a-payment.md'), 'utf8');
/** Where every traced call comes in: what else this process does meanwhile is left out. */
const DOOR = 'src/http/thread/index.ts';

const PAYMENT = 'src/product/money/invoice/payment.ts';
const CREATION = 'src/product/money/invoice/create.ts';

/** The steps of the page, and the files of its second table. */
const steps = [...PAGE.matchAll(/^\| \d+ \| `(src\/[^`]+)`/gm)].map(([, file]) => file as string);
const onTheWay = [...PAGE.matchAll(/^\| (`src\/.*`) \|/gm)].flatMap(([, files]) =>
  [...(files as string).matchAll(/`([^`]+)`/g)].map(([, file]) => file as string),
);

let platform: Platform;
before(async () => {
  platform = await startPlatform({ settings: { HOLDFAST_HTTP_THREAD: 'on' } });
});
after(() => platform?.stop());

/** A call stack; its text is made when it is read, which most are never. */
interface Stack {
  readonly stack?: string;
}

function stackHere(): Stack {
  const holder: Stack = {};
  Error.captureStackTrace(holder);
  return holder;
}

/** The files of our sources on a stack, the innermost first. */
function filesOn({ stack = '' }: Stack): string[] {
  const frames = stack.matchAll(/file:\/\/\S*?\/(src\/[^:]+):/g);
  return [...frames].map(([, file]) => file as string);
}

/** A method that makes or sends a row; a statement of the driver has a name. */
type Method = (...given: [{ readonly statement?: string }, ...unknown[]]) => unknown;

/** Follows `work` and gives the files on the way to each row that it makes or sends. */
async function traced(work: () => Promise<unknown>): Promise<string[]> {
  const made = new Map<number, { readonly by: Stack; readonly in: number }>();
  const spine = new Set<string>();
  const seen = (): void => {
    const files = filesOn(stackHere());
    for (let one = made.get(executionAsyncId()); one !== undefined; one = made.get(one.in)) {
      files.push(...filesOn(one.by));
    }
    if (files.includes(DOOR)) for (const file of files.toReversed()) spine.add(file);
  };
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const hook = createHook({
    init: (id) => void made.set(id, { by: stackHere(), in: executionAsyncId() }),
  });
  const undo = [
    watch(UnitOfWork.prototype, 'insert', seen),
    // The statements that write a batch are named w0, w1 and so on.
    watch(pg.Connection.prototype, 'bind', ({ statement = '' }) => {
      if (/^w\d+$/.test(statement)) seen();
    }),
  ];
  hook.enable();
  try {
    await work();
  } finally {
    hook.disable();
    for (const restore of undo) restore();
    Error.stackTraceLimit = stackTraceLimit;
  }
  return [...spine];
}

/** Calls `told` before each call of a method; gives the way to undo it. */
function watch(of: object, name: string, told: Method): () => void {
  const prototype = of as Record<string, Method>;
  const plain = prototype[name] as Method;
  prototype[name] = function (this: unknown, ...given) {
    told(...given);
    return plain.apply(this, given);
  };
  return () => void (prototype[name] = plain);
}

/** The files of our sources of which something was called while `work` ran. */
async function called(work: () => Promise<unknown>): Promise<Set<string>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const ran = result.filter(({ functions }) => functions.some((one) => one.ranges[0]?.count));
  return new Set(ran.map(({ url }) => url.replace(/^.*?\/(?=src\/)/, '')));
}

/** Creates an invoice that the buyer's wallet pays; gives its id. */
async function create(): Promise<string> {
  const { api, ready } = platform;
  const methods = [{ payment_method_id: ready.accounts.buyer.wallet_payment_method_id }];
  const body = api.sale(120, methods as Parameters<typeof api.sale>[1]);
  const path = '/v2/invoice';
  const invoice = await api.must<{ invoice_id: string }>(201, 'invoicing', 'POST', path, { body });
  return invoice.invoice_id;
}

function pay(id: string): Promise<unknown> {
  return platform.api.must(200, 'invoicing', 'POST', `/v2/invoice/${id}/pay`);
}

test('the page names each file on the way of a payment, in order, and no other', async () => {
  const id = await create();
  assert.deepEqual(await traced(() => pay(id)), steps);
});

test(`there are at most ${MOST_STEPS} of them`, () => {
  assert.ok(steps.length > 0 && steps.length <= MOST_STEPS, `${steps.length} steps`);
});

test('what the page says is called on the way is called', async () => {
  const id = await create();
  const files = await called(() => pay(id));
  assert.ok(onTheWay.length > 0);
  assert.deepEqual(onTheWay.filter((file) => !files.has(file)), []);
});

test('the trace of another call has a step of its own, and lacks that of a payment', async () => {
  const spine = await traced(create);
  assert.deepEqual(spine.filter((file) => !steps.includes(file)), [CREATION]);
  assert.deepEqual(steps.filter((file) => !spine.includes(file)), [PAYMENT]);
});
