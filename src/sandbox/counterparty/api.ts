// The sandbox's simulated counterparties: the list of what each can be scripted to do, scripts for
// their next provider calls, and their books. Staging only. [G-64]
import { isUuid } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import {
  COUNTERPARTIES,
  type SandboxCounterparties,
  type WaitingScript,
} from '../ports/counterparties.ts';
import type { Queryable } from '../../db/index.ts';
import type { DomainOperation } from '../../product/context.ts';
import { operation, type SandboxServices } from '../services.ts';
import { once } from '../../product/idempotent/index.ts';
import { tokenOf } from '../control/index.ts';
import { refusals as wallet } from '../../product/money/wallet/index.ts';
import { refusals } from './refusals.ts';
import {
  bookPath,
  bookRecord,
  cleared,
  counterpartyList,
  pageQuery,
  renderRequest,
  scriptBody,
  scriptList,
  scriptRecord,
  type ScriptBody,
} from './schema.ts';

export const common = {
  cites: 'G-64',
  access: { client: 'write_sandbox' },
  stagingOnly: true,
} as const;

/** The most pending scripts of a workspace. */
const WAITING_MAX = 1_000;

/** The simulated counterparties. Throws a Refusal where they are real. */
export function commanded({ counterparties }: SandboxServices): SandboxCounterparties {
  if (counterparties === null) throw refuse(refusals.COUNTERPARTIES_ABSENT);
  return counterparties;
}

const list = operation({
  ...common,
  id: 'sandboxCounterparties',
  route: 'GET invoicing /sandbox/counterparties',
  summary: 'Lists the scriptable behaviors of processor, bank, vendor and receivers.',
  answers: { 200: counterpartyList },
  async run({ counterparties }) {
    return { status: 200, payload: { counterparties: counterparties?.all ?? [] } };
  },
});

/** The call that is meant: the named one, or the first that allows this answer. */
export function questionOf(
  { all }: SandboxCounterparties,
  { counterparty, exchange, operation: asked }: ScriptBody,
): string {
  const facts = all.find(({ name }) => name === counterparty)?.exchanges ?? [];
  const { operations = [] } = facts.find(({ name }) => name === exchange) ?? {};
  const found = asked === undefined ? operations[0] : operations.find((one) => one === asked);
  if (found === undefined) {
    throw refuse(refusals.EXCHANGE_UNKNOWN, { exchange: 'is not supported' });
  }
  return found;
}

/** The counterparty's key of the target; '' for any. */
async function targetOf(
  services: SandboxServices,
  workspace: number,
  { counterparty, on }: ScriptBody,
): Promise<string> {
  if (on === undefined) return '';
  const { persons, receivers } = commanded(services);
  if (counterparty === 'processor') {
    if (!isUuid(on)) throw refuse(wallet.PAYMENT_METHOD_NOT_FOUND);
    return tokenOf(services, workspace, on);
  }
  const known =
    counterparty === 'vendor'
      ? persons.has(on)
      : isUuid(on) && (await receivers.find(services.db, workspace, on)) !== null;
  if (!known) throw refuse(refusals.SCRIPT_TARGET_UNKNOWN, { on: 'does not exist' });
  return on;
}

const play = operation({
  ...common,
  id: 'sandboxScript',
  route: 'POST invoicing /sandbox/scripts',
  summary: 'Scripts the next calls of a counterparty, for one of its targets or for any.',
  body: scriptBody,
  answers: { 201: scriptRecord },
  refusals: [
    refusals.COUNTERPARTIES_ABSENT,
    refusals.EXCHANGE_UNKNOWN,
    wallet.PAYMENT_METHOD_NOT_FOUND,
    refusals.SCRIPT_TARGET_UNKNOWN,
    refusals.SCRIPT_LIMIT,
  ],
  async run(services, { caller: { workspace }, body, idempotency }) {
    const parties = commanded(services);
    const { counterparty, exchange, times = 1, on = null } = body;
    const asked = questionOf(parties, body);
    const token = await targetOf(services, workspace, body);
    const order = { counterparty, operation: asked, exchange, times, token };
    return once(services.db, workspace, idempotency, async (tx) => {
      const before = await parties.waiting(tx, workspace);
      if (before.length >= WAITING_MAX) throw refuse(refusals.SCRIPT_LIMIT);
      const script_id = await parties.script(tx, workspace, order);
      const payload = { script_id, counterparty, operation: asked, exchange };
      return { status: 201, payload: { ...payload, remaining: times, on } };
    });
  },
});

/** Card tokens are never shown: their payment methods are named instead. */
async function shown(
  db: Queryable,
  workspace: number,
  scripts: readonly WaitingScript[],
): Promise<readonly object[]> {
  const rows = await db.query<{ id: string; token: string }>({
    text: `select id, processor_token as token from payment_method
      where workspace = $1 and processor_token = any ($2)`,
    values: [workspace, scripts.map(({ token }) => token).filter((token) => token !== '')],
  });
  const methods = new Map(rows.map(({ id, token }) => [token, id]));
  return scripts.map(({ token, ...script }) => {
    const own = script.counterparty === 'processor' ? (methods.get(token) ?? null) : token;
    return { ...script, on: token === '' ? null : own };
  });
}

const listScripts = operation({
  ...common,
  id: 'sandboxScripts',
  route: 'GET invoicing /sandbox/scripts',
  summary: 'Lists the pending scripts in the order in which they apply.',
  answers: { 200: scriptList },
  async run({ db, counterparties }, { caller: { workspace } }) {
    const scripts = (await counterparties?.waiting(db, workspace)) ?? [];
    return { status: 200, payload: { scripts: await shown(db, workspace, scripts) } };
  },
});

const clearScripts = operation({
  ...common,
  id: 'sandboxClearScripts',
  route: 'DELETE invoicing /sandbox/scripts',
  summary: 'Deletes all pending scripts of the workspace.',
  answers: { 200: cleared },
  refusals: [refusals.COUNTERPARTIES_ABSENT],
  async run(services, { caller: { workspace }, idempotency }) {
    const parties = commanded(services);
    return once(services.db, workspace, idempotency, async (tx) => {
      return { status: 200, payload: { cleared: await parties.clear(tx, workspace) } };
    });
  },
});

const KEY = /^[A-Za-z0-9._:-]*$/;
const NUMBER = /^(?:|[0-9]{1,18})$/;

/** The cursor of a page. Throws a Refusal for a malformed one. */
export function placeIn(counterparty: string, after = ''): string {
  const numbered = counterparty === 'bank' || counterparty === 'receiver';
  if (!(numbered ? NUMBER : KEY).test(after)) throw refuse(refusals.BOOK_PAGE_UNKNOWN);
  return after;
}

const readBook = operation({
  ...common,
  id: 'sandboxBook',
  route: 'GET invoicing /sandbox/books/{counterparty}',
  summary: 'Lists the calls and records of a counterparty, page by page.',
  params: bookPath,
  query: pageQuery,
  answers: { 200: bookRecord },
  refusals: [
    refusals.COUNTERPARTY_NOT_FOUND,
    refusals.COUNTERPARTIES_ABSENT,
    refusals.BOOK_PAGE_UNKNOWN,
  ],
  async run(services, { caller: { workspace }, params, query }) {
    const counterparty = COUNTERPARTIES.find((name) => name === params.counterparty);
    if (counterparty === undefined) throw refuse(refusals.COUNTERPARTY_NOT_FOUND);
    const after = placeIn(counterparty, query.after);
    const page = await commanded(services).book(services.db, counterparty, workspace, after);
    const { next } = page;
    const entries = counterparty === 'receiver' ? page.entries.map(renderRequest) : page.entries;
    return { status: 200, payload: { counterparty, entries, next } };
  },
});

export const commandOperations: readonly DomainOperation[] = [
  list,
  play,
  listScripts,
  clearScripts,
  readBook,
];
