// The bench of workspace clones: snapshot, clone, rollback and reset of a workspace with ten
// thousand objects, and a new workspace from a small snapshot, measured as API callers see them.
// The targets are in figures.ts.
import { Integrator } from './market.ts';
import { addPlatform } from './site.ts';
import type { Run } from './site.ts';

const DATABASE = 'bench_sandbox';
/** Concurrent calls while the workspace is filled. */
const ABREAST = 24;
/** New workspaces of the small snapshot that are measured, after one that warms up the plans. */
const SMALL = 20;

type Json = Readonly<Record<string, unknown>>;

interface Snapshot {
  readonly snapshot_id: string;
  readonly objects: number;
  readonly rows: number;
}

/** Runs `work` for 0 to `count` - 1, some concurrently; returns the results in order. */
async function each<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const n = next;
      next += 1;
      made[n] = await work(n);
    }
  };
  await Promise.all(Array.from({ length: ABREAST }, lane));
  return made;
}

interface Person {
  readonly account_id: string;
  readonly wallet_id: string;
  readonly method: string;
}

async function register(site: Integrator, n: number): Promise<Person> {
  const username = `filled ${n}`;
  const body = { username, email: { address: `p${n}@example.com`, requires_verification: false } };
  const { account_id } = (await site.call('accounts', 'POST', '/register', body)) as Person;
  const path = `/v1/${account_id}/payment_methods`;
  interface Method {
    readonly id: string;
    readonly processing_currency: string;
    readonly psp_reference: string;
  }
  const methods = (await site.call('payments', 'GET', path)) as Method[];
  const wallet = methods.find(({ processing_currency }) => processing_currency === 'USD');
  if (wallet === undefined) throw new Error('a registered account has no wallet');
  return { account_id, wallet_id: wallet.psp_reference, method: wallet.id };
}

function saleOf(buyer: Person, seller: Person, method: string): Json {
  const recipient = { amount: 500, currency: 'USD', destination_wallet_id: seller.wallet_id };
  const line = { amount: 500, currency: 'USD', transaction_type: 'user_to_user' };
  return {
    account_id: buyer.account_id,
    payment_methods: [{ payment_method_id: method }],
    line_items: [{ ...line, recipients: [recipient] }],
  };
}

/**
 * Fills the caller's workspace with `share` fifths of ten thousand objects: each 2,000 are 400
 * accounts, 200 deposits, 950 invoices (750 paid by wallet, 100 by card, 100 open), 100 escrows
 * with an invoice each, 50 of them committed by another, 100 refunds with an invoice each.
 */
export async function fillWorkspace(site: Integrator, share: number, name = 0): Promise<void> {
  const people = await each(400 * share, (n) => register(site, name * 10_000 + n));
  const person = (n: number): Person => people[n % people.length] as Person;
  await each(200 * share, (n) => {
    const deposit = { account_id: person(n).account_id, currency: 'USD', amount: 1_000_000 };
    return site.call('invoicing', 'POST', '/sandbox/deposits', deposit);
  });
  const cards = await each(20 * share, async (n) => {
    const wish = { account_id: person(n).account_id, test_card: 'visa' };
    return (await site.call('invoicing', 'POST', '/sandbox/payment_methods', wish)) as Json;
  });
  const buyers = 200 * share;
  const sold = await each(950 * share, async (n) => {
    const byCard = n % 19 < 2;
    const buyer = person(byCard ? n % cards.length : n % buyers);
    const method = byCard ? String(cards[n % cards.length]?.['id']) : buyer.method;
    const sale = saleOf(buyer, person(n + 1), method);
    const { invoice_id } = (await site.call('invoicing', 'POST', '/v2/invoice', sale)) as Json;
    if (n % 19 < 17) await site.call('invoicing', 'POST', `/v2/invoice/${String(invoice_id)}/pay`);
    return String(invoice_id);
  });
  await each(100 * share, async (n) => {
    const sale = saleOf(person(n % buyers), person(n + 1), person(n % buyers).method);
    const made = (await site.call('invoicing', 'POST', '/v2/escrow', sale)) as Json;
    const path = `/v2/escrow/${String(made['id'])}`;
    await site.call('invoicing', 'POST', `${path}/pay`);
    if (n % 2 === 0) await site.call('invoicing', 'POST', `${path}/commit`);
  });
  // The integrator pays for refunds.
  const own = { integrator: true, currency: 'USD', amount: 10_000_000 };
  await site.call('invoicing', 'POST', '/sandbox/deposits', own);
  const paid = sold.filter((_, n) => n % 19 >= 2 && n % 19 < 17);
  await each(100 * share, (n) => {
    const wish = { invoice_id: paid[n], reason: 'other', sub_reason: 'other' };
    return site.call('invoicing', 'POST', '/v2/refund', wish);
  });
}

/** One call and its milliseconds. */
async function timed(site: Integrator, path: string, body: Json = {}): Promise<[Json, number]> {
  const start = performance.now();
  const payload = (await site.call('invoicing', 'POST', `/sandbox/${path}`, body)) as Json;
  return [payload, performance.now() - start];
}

/** Times of one round; clones are deleted again, so that rounds are equal. */
export async function timeCopies(
  site: Integrator,
  add: (key: string, milliseconds: number) => void,
): Promise<Snapshot> {
  const [taken, snapshot] = await timed(site, 'snapshots', { name: 'bench' });
  const { snapshot_id } = taken as unknown as Snapshot;
  add('sandbox.snapshot', snapshot);
  const [{ world_id }, clone] = await timed(site, 'worlds');
  add('sandbox.clone', clone);
  const [, rollback] = await timed(site, 'rollback', { snapshot_id });
  add('sandbox.rollback', rollback);
  await site.call('invoicing', 'DELETE', `/sandbox/worlds/${String(world_id)}`);
  await site.call('invoicing', 'DELETE', `/sandbox/snapshots/${snapshot_id}`);
  return taken as unknown as Snapshot;
}

/** Everything about clones, on a platform of its own. */
export async function sandboxPart(run: Run): Promise<void> {
  await run.postgres.createDatabase(DATABASE);
  const platform = await addPlatform(run, DATABASE);
  try {
    const site = new Integrator(platform.ready);
    const add = (key: string, milliseconds: number): void => run.figures.add(key, milliseconds);
    await timeSmall(site, add);
    await fillWorkspace(site, 5);
    // A tenant's reset returns to its small beginning; the large one is a clone's.
    const [born] = await timed(site, 'worlds');
    const large = new Integrator({ ...platform.ready, client: clientOf(born) });
    for (let round = 0; round < run.options.rounds; round += 1) {
      const { objects, rows } = await timeCopies(large, add);
      add('sandbox.reset', (await timed(large, 'reset'))[1]);
      if (round === 0) run.say(`sandbox: a workspace of ${objects} objects in ${rows} rows`);
    }
  } finally {
    await platform.stop();
  }
}

/** A new workspace of a small snapshot, as each file of a test suite makes one. */
export async function timeSmall(
  site: Integrator,
  add: (key: string, milliseconds: number) => void,
): Promise<void> {
  const [{ snapshot_id }] = await timed(site, 'snapshots', { name: 'small' });
  await timed(site, 'worlds', { snapshot_id });
  for (let n = 0; n < SMALL; n += 1) {
    add('sandbox.workspace', (await timed(site, 'worlds', { snapshot_id }))[1]);
  }
}

/** The client in a clone's answer. */
function clientOf({ client_id, client_secret }: Json) {
  return { client_id: String(client_id), client_secret: String(client_secret) };
}
