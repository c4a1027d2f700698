// The adapter of Stripe Identity against the Stripe-shaped server: two accounts as two workspaces,
// and persons who do at Stripe's page what their last name says.
import type { VendorBench } from '../../../src/providers/identity/identity-vendor.contract.ts';
import type { CheckOrder, IdentityVendor } from '../../../src/providers/identity/port.ts';
import { identity } from '../../../src/providers/stripe/index.ts';
import { identityOf, type IdentityBook, type Shown, type Visit } from './identity.ts';
import { openStripe, type StripeServer } from './server.ts';

export const WORKSPACES = [7, 8] as const;
export const WEBHOOK_SECRET = 'whsec_identity0123';

export const secretOf = (workspace: number): string => `rk_test_identity0${workspace}`;

/** A connection of a workspace to the server. */
export function connectTo(server: { readonly url: string }, workspace: number, timeoutMs = 5_000) {
  return identity.connect({
    workspace,
    credentials: { secret_key: secretOf(workspace), webhook_secrets: [WEBHOOK_SECRET] },
    baseUrl: server.url,
    noticeUrl: 'http://127.0.0.1/notices',
    returnUrl: 'http://127.0.0.1/returned',
    timeoutMs,
  });
}

/** The document of who was stated. */
export function documentOf({ person }: CheckOrder, change: Partial<Shown> = {}): Shown {
  return {
    first_name: person.first.toUpperCase(),
    last_name: person.last.toUpperCase(),
    dob: person.date_of_birth,
    id_number: `12345${person.ssn_last4}`,
    ...change,
  };
}

/** What a person of a last name does. */
function visitOf(order: CheckOrder): Visit {
  const failed = (code: string): Visit => ({ status: 'requires_input', code });
  switch (order.person.last) {
    case 'Denied':
      return failed('document_expired');
    case 'Review':
      return failed('consent_declined');
    case 'Incomplete':
      return failed('phone_verification_declined');
    case 'Pending':
      return { status: 'processing' };
    default:
      return { status: 'verified', shows: documentOf(order) };
  }
}

export interface IdentityBench extends VendorBench {
  readonly server: StripeServer;
  book(workspace: number): IdentityBook;
}

export async function identityBench(): Promise<IdentityBench> {
  const server = await openStripe();
  const links = new Map<number, ReturnType<typeof connectTo>>(
    WORKSPACES.map((workspace) => [workspace, connectTo(server, workspace)]),
  );
  const of = (workspace: number): IdentityVendor => {
    const link = links.get(workspace);
    if (link === undefined) throw new Error('no such workspace');
    return link.identityVendor;
  };
  const book = (workspace: number) => identityOf(server.account(secretOf(workspace)), server.url);
  const orders = new Map<string, CheckOrder>();
  return {
    ...{ server, book, workspaces: WORKSPACES },
    ...{ accepted: 'Example', denied: 'Denied', review: 'Review', incomplete: 'Incomplete' },
    pending: 'Pending',
    vendor: {
      begin: (order) => of(order.workspace).begin(order),
      retrieve: (workspace, key) => of(workspace).retrieve(workspace, key),
      page: (workspace, key) => of(workspace).page(workspace, key),
      abandon: (workspace, key) => of(workspace).abandon(workspace, key),
      forget: (workspace, key) => of(workspace).forget(workspace, key),
      readNotice: () => null,
    },
    async visit(order) {
      orders.set(order.key, order);
      book(order.workspace).visit(order.key, visitOf(order));
    },
    async decide(workspace, key) {
      const order = orders.get(key);
      if (order === undefined) throw new Error('nobody has been there');
      book(workspace).visit(key, { status: 'verified', shows: documentOf(order) });
    },
    checks: async (workspace) => book(workspace).sessions.size,
    async close() {
      await Promise.all([...links.values()].map((link) => link.close()));
      await server.close();
    },
  };
}
