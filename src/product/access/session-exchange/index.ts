// Session exchange: from a one-time magic link to a session in a browser. It decides what must be
// agreed to first, who may resume, and what a page may know before a click.
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
