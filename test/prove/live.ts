// A production start on a PostgreSQL server with stand-ins of Stripe and of the bank, and people
// around it: operators at the console and the command line, buyers and sellers at their links. Days
// pass by `clock_offset`, which is zero in production and which nothing there writes: the process
// under test is as it is shipped.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openFlow, type Flow } from '../../client/driver.ts';
import { run } from '../cli/terminal.ts';
import { Staff } from '../console/staff.ts';
import { Api, type Ready } from '../kit/api.ts';
import { camtFile, type TestEntry } from '../kit/bank.ts';
import { productionDatabase, type TestDatabase } from '../kit/database.ts';
import { submission } from '../kit/identity.ts';
import { dataFolder, faultsOf, startNode } from '../kit/platform.ts';
import type { Account } from '../kit/stripe/account.ts';
import { identityOf } from '../kit/stripe/identity.ts';
import type { Event } from '../kit/stripe/objects.ts';
import { notify } from '../kit/stripe/platform.ts';
import { openStripe, type StripeServer } from '../kit/stripe/server.ts';
import type { Launched } from '../start/launch.ts';

/** A statement is read each minute at the latest, and what did not fit is tried again then. */
const WAIT_MS = 150_000;
const SECRET_KEY = 'sk_live_thirtydays1';
export const WEBHOOK_SECRET = 'whsec_thirtydays1';
export const OWN_IBAN = 'DE89370400440532013000';
const PASSWORD = 'HOLDFAST_OPERATOR_PASSWORD';

/** Work that a day leaves for the loops, by the workspace's clock. */
const UNDER_WAY = `
  select 'outbox' as what from outbox
  union all select 'attempt' from attempt_job
  union all select 'settlement' from settlement s join workspace w using (workspace)
    where s.state = 'pending' and s.due <= clock_timestamp() + w.clock_offset
  union all select concat_ws(' ', kind, verdict, why, amount, 'booked', booked)
    from statement_line where verdict = 'waiting' or not booked
  union all select 'payout' from payout p join workspace w using (workspace)
    where p.due <= clock_timestamp() + w.clock_offset
  union all select 'entry' from bank_entry where settles is null and direction = 'debit'`;

/** A person with an account. */
export interface Person {
  readonly account: string;
  /** Their wallet in EUR, and the payment method of it. */
  readonly wallet: string;
  readonly method: string;
}

/** The tenant's account at the bank: what it says is in its statements, and nothing else. */
export class Bank {
  balance = 0;
  #entries: TestEntry[] = [];
  #count = 0;

  /** Books an amount in minor units; a debit is negative. */
  book(amount: number, more: Omit<TestEntry, 'amount'>): void {
    this.balance += amount;
    const sign = amount < 0 ? { sign: 'DBIT' } as const : {};
    const reference = `BANK-${(this.#count += 1)}`;
    this.#entries.push({ reference, ...more, ...sign, amount: decimal(Math.abs(amount)) });
  }

  /** What was booked since the statement before; null for nothing. */
  statement(day: string): string | null {
    const entries = this.#entries.map((entry) => ({ ...entry, day }));
    if (entries.length === 0) return null;
    this.#entries = [];
    const sum = entries.reduce((all, { amount, sign }) => {
      return all + (sign === 'DBIT' ? -1 : 1) * Math.round(Number(amount) * 100);
    }, 0);
    const [opening, closing] = [decimal(this.balance - sum), decimal(this.balance)];
    return camtFile({ number: OWN_IBAN, opening, closing, entries });
  }
}

const decimal = (minor: number): string => (minor / 100).toFixed(2);

export class Live {
  readonly base: TestDatabase;
  readonly stripe: StripeServer;
  readonly api: Api;
  readonly staff: Staff;
  readonly bank = new Bank();
  /** Answers to Stripe's webhooks. */
  readonly heard: number[] = [];
  notices = '';
  #identityNotices = '';
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #node: Launched;
  readonly #tenant: readonly string[];
  #files = 0;
  #people = 0;

  private constructor(parts: {
    readonly base: TestDatabase;
    readonly stripe: StripeServer;
    readonly folder: string;
    readonly env: Readonly<Record<string, string>>;
    readonly node: Launched;
    readonly ready: Ready;
  }) {
    const { ready } = parts;
    [this.base, this.stripe, this.#node] = [parts.base, parts.stripe, parts.node];
    [this.#folder, this.#env] = [parts.folder, parts.env];
    this.api = new Api(ready);
    this.staff = new Staff((ready.urls as Record<string, string>)['console'] ?? '');
    this.#tenant = ['--integrator', ready.integrator];
  }

  /** Starts it and sets everything up by the commands of the guide. */
  static async start(): Promise<Live> {
    const [base, stripe, folder] = [await productionDatabase(), await openStripe(), dataFolder()];
    const env = {
      DATABASE_URL: base.served,
      HOLDFAST_ENV: 'production',
      HOLDFAST_DATA_DIR: folder,
      HOLDFAST_KEY_FILE: join(folder, 'keys.json'),
      HOLDFAST_CHECK_ANSWERS: '1',
    };
    const node = await startNode(env);
    const printed = (await node.ready()) as unknown as Ready;
    const told = async (...args: string[]): Promise<Record<string, string>> => {
      const { code, out, err } = await run(env, ...args, '--json');
      assert.equal(code, 0, err);
      return JSON.parse(out) as Record<string, string>;
    };
    const currencies = ['--currencies', 'EUR'];
    const { integrator = '' } = await told('tenant', 'create', '--name', 'Shop', ...currencies);
    const scopes = ['--name', 'server', '--scopes', 'all'];
    const made = await told('client', 'create', '--integrator', integrator, ...scopes);
    const { client_id = '', client_secret = '' } = made;
    const ready = { ...printed, integrator, client: { client_id, client_secret } };
    const live = new Live({ base, stripe, folder, env, node, ready });
    await live.#furnish();
    return live;
  }

  async #furnish(): Promise<void> {
    for (const [name, role] of [['rita', 'reviewer'], ['sven', 'supervisor']] as const) {
      const wish = ['--name', name, '--username', name, '--roles', role];
      this.staff.hired(await this.command('operator', 'create', ...wish));
      await this.staff.at(name);
    }
    const owner = ['--holder', 'Shop GmbH', '--bank', 'Bank AG', '--bic', 'COBADEFFXXX'];
    await this.ofTenant('bank', 'set', '--currency', 'EUR', '--account', OWN_IBAN, ...owner);
    const path = await this.#connect('processor');
    this.notices = `${this.api.ready.urls.payments}${path}`;
    this.account.listen((event) => void this.hear(event));
    // The process follows within seconds; it then asks for the statement. The command's own call
    // does not count.
    this.stripe.misbehave(() => null);
    await this.until('the connection', async () => {
      await this.base.db.execute('update statement_cursor set due = clock_timestamp()');
      return this.stripe.calls.length > 0 ? true : null;
    });
  }

  /** Connects a provider of this kind; the path of its webhooks. */
  async #connect(kind: 'processor' | 'identity'): Promise<string> {
    const keys = { secret_key: SECRET_KEY, webhook_secrets: [WEBHOOK_SECRET] };
    const named = ['--kind', kind, '--provider', 'stripe', '--base-url', this.stripe.url];
    const credentials = this.#file('stripe.json', JSON.stringify(keys));
    const set = await this.ofTenant('provider', 'set', ...named, '--credentials', credentials);
    return /\/v1\/\w+_notices\/\S+/.exec(set)?.[0] ?? '';
  }

  /** From now on people are verified at Stripe Identity. */
  async connectIdentity(): Promise<void> {
    const path = await this.#connect('identity');
    this.#identityNotices = `${this.api.ready.urls.pii}${path}`;
    // Running processes follow within seconds.
    await pause(4_000);
  }

  get account(): Account {
    return this.stripe.account(SECRET_KEY);
  }

  /** Sends a webhook of Stripe. */
  async hear(event: Event, secret = WEBHOOK_SECRET): Promise<number> {
    const isIdentity = event.type.startsWith('identity.');
    const status = await notify(isIdentity ? this.#identityNotices : this.notices, event, secret);
    this.heard.push(status);
    return status;
  }

  /** Runs a command to its end; what it printed. Fails as it does. */
  async command(...args: readonly string[]): Promise<string> {
    return this.#run({}, args);
  }

  /** The same with the tenant named. */
  ofTenant(...args: readonly string[]): Promise<string> {
    return this.#run({}, [...args, ...this.#tenant]);
  }

  /** The same by an operator who proves who they are. */
  async by(username: string, ...args: readonly string[]): Promise<Record<string, string>> {
    const code = await this.staff.code(username);
    const password = { [PASSWORD]: this.staff.passwordOf(username) };
    const proven = [...args, ...this.#tenant, '--operator', username, '--code', code, '--json'];
    return JSON.parse(await this.#run(password, proven)) as Record<string, string>;
  }

  async #run(more: Readonly<Record<string, string>>, args: readonly string[]): Promise<string> {
    const { code, out, err } = await run({ ...this.#env, ...more }, ...args);
    assert.equal(code, 0, `${args.join(' ')}: ${out}${err}`);
    return out;
  }

  #file(name: string, text: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, text);
    return path;
  }

  /** A path for a file that a command is to write. */
  path(name: string): string {
    return join(this.#folder, name);
  }

  /** Imports what the bank booked since the last statement. */
  async importStatement(): Promise<void> {
    const [now] = await this.base.db.query<{ day: string }>(
      `select to_char(max(clock_timestamp() + clock_offset), 'YYYY-MM-DD') as day from workspace`,
    );
    const text = this.bank.statement(now?.day ?? '');
    if (text === null) return;
    const file = this.#file(`statement-${(this.#files += 1)}.xml`, text);
    await this.ofTenant('bank', 'import', file);
  }

  /**
   * A day passes here and then at Stripe, and what it brings is done. The other way round a
   * transfer to the bank could be read before the money of its day is available here.
   */
  async passDay(): Promise<void> {
    const text = `update workspace set clock_offset = clock_offset + interval '1 day'`;
    await this.base.db.execute(text);
    this.account.ahead += 86_400;
    await this.quiet();
  }

  /** Waits until nothing is under way. */
  async quiet(): Promise<void> {
    for (const end = Date.now() + WAIT_MS; ; await pause(50)) {
      const left = await this.base.db.query<{ what: string }>(UNDER_WAY);
      if (left.length === 0) return;
      assert.ok(Date.now() < end, `${left.map(({ what }) => what).join(', ')} does not end`);
    }
  }

  async until<T>(what: string, look: () => Promise<T | null | undefined>): Promise<T> {
    for (const end = Date.now() + WAIT_MS; Date.now() < end; await pause(50)) {
      const found = await look();
      if (found !== null && found !== undefined) return found;
    }
    throw new assert.AssertionError({ message: `${what} did not come` });
  }

  async register(username: string): Promise<Person> {
    type Made = { account_id: string };
    const wish = { body: { username, country_iso: 'DE' } };
    const made = await this.api.must<Made>(200, 'accounts', 'POST', '/register', wish);
    type Method = { id: string; psp_reference: string };
    const path = `/v1/${made.account_id}/payment_methods`;
    const [own] = await this.api.must<Method[]>(200, 'payments', 'GET', path);
    return { account: made.account_id, wallet: own?.psp_reference ?? '', method: own?.id ?? '' };
  }

  /** A person's browser on a link of this flow. */
  async visit({ account: account_id }: Person, flow: string): Promise<Flow> {
    const body = { account_id, flow };
    type Link = { redirect: string };
    const link = await this.api.must<Link>(200, 'auth', 'POST', '/authorize/user', { body });
    const opened = await openFlow({ redirect: link.redirect });
    await opened.agree();
    return opened;
  }

  /** Saves a card on Stripe's page; the payment method. */
  async saveCard(person: Person): Promise<string> {
    const { api } = await this.visit(person, 'payment-selection');
    const { entry_id, url } = await api.payments.createPaymentMethodEntry({ kind: 'card' });
    this.stripe.complete(SECRET_KEY, url.split('/').at(-1) ?? '', { type: 'card' });
    return (await api.payments.createPaymentMethod({ entry_id })).id;
  }

  /** Sends the form of a person who resembles nobody else; the page of its review. */
  async apply(person: Person, last: string): Promise<string> {
    const flow = await this.visit(person, 'kyc');
    assert.equal((await flow.submitKyc(this.#form(last))).result, 'MANUAL_REVIEW');
    const { text } = await (await this.staff.at('rita')).get('/reviews');
    const reviews = [...text.matchAll(/\/reviews\/kyc_\w+/g)].map(([path]) => path);
    return reviews.at(-1) ?? '';
  }

  #form(last: string): Parameters<Flow['submitKyc']>[0] {
    const n = (this.#people += 1);
    const distinct = submission({
      ...{ first: `Quill${last}`, last, date_of_birth: `19${60 + n * 7}-03-1${n}` },
      ...{ street: `${n} ${last} Row`, city: `${last}ton`, zip: `9411${n}` },
      ...{ phone_number: `41555501${n}0`, ssn: `123-45-67${n}1` },
    });
    return distinct as unknown as Parameters<Flow['submitKyc']>[0];
  }

  /** A person is verified on Stripe's page. */
  async verify(person: Person, last: string): Promise<void> {
    const { api } = await this.visit(person, 'kyc');
    const form = this.#form(last);
    await api.pii.submitKYC(form);
    await this.until('the page of the vendor', async () => {
      return (await api.pii.getKYCForm()).at_vendor === true ? true : null;
    });
    const { url } = await api.pii.getKYCVendorPage();
    assert.ok(url.startsWith(this.stripe.url), url);
    const book = identityOf(this.account, this.stripe.url);
    const key = [...book.sessions.values()].at(-1)?.client_reference_id ?? '';
    const { kyc_pii: stated } = form as unknown as { kyc_pii: Record<string, string> };
    const { first = '', date_of_birth: dob = '', ssn = '' } = stated;
    const id_number = ssn.replaceAll('-', '');
    book.visit(key, {
      status: 'verified',
      shows: { first_name: first.toUpperCase(), last_name: last, dob, id_number },
    });
    const { account: account_id } = person;
    await this.until('ACCEPT', async () => {
      const now = await api.pii.getKYCStatus({ account_id });
      assert.notEqual(now.state, 'MANUAL_REVIEW', JSON.stringify(now));
      return now.state === 'ACCEPT' ? true : null;
    });
  }

  /** The buyer of an invoice pays it once on Stripe's page. */
  payOnce(url: string): void {
    this.stripe.complete(SECRET_KEY, url.split('/').at(-1) ?? '', { type: 'card' });
  }

  /** Rita decides about an application at the console. */
  async accept(path: string): Promise<void> {
    const rita = await this.staff.at('rita');
    const opened = await rita.post(`${path}/open`, { reason: 'review', note: 'To decide' });
    assert.equal(opened.status, 200, opened.text);
    const version = /name="version" value="(\d+)"/.exec((await rita.get(path)).text)?.[1] ?? '';
    const word = { version, decision: 'accept', note: 'Papers read' };
    const said = await rita.post(`${path}/decide`, word);
    assert.equal(said.status, 303, said.text);
  }

  /** Spendable minor units of a person. */
  async spendable({ account }: Person): Promise<number> {
    type Shown = { balances: { EUR: { spendable: { balance: number } } } };
    const path = `/balances/${account}`;
    const shown = await this.api.must<Shown>(200, 'wallets', 'GET', path);
    return shown.balances.EUR.spendable.balance;
  }

  /** What the process wrote on stderr. */
  log(): string {
    return this.#node.stderr();
  }

  async stop(): Promise<void> {
    this.#node.child.kill('SIGTERM');
    await this.#node.ended;
    await this.stripe.close();
    try {
      assert.deepEqual(faultsOf(this.log()), [], 'the service met no fault');
    } finally {
      await this.base.drop();
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }
}
