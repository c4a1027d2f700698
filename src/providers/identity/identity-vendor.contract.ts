// The contract suite of the identity vendor port: one check per key, the truth after the fact,
// permanent erasure, separate workspaces. Every adapter must pass it.
import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type {
  CheckedFile,
  CheckedPerson,
  CheckOrder,
  CheckOutcome,
  IdentityVendor,
} from './port.ts';

/** What an adapter's test supplies. */
export interface VendorBench {
  readonly vendor: IdentityVendor;
  /** Two customers of the vendor with separate checks. */
  readonly workspaces: readonly [number, number];
  /** Last names the vendor decides about at once, and how. */
  readonly accepted: string;
  readonly denied: string;
  readonly review: string;
  readonly incomplete: string;
  /** A last name whose check is pending until `decide` makes the vendor accept. */
  readonly pending: string;
  decide(workspace: number, key: string): Promise<void>;
  /** Does at the vendor's page what the order's person has to. Absent: it has no page. */
  visit?(order: CheckOrder): Promise<void>;
  /** Number of the workspace's checks in the vendor's own records. */
  checks(workspace: number): Promise<number>;
  close(): Promise<void>;
}

const RACERS = 50;

/** An adult with a document; all of it is invented. */
export function inventedPerson(change: Partial<CheckedPerson> = {}): CheckedPerson {
  return {
    first: 'Ada',
    middle: '',
    last: 'Example',
    date_of_birth: '1980-02-29',
    street: '1 Main Street',
    street2: '',
    city: 'Springfield',
    region: 'CA',
    zip: '90001',
    country: 'US',
    phone_code: '1',
    phone_number: '5550100',
    ssn_last4: '0000',
    document_type: 'PP',
    document_country: 'US',
    ...change,
  };
}

/** A check under a new key. */
export function checkFor(
  workspace: number,
  last: string,
  files?: readonly CheckedFile[],
): CheckOrder {
  const person = inventedPerson({ last });
  const front: CheckedFile = { role: 'front', mime: 'image/png', bytes: Buffer.from('a picture') };
  return digested({ workspace, key: randomUUID(), person, files: files ?? [front] });
}

/** An order with the digest of what it is now. */
function digested(order: Omit<CheckOrder, 'digest'>): CheckOrder {
  const { person, files } = order;
  const pictures = files.map((file) => ({ ...file, bytes: file.bytes.toString('base64') }));
  return { ...order, digest: hash('sha256', JSON.stringify([person, pictures])) };
}

/** Begins a check, and has the person do what the vendor waits for; gives what then holds. */
async function checked(bench: VendorBench, order: CheckOrder): Promise<CheckOutcome> {
  const first = await bench.vendor.begin(order);
  if (first.state !== 'waiting') return first;
  assert.ok(bench.visit);
  await bench.visit(order);
  const then = await bench.vendor.retrieve(order.workspace, order.key);
  assert.ok('reference' in then && then.reference === first.reference);
  return then;
}

/** Declares the suite for one adapter. */
export function vendorContract(name: string, open: () => Promise<VendorBench>): void {
  let bench: VendorBench;
  before(async () => {
    bench = await open();
  });
  after(async () => {
    await bench.close();
  });
  const law = (title: string, run: (bench: VendorBench) => Promise<void>): void => {
    test(`${name}: ${title}`, () => run(bench));
  };
  declareLife(law);
  declarePages(law);
  declareKeys(law);
  declareForgetting(law);
}

type Law = (title: string, run: (bench: VendorBench) => Promise<void>) => void;

function declareLife(law: Law): void {
  for (const state of ['accepted', 'denied', 'review', 'incomplete'] as const) {
    law(`${state} is final`, async (bench) => {
      const { vendor, workspaces } = bench;
      const order = checkFor(workspaces[0], bench[state]);
      assert.deepEqual(await vendor.retrieve(order.workspace, order.key), { state: 'absent' });
      const first = await checked(bench, order);
      assert.equal(first.state, state);
      assert.ok('rules' in first && first.reference !== '');
      assert.equal(first.reasons.length > 0, state === 'denied' || state === 'incomplete');
      for (const rule of first.rules) assert.match(rule, /^[a-z_]+:[0-9]$/);
      assert.deepEqual(await vendor.begin(order), first);
      assert.deepEqual(await vendor.retrieve(order.workspace, order.key), first);
    });
  }

  law('pending is decided later, under the same reference', async (bench) => {
    const { vendor, workspaces } = bench;
    const order = checkFor(workspaces[0], bench.pending);
    const first = await checked(bench, order);
    assert.ok(first.state === 'pending');
    assert.deepEqual(await vendor.retrieve(order.workspace, order.key), first);
    await bench.decide(order.workspace, order.key);
    const then = await vendor.retrieve(order.workspace, order.key);
    assert.ok(then.state === 'accepted' && then.reference === first.reference);
    assert.deepEqual(await vendor.begin(order), then);
  });

  law('a check takes any number and size of files', async (bench) => {
    const { vendor, workspaces } = bench;
    const sizes = [0, 1, 2, 3, 98_303, 98_304, 98_305, 700_001];
    const files = sizes.map((size): CheckedFile => {
      return { role: 'extra', mime: 'application/pdf', bytes: Buffer.alloc(size, '%') };
    });
    const order = checkFor(workspaces[0], bench.accepted, files);
    const first = await checked(bench, order);
    assert.equal(first.state, 'accepted');
    assert.deepEqual(await vendor.begin(order), first);
    const none = checkFor(workspaces[0], bench.accepted, []);
    assert.equal((await checked(bench, none)).state, 'accepted');
  });
}

function declarePages(law: Law): void {
  law('only a check that waits for its person has a page', async (bench) => {
    const { vendor, workspaces } = bench;
    const order = checkFor(workspaces[0], bench.accepted);
    const page = () => vendor.page(order.workspace, order.key);
    assert.equal(await page(), null);
    const first = await vendor.begin(order);
    assert.equal(first.state === 'waiting', bench.visit !== undefined);
    if (first.state === 'waiting') {
      const addresses = [await page(), await page()];
      for (const address of addresses) assert.match(address ?? '', /^https?:\/\/[^\s]+$/);
      assert.notEqual(addresses[0], addresses[1], 'an address opens once');
      assert.equal(await vendor.page(workspaces[1], order.key), null);
      await bench.visit?.(order);
    }
    assert.equal(await page(), null);
  });

  law('an abandoned check is over, and what was decided stays', async (bench) => {
    const { vendor, workspaces } = bench;
    const decided = checkFor(workspaces[0], bench.accepted);
    const accepted = await checked(bench, decided);
    assert.deepEqual(await vendor.abandon(decided.workspace, decided.key), accepted);
    assert.equal(accepted.state, 'accepted');
    const order = checkFor(workspaces[0], bench.pending);
    const first = await vendor.begin(order);
    const ended = await vendor.abandon(order.workspace, order.key);
    if (first.state === 'waiting') assert.equal(ended.state, 'incomplete');
    else assert.deepEqual(ended, first);
    assert.deepEqual(await vendor.abandon(order.workspace, order.key), ended);
    assert.deepEqual(await vendor.retrieve(order.workspace, order.key), ended);
    assert.equal(await vendor.page(order.workspace, order.key), null);
    assert.deepEqual(await vendor.abandon(order.workspace, randomUUID()), { state: 'absent' });
  });
}

function declareKeys(law: Law): void {
  law('reusing a key for another person or file gives no outcome', async (bench) => {
    const { vendor, workspaces } = bench;
    const order = checkFor(workspaces[0], bench.accepted);
    const first = await checked(bench, order);
    const [front] = order.files;
    assert.ok(front);
    const others: Partial<CheckOrder>[] = [
      { person: { ...order.person, last: bench.denied } },
      { person: { ...order.person, ssn_last4: '0001' } },
      { files: [] },
      { files: [front, front] },
      { files: [{ ...front, role: 'back' }] },
      { files: [{ ...front, bytes: Buffer.from('a pictura') }] },
    ];
    for (const other of others) {
      const changed = digested({ ...order, ...other });
      assert.deepEqual(await vendor.begin(changed), { state: 'unknown' });
    }
    assert.deepEqual(await vendor.retrieve(order.workspace, order.key), first);
  });

  law(`${RACERS} racers under one key make one check`, async ({ vendor, workspaces, ...rest }) => {
    for (const last of [rest.accepted, rest.pending]) {
      const order = checkFor(workspaces[0], last);
      const before = await rest.checks(order.workspace);
      const asked = Array.from({ length: RACERS }, () => vendor.begin(order));
      const outcomes = await Promise.all<CheckOutcome>(asked);
      for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0]);
      assert.notEqual(outcomes[0]?.state, 'unknown');
      assert.equal(await rest.checks(order.workspace), before + 1);
    }
  });

  law('a key of one workspace is absent in another', async (bench) => {
    const { vendor, workspaces } = bench;
    const order = checkFor(workspaces[0], bench.accepted);
    const first = await checked(bench, order);
    const [, workspace] = workspaces;
    assert.deepEqual(await vendor.retrieve(workspace, order.key), { state: 'absent' });
    const other = checkFor(workspace, bench.denied);
    assert.equal((await checked(bench, { ...other, key: order.key })).state, 'denied');
    assert.equal(await vendor.forget(workspace, order.key), true);
    assert.deepEqual(await vendor.retrieve(order.workspace, order.key), first);
  });
}

function declareForgetting(law: Law): void {
  law('an erased key is absent, and stays so', async ({ vendor, workspaces, ...rest }) => {
    for (const last of [rest.accepted, rest.pending]) {
      const order = checkFor(workspaces[0], last);
      await vendor.begin(order);
      for (const _ of 'twice') assert.equal(await vendor.forget(order.workspace, order.key), true);
      assert.deepEqual(await vendor.retrieve(order.workspace, order.key), { state: 'absent' });
      assert.deepEqual(await vendor.begin(order), { state: 'unknown' });
      assert.deepEqual(await vendor.retrieve(order.workspace, order.key), { state: 'absent' });
    }
  });

  law('an erasure wins over a call that arrives later', async ({ vendor, workspaces, ...rest }) => {
    const order = checkFor(workspaces[0], rest.accepted);
    assert.equal(await vendor.forget(order.workspace, order.key), true);
    assert.deepEqual(await vendor.begin(order), { state: 'unknown' });
    assert.deepEqual(await vendor.retrieve(order.workspace, order.key), { state: 'absent' });
  });

  law('an erasure racing a check leaves nothing', async ({ vendor, workspaces, ...rest }) => {
    for (let round = 0; round < 20; round += 1) {
      const order = checkFor(workspaces[0], rest.accepted);
      const [, forgotten] = await Promise.all([
        vendor.begin(order),
        vendor.forget(order.workspace, order.key),
      ]);
      assert.equal(forgotten, true);
      assert.deepEqual(await vendor.retrieve(order.workspace, order.key), { state: 'absent' });
    }
  });
}
