// Creates the sandbox tenant at a first start (workspace, client with every scope, a buyer with
// money and cards, two sellers, terms to accept) through the same operations that integrators call.
// [G-01, G-02] It is stored encrypted, so that later starts print the same.
import { sql, type Database } from '../db/index.ts';
import { createClient, SCOPE_NAMES } from '../product/access/oauth/index.ts';
import { ensureSandboxBank } from './control/index.ts';
import { createOperator } from '../product/access/operator/index.ts';
import { createWorkspace, findWorkspace } from '../product/tenant/tenant/index.ts';
import { ensureSandboxTerms } from '../product/people/terms/index.ts';
import { endForwarding, ensureEndpoint } from '../product/tell/webhook/index.ts';
import type { Services } from '../product/context.ts';
import { operations } from '../catalogue.ts';
import { module as control } from './control/module.ts';
import { rememberBeginning } from './workspace/index.ts';
import { keepNote, readNote } from '../installation.ts';
import { accountId } from '../core/ids.ts';
import type { Caller } from '../core/operation.ts';

/** What the ready line shows of the sandbox tenant. */
interface Sandbox {
  readonly workspace: number;
  readonly integrator: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly webhook: { readonly secret: string };
  readonly accounts: {
    readonly buyer: {
      readonly account_id: string;
      readonly wallet_id: string;
      readonly wallet_payment_method_id: string;
      readonly card_payment_method_id: string;
      readonly declined_card_payment_method_id: string;
    };
    readonly seller: SeededSeller;
    readonly seller2: SeededSeller;
  };
}

interface SeededSeller {
  readonly account_id: string;
  readonly wallet_id: string;
}

/** How to sign in to the sandbox's console. */
interface ConsoleAccess {
  readonly username: string;
  readonly password: string;
  readonly totp_secret: string;
}

/** What the ready line shows of it all. */
export type Opened = Omit<Sandbox, 'workspace'> & { readonly console: ConsoleAccess };

/** What seeding calls. */
const OPERATIONS = [...operations, ...(control.operations ?? [])];

const NOTE = 'sandbox';
const CONSOLE_NOTE = 'sandbox_console';
const LOCK = 4_604_127_002;
const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY'];
const BUYER_FUNDS = 100_000;

/**
 * Creates or reads the sandbox tenant and returns what the ready line shows. Its events go to
 * `forwardTo`, also after each rollback (learned from `news`); undefined leaves the endpoints as
 * they are. [G-02]
 */
export async function openSandbox(
  db: Database,
  services: Services,
  forwardTo: string | null | undefined,
  news: { also(read: () => Promise<void>): void },
): Promise<Opened> {
  const sandbox = await seedSandbox(db, services);
  const { client, integrator, webhook, accounts } = sandbox;
  let forwarded: number | null = null;
  const forward = async (): Promise<number> => {
    // A rollback has replaced the workspace.
    const workspace = (await findWorkspace(db, integrator)) ?? sandbox.workspace;
    if (workspace !== forwarded)
      await forwardEvents(services, { ...sandbox, workspace }, forwardTo);
    return (forwarded = workspace);
  };
  const workspace = await forward();
  news.also(async () => void (await forward()));
  await rememberBeginning(db, workspace);
  return { client, integrator, webhook, accounts, console: await seedOperator(db, services) };
}

/** Reads or creates the sandbox tenant; two nodes that start at once create one. */
async function seedSandbox(db: Database, services: Services): Promise<Sandbox> {
  await ensureSandboxTerms(db);
  return onceNoted(db, services, NOTE, () => makeSandbox(db, services));
}

/** Reads the console sign-in, or creates its operator. */
function seedOperator(db: Database, services: Services): Promise<ConsoleAccess> {
  return onceNoted(db, services, CONSOLE_NOTE, async () => {
    const request = {
      name: 'Olivia Operator',
      username: 'operator',
      roles: ['supervisor', 'operator'],
      workspaces: 'all',
      mustChange: false,
    } as const;
    const { username, password, totp_secret } = await createOperator(
      { ...services, db },
      request,
      'system',
    );
    return { username, password, totp_secret };
  });
}

/** Makes something once per installation; later starts read it. */
async function onceNoted<T extends object>(
  db: Database,
  { keys, random }: Services,
  note: string,
  make: () => Promise<T>,
): Promise<T> {
  const before = await readNote(db, keys, note);
  if (before !== null) return JSON.parse(before) as T;
  const connection = await db.connection();
  try {
    await connection.query(sql`select pg_advisory_lock(${LOCK})`);
    const meanwhile = await readNote(db, keys, note);
    if (meanwhile !== null) return JSON.parse(meanwhile) as T;
    const made = await make();
    await keepNote(db, keys, random, note, JSON.stringify(made));
    return made;
  } finally {
    await connection.query(sql`select pg_advisory_unlock(${LOCK})`);
    connection.release();
  }
}

async function makeSandbox(db: Database, services: Services): Promise<Sandbox> {
  const { workspace, integrator } = await createWorkspace(db, {
    name: 'Sandbox',
    currencies: CURRENCIES,
  });
  for (const currency of CURRENCIES) await ensureSandboxBank(services, workspace, currency);
  const client = await createClient(services, { workspace, name: 'Sandbox', scopes: SCOPE_NAMES });
  const caller: Caller = {
    workspace,
    integrator,
    clientId: client.client_id,
    kind: 'client',
    accountId: null,
    scopes: new Set(SCOPE_NAMES),
  };
  const call = callerOf(services, caller);
  const buyer = await makeAccount(db, call, workspace, 'buyer', 'Bea Buyer');
  const seller = await makeAccount(db, call, workspace, 'seller', 'Sam Seller');
  const seller2 = await makeAccount(db, call, workspace, 'seller2', 'Sue Seller');
  await call('sandboxDeposit', {
    body: { account_id: buyer.account_id, currency: 'USD', amount: BUYER_FUNDS },
  });
  const declined = await attach(call, buyer.account_id, 'card_declined');
  // The newest payment method is listed first, so the newest card is one that pays. [G-47]
  const card = await attach(call, buyer.account_id, 'visa');
  await call('setAccountKYCState', {
    params: { account_id: seller.account_id },
    body: { state: 'ACCEPT' },
  });
  return {
    workspace,
    integrator,
    client,
    webhook: { secret: `whsec_${services.random.bytes(32).toString('base64')}` },
    accounts: {
      buyer: {
        account_id: buyer.account_id,
        wallet_id: buyer.wallet_id,
        wallet_payment_method_id: buyer.method_id,
        card_payment_method_id: card,
        declined_card_payment_method_id: declined,
      },
      seller: { account_id: seller.account_id, wallet_id: seller.wallet_id },
      seller2: { account_id: seller2.account_id, wallet_id: seller2.wallet_id },
    },
  };
}

type Call = (id: string, input: { params?: object; body?: object }) => Promise<unknown>;

/** Runs operations by id as this caller, through their own schemas. */
function callerOf(services: Services, caller: Caller): Call {
  return async (id, { params = {}, body = {} }) => {
    const operation = OPERATIONS.find((candidate) => candidate.id === id);
    if (operation === undefined) throw new Error(`there is no operation ${id}`);
    const answer = await operation.run(services, {
      caller,
      params: operation.params.parse(params),
      query: {},
      body: operation.body === null ? undefined : operation.body.parse(body),
      idempotency: null,
      headers: {},
    });
    return answer.payload;
  };
}

async function makeAccount(
  db: Database,
  call: Call,
  workspace: number,
  username: string,
  fullName: string,
): Promise<{ account_id: string; wallet_id: string; method_id: string }> {
  const made = (await call('registerAccount', {
    body: {
      username,
      full_name: fullName,
      email: { address: `${username}@example.test`, requires_verification: false },
    },
  })) as { account_id: string };
  const rows = await db.query<{ account_id: string; id: string; payment_method_id: string }>(sql`
    select account_id, id, payment_method_id from wallet
    where workspace = ${workspace} and currency = 'USD' and account_id is not null`);
  const wallet = rows.find((row) => accountId(row.account_id) === made.account_id);
  if (wallet === undefined) throw new Error('a registered account has no wallet');
  return {
    account_id: made.account_id,
    wallet_id: wallet.id,
    method_id: wallet.payment_method_id,
  };
}

async function attach(call: Call, account: string, testCard: string): Promise<string> {
  const method = (await call('sandboxAttachCard', {
    body: { account_id: account, test_card: testCard },
  })) as { id: string };
  return method.id;
}

/** Sends all events of the sandbox tenant to `url`; null: to nobody. */
async function forwardEvents(
  services: Services,
  { workspace, webhook: { secret } }: Sandbox,
  url: string | null | undefined,
): Promise<void> {
  if (url === undefined) return;
  if (url === null) await endForwarding(services, workspace);
  else await ensureEndpoint(services, { workspace, url, secret });
}
