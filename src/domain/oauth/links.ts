// Answers for one-time links into web flows: made here with a nonce that is stored as a hash only,
// valid for 24 hours by the clock of the world. Refuses to know the page that opens them.
import { hash } from 'node:crypto';
import type { OAuthServices } from './services.ts';

const NONCE_BYTES = 32;
/** Seconds that a link can be opened. */
export const LINK_SECONDS = 86_400;

/** What a link is to open. */
export interface LinkRequest {
  readonly world: number;
  readonly clientId: string;
  /** The account's UUID. */
  readonly account: string;
  readonly mechanism: string;
  readonly flow: string | null;
  /** What a checkout link is about. [G-45] */
  readonly authorizedInvoice?: AuthorizedInvoiceOfLink;
  /** The tenant's id: hosted pages of a flow have it in their address. */
  readonly integrator: string;
  readonly scopes: readonly string[];
  /** True: opening leaves those only that the flow needs. [G-12] */
  readonly byFlow?: boolean;
  /** Seconds that the session lives which the link opens. */
  readonly sessionSeconds: number;
  /** Id and nonce of a link that is made again with a repeated answer; fresh ones if absent. */
  readonly known?: { readonly id: string; readonly nonce: Buffer };
}

/** The authorized invoice of a link. */
export interface AuthorizedInvoiceOfLink {
  readonly id: string;
  readonly isEscrow: boolean;
}

/** A link that was made. The nonce stands in the address only, and nowhere else. */
export interface Link {
  /** The interface's nonce_auth_id. */
  readonly id: string;
  readonly redirect: string;
}

/** What makes a link: also within a transaction. */
export type LinkServices = Pick<OAuthServices, 'entropy' | 'urls'> & {
  readonly db: Pick<OAuthServices['db'], 'execute'>;
};

/** Makes a link. [seed: Authentication 4, G-13] */
export async function createLink(services: LinkServices, request: LinkRequest): Promise<Link> {
  const id = request.known?.id ?? services.entropy.uuid();
  const bytes = request.known?.nonce ?? services.entropy.bytes(NONCE_BYTES);
  const nonce = bytes.toString('base64url');
  await services.db.execute({
    name: 'oauth_link_insert',
    text: `insert into link (nonce_hash, id, world, client_id, account_id, mechanism, flow, scopes,
        session_seconds, authorized_invoice_id, is_escrow, by_flow, expires)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
        world_now($3) + make_interval(secs => $13))
      on conflict do nothing`,
    values: [
      hash('sha256', nonce),
      id,
      request.world,
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
 * The address of a link. What stands in the query tells people and programs what they have in hand;
 * the stored record decides. [G-77]
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

/** What has become of a link. [G-14] */
export type LinkStatus = 'unused' | 'used' | 'expired';

/** Status of a link of this world, or null when it has none of this id. */
export async function readLinkStatus(
  services: Pick<OAuthServices, 'db'>,
  world: number,
  id: string,
): Promise<LinkStatus | null> {
  const rows = await services.db.query<{ status: LinkStatus }>({
    text: `select case when used_at is not null then 'used'
        when expires <= world_now(world) then 'expired' else 'unused' end as status
      from link where id = $1 and world = $2`,
    values: [id, world],
  });
  return rows[0]?.status ?? null;
}
