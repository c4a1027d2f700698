// Authorized invoices for tests: authorize a sale, open its link as a buyer's browser does, act by
// the session.
import assert from 'node:assert/strict';
import { Api, type MethodPart, type Reply } from './api.ts';

/** What authorizing answers. [seed: Authorized invoice result] */
export interface Authorized {
  readonly nonce_auth_id?: string;
  readonly authorized_invoice_id: string;
  readonly redirect: string;
}

/** What tests read of an authorized invoice. */
export interface AuthorizedSeen {
  readonly state: string;
  readonly invoice_id: string;
  readonly escrow_id: string;
}

interface Session {
  readonly to_agree: { readonly terms: { readonly version: number } | null } | null;
  readonly access_token: string;
  readonly resume: string;
}

/** Authorizes a sale for the buyer that its body names. */
export function authorize(api: Api, body: object): Promise<Authorized> {
  const { payment_methods: _, ...sale } = { invoice_mechanism: 'widget', ...body } as {
    payment_methods?: unknown;
  };
  return api.must(200, 'invoicing', 'POST', '/v2/authorize/invoice', { body: sale });
}

/** Opens a link as a browser does, agreeing to all; gives the session's token. */
export async function openedToken(redirect: string): Promise<string> {
  const { origin, pathname } = new URL(redirect);
  const nonce = pathname.split('/').at(-1);
  const post = async (more: object): Promise<Session> => {
    const answer = await fetch(`${origin}/ui/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ nonce, ...more }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return (JSON.parse(text) as { payload: Session }).payload;
  };
  const first = await post({});
  if (first.to_agree === null) return first.access_token;
  const terms_version = first.to_agree.terms?.version;
  const agree = { consent: true, ...(terms_version !== undefined && { terms_version }) };
  return (await post({ resume: first.resume, agree })).access_token;
}

/** A client that acts by the session of a link. */
export async function buyerOf(api: Api, { redirect }: Authorized): Promise<Api> {
  return new Api(api.ready, await openedToken(redirect));
}

/** Tries to make an invoice, or an escrow, of what was authorized. */
export function makeOf(
  api: Api,
  kind: 'invoice' | 'escrow',
  authorized_invoice_id: string,
  payment_methods: readonly MethodPart[],
  key?: string,
): Promise<Reply> {
  const body = { authorized_invoice_id, payment_methods };
  return api.send('invoicing', 'POST', `/v2/${kind}`, { body, ...(key && { key }) });
}

export function readAuthorized(api: Api, id: string): Promise<AuthorizedSeen> {
  return api.must(200, 'invoicing', 'GET', `/v2/authorize/invoice/${id}`);
}
