// Identity fixtures: a valid submission, a vendor that answers as told, and running due checks as
// the worker does.
import assert from 'node:assert/strict';
import { createClient } from '../../src/product/access/oauth/index.ts';
import { checkQueue, settleCheck } from '../../src/product/people/identity/index.ts';
import type { Caller } from '../../src/core/operation.ts';
import type { Files } from '../../src/providers/files/port.ts';
import type {
  CheckDecision,
  CheckOrder,
  CheckOutcome,
  IdentityVendor,
} from '../../src/providers/identity/port.ts';
import type { Bench } from './domain-bench.ts';
import { dataUri, png } from './sample-files.ts';

/** A picture as a data URI. */
export const PICTURE = dataUri('image/png', png(2, 2));

/** A full form that every rule of ours passes. */
export const PERSON = {
  first: 'Zoë',
  last: 'O’Neill-Ωmega',
  date_of_birth: '1990-02-28',
  street: '1 Example Way',
  city: 'Springfield',
  state: 'CA',
  zip: '94110',
  country: 'US',
  phone_code: '+1',
  phone_number: '415 555 0100',
  ssn: '123-45-6789',
  signature: 'Zoë O’Neill',
  use_1099: true,
  document_type: 'DL',
  document_country: 'US',
  document_front: PICTURE,
  document_back: PICTURE,
} as const;

/** A tax form. */
export const TAX_FORM = {
  form: 'tax',
  kyc_pii: {
    first: 'Zoë',
    last: 'O’Neill',
    street: '1 Example Way',
    city: 'Springfield',
    state: 'CA',
    zip: '94110',
    country: 'US',
    ssn: '123-45-6789',
    signature: 'Zoë O’Neill',
    use_1099: true,
  },
} as const;

/** A full form with some fields changed; undefined leaves one out. */
export function submission(pii: object = {}, more: object = {}): Record<string, unknown> {
  const whole = Object.entries({ ...PERSON, ...pii }).filter(([, value]) => value !== undefined);
  return { kyc_pii: Object.fromEntries(whole), ...more };
}

/** A decision of the vendor. */
export function decided(
  state: CheckDecision['state'],
  reasons: readonly string[] = [],
): CheckDecision {
  return { state, reference: `ref_${state}`, reasons, rules: ['document:0'] };
}

/** A vendor that says what `says` is, whatever is asked; it keeps the orders that it got. */
export class FakeVendor implements IdentityVendor {
  says: CheckOutcome = decided('accepted');
  readonly orders: CheckOrder[] = [];
  readonly looked: string[] = [];
  readonly abandoned: string[] = [];
  async begin(order: CheckOrder): Promise<CheckOutcome> {
    this.orders.push(order);
    return this.says;
  }

  async retrieve(_workspace: number, key: string): Promise<CheckOutcome> {
    this.looked.push(key);
    return this.says;
  }

  async page(_workspace: number, key: string): Promise<string | null> {
    return this.says.state === 'waiting' ? `https://vendor.test/${key}` : null;
  }

  async abandon(_workspace: number, key: string): Promise<CheckOutcome> {
    this.abandoned.push(key);
    return this.says;
  }

  async forget(): Promise<boolean> {
    return true;
  }

  readNotice(_headers: unknown, body: unknown) {
    return body as ReturnType<IdentityVendor['readNotice']>;
  }
}

/** An inspector to whom everything is a picture, except the text `bad`. */
export const anyFile: Files = {
  inspect: async ({ source }) => {
    if (source.form !== 'bytes' && source.text === 'bad') return { ok: false, code: 'FILE_EMPTY' };
    return { ok: true, mime: 'image/png', bytes: Buffer.from('clean picture'), size: 13 };
  },
};

/** A bench on which persons can submit, and a caller for each account. */
export async function identityBench(bench: Bench): Promise<{
  readonly vendor: FakeVendor;
  caller(account: string): Caller;
  /** Asks the vendor about everything that has a job. */
  ask(): Promise<void>;
}> {
  const vendor = new FakeVendor();
  const urls = { widget: 'http://widget.test' };
  Object.assign(bench.services, { files: anyFile, identityVendor: vendor, urls });
  const { services, db } = bench;
  const { workspace, integrator } = bench.home;
  const client = await createClient(services, { workspace, name: 'Bench', scopes: ['write_kycs'] });
  const queue = checkQueue({
    db,
    keys: services.keys,
    random: services.random,
    vendor,
    hasVendor: async () => true,
    settle: (at, answer) =>
      services.engine.run(settleCheck, answer, { workspace: at, actor: 'vendor' }),
  });
  return {
    vendor,
    caller: (account) => ({
      ...bench.caller({ workspace, integrator }, 'user', account),
      clientId: client.client_id,
    }),
    async ask() {
      const jobs = await db.query<Parameters<typeof queue.exchange>[0]>(
        `select j.workspace, j.check_id as id, j.tries, a.purpose, ${queue.columns}
        from identity_job j
        join identity_check a on a.workspace = j.workspace and a.id = j.check_id`,
      );
      for (const job of jobs) {
        if ((await queue.exchange(job)) === null) await queue.tidy(job);
      }
    },
  };
}

/** Rows of everything that a submission may write. */
export async function identityRows(bench: Bench): Promise<readonly unknown[]> {
  const tables = ['kyc_application', 'kyc_document', 'identity_check', 'identity_job', 'step'];
  const counts = tables.map(async (table) => {
    const [row] = await bench.db.query<{ n: bigint }>(`select count(*) as n from ${table}`);
    assert.ok(row);
    return `${table} ${row.n}`;
  });
  return Promise.all(counts);
}
