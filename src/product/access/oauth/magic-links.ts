// One-time magic links into web flows: created with a nonce that is stored only as a hash, valid
// for 24 hours by the workspace's clock. Opening one is in sessions.ts.
import { hash } from 'node:crypto';
import type { OAuthServices } from './services.ts';
import { sql } from '../../../db/index.ts';

const NONCE_BYTES = 32;
/** Seconds that a link can be opened. */
export const LINK_SECONDS = 86_400;

/** A link to create. */
export interface LinkRequest {
  readonly workspace: number;
  readonly clientId: string;
  /** The account's UUID. */
  readonly account: string;
  readonly mechanism: string;
  readonly flow: string | null;
  /** The authorized invoice of a checkout link. [G-45] */
  readonly authorizedInvoice?: AuthorizedInvoiceOfLink;
  /** The tenant's id, which addresses of hosted pages contain. */
  readonly integrator: string;
  readonly scopes: readonly string[];
  /** True: opening it grants only those scopes that the flow needs. [G-12] */
  readonly byFlow?: boolean;
  /** Seconds that the session of the link lives. */
  readonly sessionSeconds: number;
  /** Id and nonce of a link that a repeated answer creates again; absent: new ones. */
  readonly known?: { readonly id: string; readonly nonce: Buffer };
}

export interface AuthorizedInvoiceOfLink {
  readonly id: string;
  readonly isEscrow: boolean;
}

/** A created link. Its nonce is only in the address. */
export interface Link {
  /** The interface's nonce_auth_id. */
  readonly id: string;
  readonly redirect: string;
}

/** What creating a link needs; `db` may be a transaction. */
export type LinkServices = Pick<OAuthServices, 'random' | 'urls'> & {
  readonly db: Pick<OAuthServices['db'], 'execute'>;
};

/** Creates a link. [seed: Authentication 4, G-13] */
export async function createLink(services: LinkServices, request: LinkRequest): Promise<Link> {
  const id = request.known?.id ?? services.random.uuid();
  const bytes = request.known?.nonce ?? services.random.bytes(NONCE_BYTES);
  const nonce = bytes.toString('base64url');
  await services.db.execute({
    name: 'oauth_link_insert',
    text: `insert into link (nonce_hash, id, workspace, client_id, account_id, mechanism, flow,
      scopes,
        session_seconds, authorized_invoice_id, is_escrow, by_flow, expires)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
        workspace_now($3) + make_interval(secs => $13))
      on conflict do nothing`,
    values: [
      hash('sha256', nonce),
      id,
      request.workspace,
      request.clientId,
      request.account,
      request.mechanism,
      request.flow,
      request.scopes,
      request.sessionSeconds,
      request.authorizedInvoice?.id ?? null,
      request.authorizedInvoice?.isEscrow ?? false,
      request.byFlow ?? false,
      LINK_SECONDS,
    ],
  });
  return { id, redirect: addressOf(services.urls, request, nonce) };
}

/**
 * The address of a link. Its query parameters are only informative; the stored record decides.
 * [G-77]
 */
function addressOf(
  urls: LinkServices['urls'],
  { mechanism, flow, integrator, authorizedInvoice: about }: LinkRequest,
  nonce: string,
): string {
  const widget = mechanism === 'widget';
  const escrow = String(about?.isEscrow ?? false);
  if (about === undefined) {
    return widget
      ? `${urls.widget}/ui/appauth/${nonce}`
      : `${urls.hosted}/${integrator}/${flow ?? ''}/${nonce}`;
  }
  const query = widget
    ? {
        ...{ authorized_invoice_id: about.id, integrator, is_escrow: escrow },
        is_virtual: 'false',
      }
    : { line_items_payload_id: about.id, is_escrow: escrow };
  const page = widget ? `${urls.widget}/ui/appauth` : `${urls.hosted}/checkout`;
  return `${page}/${nonce}?${new URLSearchParams(query)}`;
}

/** [G-14] */
export type LinkStatus = 'unused' | 'used' | 'expired';

/** The status of a link of this workspace, or null. */
export async function readLinkStatus(
  services: Pick<OAuthServices, 'db'>,
  workspace: number,
  id: string,
): Promise<LinkStatus | null> {
  const rows = await services.db.query<{ status: LinkStatus }>(sql`
    select case when used_at is not null then 'used'
      when expires <= workspace_now(workspace) then 'expired' else 'unused' end as status
    from link where id = ${id} and workspace = ${workspace}`);
  return rows[0]?.status ?? null;
}
