// From a one-time link to a session in a browser: what has to be agreed to first, who may go on,
// and what a page may know before anybody clicked. Refuses to know what the flows do with it.
import type { Queryable } from '../../db/index.ts';
import { peekLink } from '../oauth/index.ts';
import type { StandingLink } from '../oauth/index.ts';
import { settingsOf, type TenantSettings } from '../settings/index.ts';
export { operations } from './api.ts';
export { refusals } from './refusals.ts';

/** What the page of a link needs before the link is opened. */
export interface LinkPage {
  /** Stands for the nonce in the page's address once the person went on. [G-13] */
  readonly handle: string;
  readonly status: StandingLink['status'];
  readonly flow: string | null;
  readonly mechanism: string;
  readonly integrator: string;
  readonly settings: TenantSettings;
}

/** Looks at a link without opening it; null where no link has this nonce or handle. */
export async function linkPage(db: Queryable, text: string): Promise<LinkPage | null> {
  const link = await peekLink(db, text);
  if (link === null) return null;
  const { family: handle, status, flow, mechanism, integrator, world } = link;
  return { handle, status, flow, mechanism, integrator, settings: await settingsOf(db, world) };
}
