// The examples of docs/escrow.md run as they stand, with the ids of a real sale, and do what the
// page says, by the API and by the clock.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { clockOf } from '../api/clocks.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { CHECKOUT } from '../start/launch.ts';

const DAY = 86_400;
const PAGE = readFileSync(join(CHECKOUT, 'docs/escrow.md'), 'utf8');

/** A request as the page has it: a line with method and path, then its body. */
interface Example {
  readonly route: string;
  readonly body: string;
}
const BLOCKS = [...PAGE.matchAll(/^```text\n([^]*?)\n```$/gm)].map(([, block = '']) => block);
const EXAMPLES = BLOCKS.join('\n\n').split(/\n\n(?=[A-Z]+ \/)/).map((text): Example => {
  const [route = '', ...lines] = text.split('\n');
  return { route, body: lines.join('\n') };
});
const done = new Set<Example>();

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

/** The examples of an operation, in their order. */
const of = (name: string): Example[] => {
  const found = EXAMPLES.filter(({ route }) => route.endsWith(name));
  assert.notEqual(found.length, 0, name);
  return found;
};

type Values = Readonly<Record<string, string>>;

/** Sends an example with these values for the names in braces and angle brackets. */
async function run<T>(
  example: Example | undefined,
  status: number,
  values: Values = {},
): Promise<T> {
  assert.ok(example !== undefined);
  const { buyer, seller } = platform.ready.accounts;
  const { now } = await clockOf(platform.api).read();
  const date = new Date(Date.parse(now) + 30 * DAY * 1_000).toISOString().replace('Z', '000Z');
  const method = buyer.wallet_payment_method_id;
  const sides = { buyer: buyer.account_id, seller: seller.account_id };
  const known: Values = { ...sides, date, method, ...values };
  const filled = (text: string): string =>
    text.replaceAll(/[<{]([a-z][a-z_ ]*)[>}]/g, (_, name: string) => {
      return known[name] ?? assert.fail(name);
    });
  const [verb = '', path = ''] = filled(example.route).split(' ');
  const host = path === '/authorize/user' ? 'auth' : 'invoicing';
  const body = JSON.parse(filled(example.body)) as object;
  done.add(example);
  return platform.api.must<T>(status, host, verb as 'POST' | 'PUT', path, { body });
}

interface Escrow {
  readonly id: string;
  readonly escrow_invoice_id: string;
  readonly status: string;
  readonly held_amount: number;
  readonly released_amount: number;
  readonly return_at?: string;
  readonly milestones: readonly { status: string; release_at?: string }[];
  readonly deliveries?: readonly object[];
}

const read = <T = Escrow>(path: string): Promise<T> =>
  platform.api.must<T>(200, 'invoicing', 'GET', `/v2/escrow/${path}`);

/** The page's escrow, paid. */
async function paid(): Promise<Values> {
  const { id, escrow_invoice_id } = await run<Escrow>(of('POST /v2/escrow')[0], 201);
  await platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/pay`);
  type Invoice = { line_items: object };
  const at = `/v2/invoice/${escrow_invoice_id}`;
  const { line_items } = await platform.api.must<Invoice>(200, 'invoicing', 'GET', at);
  return { escrow_id: id, 'line item': Object.keys(line_items)[0] ?? '' };
}

test('parts, milestones and dates', async () => {
  const escrow = await paid();
  const [part, milestone] = of('/release');
  await run(of('/delivered')[0], 200, escrow);
  assert.equal((await run<Escrow>(part, 200, escrow)).held_amount, 7_500);
  assert.equal((await run<Escrow>(milestone, 200, escrow)).released_amount, 3_500);
  const planned = await run<Escrow>(of('/schedule')[0], 200, escrow);
  assert.equal(planned.milestones[1]?.release_at, undefined);
  assert.equal(typeof planned.return_at, 'string');
  assert.equal(planned.deliveries?.length, 1);
  assert.equal((await run<Escrow>(of('/return')[0], 200, escrow)).status, 'CANCELLED');
});

test('a milestone is released at its date, all that is left returned at another', async () => {
  const [first, second] = [await paid(), await paid()];
  await run(of('/schedule')[0], 200, second);
  await clockOf(platform.api).move({ advance_seconds: 31 * DAY });
  const released = await read(first['escrow_id'] ?? '');
  assert.deepEqual([released.status, released.released_amount], ['ESCROWED', 3_000]);
  const returned = await read(second['escrow_id'] ?? '');
  assert.deepEqual([returned.status, returned.released_amount], ['CANCELLED', 0]);
});

interface Disagreement {
  readonly status: string;
  readonly proposal?: { readonly proposal_id: string };
  readonly settlement?: { readonly by: string };
}

test('a disagreement is agreed about, resolved, and ends at its limit', async () => {
  const agreed = await paid();
  await run(of('/dispute')[0], 201, agreed);
  await run(of('/statements')[0], 201, agreed);
  const { proposal } = await run<Disagreement>(of('/proposal')[0], 201, agreed);
  const answered = { ...agreed, proposal: proposal?.proposal_id ?? '' };
  const end = await run<Disagreement>(of('/answer')[0], 200, answered);
  assert.deepEqual([end.status, end.settlement?.by], ['resolved', 'agreement']);
  const decided = await paid();
  await run(of('/dispute')[0], 201, decided);
  const word = await run<Disagreement>(of('/resolve')[0], 200, decided);
  assert.deepEqual([word.status, word.settlement?.by], ['resolved', 'tenant']);
  await run(of('/settings/disagreements')[0], 200);
  const left = await paid();
  await run(of('/dispute')[0], 201, left);
  await clockOf(platform.api).move({ advance_seconds: 7 * DAY });
  const { settlement } = await read<Disagreement>(`${left['escrow_id']}/dispute`);
  assert.equal(settlement?.by, 'default');
});

test('the link of a page, and every operation that the page names', async () => {
  const link = await run<{ redirect: string }>(of('/authorize/user')[0], 200);
  assert.match(link.redirect, /^http/);
  const known = ['invoicing', 'auth'].flatMap((host) => {
    const file = join(CHECKOUT, `docs/generated/openapi/${host}.json`);
    const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, object> };
    return Object.entries(paths).flatMap(([path, of]) => {
      return Object.keys(of).map((verb) => `${verb.toUpperCase()} ${path}`);
    });
  });
  const inline = [...PAGE.matchAll(/`((?:GET|POST|PUT|PATCH) [^`\s]+)`/g)];
  const named = [...inline.map(([, one = '']) => one), ...EXAMPLES.map(({ route }) => route)];
  assert.deepEqual(named.filter((one) => !known.includes(one)), []);
  assert.deepEqual(EXAMPLES.filter((one) => !done.has(one)), [], 'each was run');
});
