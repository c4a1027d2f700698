// Session exchange: from a one-time magic link to a session in a browser. It decides what must be
// agreed to first, who may resume, and what a page may know before a click.
import { isUuid } from '../../../core/ids.ts';
import type { Queryable } from '../../../db/index.ts';
import { readLink, type StandingLink } from '../oauth/index.ts';
import { settingsOf, type TenantSettings } from '../../tenant/settings/index.ts';

/** What the page of a link needs before the link is opened. */
export interface LinkPage {
  /** Replaces the nonce in the page's address once the person has gone on. [G-13] */
  readonly handle: string;
  readonly status: StandingLink['status'];
  readonly flow: string | null;
  readonly mechanism: string;
  readonly integrator: string;
  readonly settings: TenantSettings;
}

/** Reads a link without opening it; null for an unknown nonce or handle. */
export async function linkPage(db: Queryable, text: string): Promise<LinkPage | null> {
  const link = await readLink(db, text);
  if (link === null) return null;
  const { family: handle, status, flow, mechanism, integrator, workspace } = link;
  return { handle, status, flow, mechanism, integrator, settings: await settingsOf(db, workspace) };
}

/** What the address of a link that opens nothing still says. */
export interface Address {
  /** The tenant's id. */
  readonly integrator: string | null;
  /** Id of the authorized invoice. */
  readonly sale: string | null;
}

/**
 * The tenant whose link a mistyped address was, so that a person is met in its look; null where the
 * address does not say. It gives only what every link of the tenant shows.
 */
export async function tenantOfAddress(
  db: Queryable,
  { integrator, sale }: Address,
): Promise<TenantSettings | null> {
  const known = [integrator, sale].map((id) => (id !== null && isUuid(id) ? id : null));
  if (known.every((id) => id === null)) return null;
  const [row] = await db.query<{ workspace: number }>({
    name: 'tenant_of_address',
    text: `select w.workspace from workspace w where w.ended is null
        and (w.main and w.integrator = $1 or exists (select from authorized_invoice a
          where a.workspace = w.workspace and a.id = $2))
      order by w.main desc limit 1`,
    values: known,
  });
  return row === undefined ? null : settingsOf(db, row.workspace);
}
