// The adapter of Stripe against the Stripe-shaped server: two accounts as two workspaces, and what
// the processor's contract suite asks of the outside.
import { provider } from '../../../src/providers/stripe/index.ts';
import type { ProcessorBench } from '../../../src/providers/processor/processor.contract.ts';
import type { Processor } from '../../../src/providers/processor/port.ts';
import { tokenOf } from '../../../src/providers/stripe/intents.ts';
import type { Account } from './account.ts';
import { changeSeller, openSeller, reverseTransfer } from './connect.ts';
import { changeDispute, openDispute } from './disputes.ts';
import type { Behaviour } from './objects.ts';
import { openStripe, type StripeServer } from './server.ts';

export const WORKSPACES = [7, 8] as const;
export const WEBHOOK_SECRET = 'whsec_0123456789abcdef';

export function secretOf(workspace: number): string {
  return `sk_test_${'0'.repeat(8)}${workspace}`;
}

/** A connection of a workspace to the server. */
export function connectTo(server: { readonly url: string }, workspace: number, timeoutMs = 5_000) {
  return provider.connect({
    workspace,
    credentials: {
      secret_key: secretOf(workspace),
      webhook_secrets: [WEBHOOK_SECRET],
      pay_once: ['card', 'ideal'],
    },
    baseUrl: server.url,
    noticeUrl: 'http://127.0.0.1/notices',
    returnUrl: 'http://127.0.0.1/returned',
    timeoutMs,
  });
}

/** Saves a card or account in an account, as Checkout would; gives its token. */
export function savedIn(account: Account, does: Behaviour): string {
  const { customer, id } = account.save(does);
  return tokenOf(customer, id, does.type);
}

/** A seller's account that can be paid. */
export function payableIn(account: Account): string {
  const asked = { type: 'express', transfers: true, country: null, email: null, metadata: {} };
  return changeSeller(account, openSeller(account, asked).id, []).id;
}

/** Connections by workspace as one processor. */
export function routed(of: (workspace: number) => Processor): Processor {
  return {
    onceKinds: (workspace) => of(workspace).onceKinds(workspace),
    payoutEntries: (workspace) => of(workspace).payoutEntries(workspace),
    authorize: (order) => of(order.workspace).authorize(order),
    capture: (order) => of(order.workspace).capture(order),
    reverse: (order) => of(order.workspace).reverse(order),
    retrieve: (order) => of(order.workspace).retrieve(order),
    remit: (order) => of(order.workspace).remit(order),
    retrieveTransfer: (order) => of(order.workspace).retrieveTransfer(order),
    answerDispute: (order) => of(order.workspace).answerDispute(order),
    retrieveAnswer: (order) => of(order.workspace).retrieveAnswer(order),
    statement: (workspace, cursor) => of(workspace).statement(workspace, cursor),
    readNotice: () => null,
  };
}

/** Makes an event of the outside world happen to the payment of a key. */
export function happening(account: Account, key: string, event: string): boolean {
  const sent = [...account.transfers.values()].find(({ transfer_group }) => transfer_group === key);
  if (sent !== undefined) {
    return event === 'return' && reverseTransfer(account, sent, sent.amount);
  }
  const all = [...account.intents.values()];
  const intent = all.find(({ metadata }) => metadata.holdfast_key === key);
  if (intent === undefined) return false;
  if (event === 'settle' || event === 'fail') return account.settle(intent.id, event === 'settle');
  if (event === 'chargeback') openDispute(account, intent.id, 'fraudulent');
  else {
    const of = [...account.disputes.values()].find((one) => one.payment_intent === intent.id);
    if (of === undefined) return false;
    changeDispute(account, of, event.replace('dispute_', '') as 'won');
  }
  return true;
}

export interface StripeBench extends ProcessorBench {
  readonly server: StripeServer;
}

export async function stripeBench(): Promise<StripeBench> {
  const server = await openStripe();
  const links = new Map(WORKSPACES.map((workspace) => [workspace, connectTo(server, workspace)]));
  const accountOf = (workspace: number): Account => server.account(secretOf(workspace));
  const card = async (workspace: number, does: Omit<Behaviour, 'type'> = {}): Promise<string> =>
    savedIn(accountOf(workspace), { type: 'card', ...does });
  return {
    server,
    processor: routed((workspace) => {
      const link = links.get(workspace as (typeof WORKSPACES)[number]);
      if (link === undefined) throw new Error('no such workspace');
      return link.processor;
    }),
    workspaces: WORKSPACES,
    limited: true,
    goodCard: (workspace) => card(workspace),
    declinedCard: async (workspace) => ({
      token: await card(workspace, { declines: 'insufficient_funds' }),
      code: 'insufficient_funds',
    }),
    captureDeclinedCard: async (workspace) => ({
      token: await card(workspace, { declines: 'do_not_honor', at: 'capture' }),
      code: 'card_declined',
    }),
    challengedCard: (workspace) => card(workspace, { challenged: true }),
    async decide(url, decision) {
      return (await fetch(url, { method: 'POST', body: JSON.stringify({ decision }) })).status;
    },
    bankAccount: async (workspace) =>
      savedIn(accountOf(workspace), { type: 'us_bank_account' }),
    payableAccount: async (workspace) => payableIn(accountOf(workspace)),
    happen: async (workspace, key, event) =>
      happening(accountOf(workspace), key, event) ? 'done' : 'refused',
    async effects(workspace, key) {
      const { transactions, charges, refunds, transfers } = accountOf(workspace);
      const count = (book: ReadonlyMap<string, { readonly metadata: Record<string, string> }>) =>
        transactions.filter(({ source }) => book.get(source)?.metadata.holdfast_key === key).length;
      return { captures: count(charges), refunds: count(refunds), payouts: count(transfers) };
    },
    async close() {
      for (const link of links.values()) await link.close();
      await server.close();
    },
  };
}
