// Two installations by the commands of docs/operations.md and docs/scaling.md, each with a cluster,
// keys and a number of its own, tenants with a seller and a buyer in them, and their load.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../../src/db/index.ts';
import { runProgram } from '../../src/cli/program.ts';
import { openInstallation } from '../../src/system.ts';
import { linesOf, type Ran } from '../cli/terminal.ts';
import { Api, type Ready, type Registered, type Reply } from '../kit/api.ts';
import { freePort } from '../kit/haproxy.ts';
import { faultsOf, type Settings } from '../kit/platform.ts';
import { Machine, operatorSteps, withoutTls } from './machine.ts';

/** Between two sales of one seller: the machine has other work. */
const BETWEEN_MS = 300;

export interface Installation {
  readonly settings: Settings;
  readonly machine: Machine;
  /** The settings of this one on the machine of the other, for `--to`. */
  file: string;
  /** Where a proxy finds its node. */
  readonly port: number;
  readonly ready: Ready;
  readonly db: Database;
  faults(): string[];
  stop(): Promise<void>;
}

/** The blocks of docs/scaling.md, and those that were typed. */
const PAGE = operatorSteps('scaling');
const BLOCKS = PAGE.filter((step) => step.kind === 'command' && step.opens).length;
const typed = new Set<number>();

/** True once every block of the page was typed. */
export const allTyped = (): boolean => typed.size === BLOCKS;

/** Types the block of the page that holds a command, as it stands. */
export async function typeBlock(
  machine: Machine,
  holds: string,
  more: readonly (readonly [string, string])[] = [],
): Promise<string> {
  const at = PAGE.findIndex(({ text }) => text.startsWith(holds));
  const opens = (n: number): boolean => {
    const step = PAGE[n];
    return step === undefined || step.kind === 'file' || step.opens;
  };
  let [from, to] = [at, at + 1];
  while (!opens(from)) from -= 1;
  while (!opens(to)) to += 1;
  typed.add(from);
  const commands = PAGE.slice(from, to).map(({ text }) =>
    more.reduce((all, [what, by]) => all.replaceAll(what, by), machine.filled(text)));
  return machine.run(...commands);
}

/** An hour passes for a replaced key. */
function laterFor(machine: Machine): void {
  const file = join(machine.folder, 'var/lib/holdfast/keys.json');
  const keys = JSON.parse(readFileSync(file, 'utf8')) as { replaced: Record<string, string> };
  const past = new Date(Date.now() - 3_600_000).toISOString();
  const replaced = Object.fromEntries(Object.keys(keys.replaced).map((name) => [name, past]));
  writeFileSync(file, JSON.stringify({ ...keys, replaced }));
}

/** Starts an installation as the pages say; `like`: the first one, for the second. */
export async function install(number: number, like?: Installation): Promise<Installation> {
  const machine = await Machine.open();
  const port = await freePort();
  const own = number === 0 ? {} : { HOLDFAST_INSTALLATION: String(number) };
  await machine.prepare({ ...own, HOLDFAST_PROXY_PORT: String(port) });
  await machine.typed('sudo -u postgres createdb --owner holdfast_owner holdfast');
  if (like === undefined) {
    const settings = 'set -a && . /etc/holdfast/holdfast.env && . /mnt/safe/owner.env && set +a';
    await machine.typed('sudo -s', settings, 'holdfast migrate');
  } else {
    const other = [`root@127.0.0.1:${machine.folder}`, like.machine.folder] as const;
    await typeBlock(machine, 'scp ', [['scp ', 'cp '], other]);
    laterFor(machine);
    await typeBlock(machine, 'holdfast keys drop');
  }
  await typeBlock(machine, 'sudo -u postgres psql --command "grant set');
  const settings = machine.settings();
  const node = await machine.start(settings);
  const ready = (await node.ready()) as unknown as Ready;
  const url = new URL(machine.server.url);
  url.pathname = '/holdfast';
  const db = new Database({ url: url.href, max: 6 });
  return {
    settings: { ...settings, ...machine.owner() },
    ...{ machine, file: '', port, ready, db },
    faults: () => faultsOf(node.stderr()),
    async stop() {
      node.child.kill('SIGTERM');
      await node.ended;
      await db.close();
      await machine.close();
    },
  };
}

/** Writes the settings of one installation on the machine of the other, as the page shows them. */
export function introduce(one: Installation, to: Installation): void {
  const shown = PAGE.find((step) => step.kind === 'file');
  assert.ok(shown?.kind === 'file');
  const safe = join(to.machine.folder, 'mnt/safe/other');
  mkdirSync(safe);
  const kept = ['etc/holdfast/server-password', 'mnt/safe/owner-password'];
  for (const path of [...kept, 'var/lib/holdfast/keys.json']) {
    copyFileSync(join(one.machine.folder, path), join(safe, basename(path)));
  }
  const { host } = new URL(one.machine.server.url);
  const text = withoutTls(shown.text).replaceAll('10.0.1.11:5432', host);
  one.file = to.machine.filled(shown.path);
  writeFileSync(one.file, to.machine.filled(text));
}

/** Runs a command of an installation to its end, in this process. */
export async function speak({ settings }: Installation, ...args: string[]): Promise<Ran> {
  let [out, err] = ['', ''];
  const code = await runProgram(args, {
    environment: settings,
    home: settings['HOLDFAST_DATA_DIR'] ?? '',
    print: (text) => void (out += text),
    say: (line) => void (err += `${line}\n`),
    colours: false,
    startSystem: () => Promise.reject(new Error('no command here starts a system')),
    openInstallation: (options) => openInstallation({ environment: settings, ...options }),
    asked: new Promise(() => {}),
  });
  return { code, out, err };
}

/** What a receiver was told, in the order of arrival. */
export interface Told {
  readonly sequence: number;
  readonly resource: string;
  readonly version: number;
}

/** A tenant that sells without a pause, wherever it is served. */
export class Tenant {
  readonly integrator: string;
  readonly told: Told[] = [];
  /** Invoices whose payment was acknowledged. */
  readonly paid: string[] = [];
  /** Answers that were no success: status and code, with how often. */
  readonly refused = new Map<string, number>();
  /** The longest time in which nothing succeeded, since `begin`. */
  longestMs = 0;
  api: Api;
  readonly #homes: readonly Installation[];
  readonly credentials: Ready['client'];
  readonly #receiver = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.once('end', () => {
      const event = JSON.parse(text) as Record<string, unknown>;
      const message = event['message'] as Record<string, unknown>;
      this.told.push({
        sequence: Number(event['sequence']),
        resource: String(message['invoice_id'] ?? ''),
        version: Number(event['resource_version']),
      });
      response.end();
    });
  });
  #buyer: Registered | null = null;
  #seller: Registered | null = null;
  #ending = false;
  #selling: Promise<void>[] = [];

  private constructor(
    integrator: string,
    credentials: Ready['client'],
    homes: readonly Installation[],
  ) {
    this.integrator = integrator;
    this.credentials = credentials;
    this.#homes = homes;
    this.api = this.#at(homes[0] as Installation);
  }

  /** Makes a tenant in the first of these; when it moves it asks the others. */
  static async make(name: string, homes: readonly Installation[]): Promise<Tenant> {
    const [home] = homes as readonly [Installation];
    const tell = async (...args: string[]): Promise<Record<string, string>> => {
      const ran = await speak(home, ...args, '--json');
      assert.equal(ran.code, 0, ran.err);
      return linesOf(ran.out)[0] as Record<string, string>;
    };
    const named = ['create', '--name', name];
    const { integrator = '' } = await tell('tenant', ...named, '--currencies', 'USD');
    const made = ['client', ...named, '--integrator', integrator, '--scopes', 'all'];
    const client = (await tell(...made)) as unknown as Ready['client'];
    const { client_id, client_secret } = client;
    const tenant = new Tenant(integrator, { client_id, client_secret }, homes);
    await tenant.#begin();
    return tenant;
  }

  #at({ ready }: Installation): Api {
    return new Api({ ...ready, client: this.credentials, integrator: this.integrator });
  }

  async #begin(): Promise<void> {
    this.#buyer = await this.api.register('buyer');
    this.#seller = await this.api.register('seller');
    await this.api.fund(this.#buyer.account_id, 1_000_000);
    await new Promise<void>((done) => this.#receiver.listen(0, '127.0.0.1', done));
    const { port } = this.#receiver.address() as AddressInfo;
    const body = { url: `http://127.0.0.1:${port}/` };
    await this.api.must(201, 'invoicing', 'POST', '/v1/webhook_endpoints', { body });
  }

  get buyer(): Registered {
    return this.#buyer as Registered;
  }

  get seller(): Registered {
    return this.#seller as Registered;
  }

  /** The first event that its endpoint was told. */
  get first(): number {
    return Math.min(...this.told.map(({ sequence }) => sequence));
  }

  /** Begins to sell, so many at a time; one of ten by card. */
  async sell(atOnce: number): Promise<void> {
    const card = await this.api.attach(this.buyer.account_id, 'visa');
    this.#selling = Array.from({ length: atOnce }, async () => {
      for (let n = 0; !this.#ending; n += 1) {
        await this.#sale(n % 10 === 0 ? card : this.buyer.method);
        await pause(BETWEEN_MS);
      }
    });
  }

  async end(): Promise<void> {
    this.#ending = true;
    await Promise.all(this.#selling);
  }

  close(): void {
    this.#receiver.close();
    this.#receiver.closeAllConnections();
  }

  /** A one-time link for its buyer. */
  async link(): Promise<URL> {
    const body = { account_id: this.buyer.account_id };
    const path = '/authorize/user';
    const made = await this.api.must<{ redirect: string }>(200, 'auth', 'POST', path, { body });
    return new URL(made.redirect);
  }

  /** Gives it so many stored answers, as a tenant that has been there for long has them. */
  async grow({ db }: Installation, rows: number): Promise<void> {
    await db.execute({
      text: `insert into idempotency (workspace, scope, fingerprint, status, answer)
        select workspace, 'grown-' || n, 'grown-' || n, 201, '{"invoice_id":"' || n || '"}'
        from workspace, generate_series(1, $2) n where integrator = $1`,
      values: [this.integrator, rows],
    });
  }

  /** All events after a sequence number. */
  async stream(after: number): Promise<readonly { readonly sequence: number }[]> {
    const all: { readonly sequence: number }[] = [];
    for (let from = after; ; from = all.at(-1)?.sequence ?? 0) {
      const path = `/v1/events?after=${from}&limit=500`;
      const page = await this.api.must<{ events: typeof all }>(200, 'invoicing', 'GET', path);
      if (page.events.length === 0) return all;
      all.push(...page.events);
    }
  }

  /** Sells once: each request is repeated under its key until it is answered with success. */
  async #sale(method: string): Promise<void> {
    const { buyer, seller } = this;
    const recipient = { amount: 1, currency: 'USD', destination_wallet_id: seller.wallet_id };
    const type = { transaction_type: 'user_to_user', product_sku: 'sku' };
    const body = {
      ...{ account_id: buyer.account_id, reference_type: 'test', reference_id: '1' },
      payment_methods: [{ payment_method_id: method }],
      line_items: [{ ...type, amount: 1, currency: 'USD', recipients: [recipient] }],
    };
    const made = randomUUID();
    const created = await this.#until((api) => api.create(body, made));
    if (created === null) return;
    const { invoice_id: id } = created.payload as { invoice_id: string };
    const key = randomUUID();
    if ((await this.#until((api) => api.pay(id, key))) !== null) this.paid.push(id);
  }

  #last = performance.now();

  async #until(ask: (api: Api) => Promise<Reply>): Promise<Reply | null> {
    while (!this.#ending) {
      const api = this.api;
      const reply = await ask(api).catch((error: Error) => error);
      if (!(reply instanceof Error) && reply.status < 300) {
        this.longestMs = Math.max(this.longestMs, performance.now() - this.#last);
        this.#last = performance.now();
        return reply;
      }
      const why = reply instanceof Error ? reply.message : `${reply.status} ${reply.code}`;
      this.refused.set(why, (this.refused.get(why) ?? 0) + 1);
      // As a directory in front would: the other side is asked once this one no longer answers.
      if (api === this.api && /421|401|token/.test(why)) await this.#look();
      else await pause(50);
    }
    return null;
  }

  /** Finds who serves the tenant; stays where it was if nobody does. */
  async #look(): Promise<void> {
    for (const home of this.#homes) {
      const api = this.#at(home);
      const isServed = await api.token().then(() => true, () => false);
      if (isServed) this.api = api;
    }
    await pause(50);
  }
}
