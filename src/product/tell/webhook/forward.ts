// The endpoint behind `--forward-to`: one for each workspace, created or updated at start with the
// secret that the ready line prints. [G-02]
import { createHash } from 'node:crypto';
import { HASHED } from '../../../core/labels.ts';
import { targetObjection } from '../../../providers/outbound/port.ts';
import {
  changeEndpoint,
  findEndpoint,
  insertEndpoint,
  lockEndpoint,
  replaceSecret,
  secretByNumber,
} from './endpoint.ts';
import { isSymmetricSecret } from './secret.ts';
import type { WebhookServices } from './services.ts';
import { sql } from '../../../db/index.ts';

export type ForwardServices = Pick<WebhookServices, 'env' | 'db' | 'keys' | 'random'>;

/** The same id at every start and in every clone of the workspace; a UUID of version 8. */
function forwardingId(lineage: number): string {
  const hex = createHash('sha256').update(`${HASHED.forwarding}${lineage}`).digest('hex');
  const tail = `${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${tail}`;
}

/**
 * Sends every event of a workspace to `url` from now on, signed with `secret` (`whsec_<base64>` of
 * 24 to 64 bytes). A repeated call changes address and secret at once, without overlap. Throws an
 * Error with a sentence for an address or secret that cannot be used.
 */
export async function ensureEndpoint(
  services: ForwardServices,
  request: { readonly workspace: number; readonly url: string; readonly secret: string },
): Promise<{ readonly endpoint_id: string }> {
  const objection = targetObjection(request.url, services.env);
  if (objection !== null) {
    throw new Error(`events cannot be delivered to the --forward-to address: ${objection}`);
  }
  if (!isSymmetricSecret(request.secret))
    throw new Error('the webhook secret is not a whsec_ secret');
  const { workspace, url, secret } = request;
  const id = forwardingId(services.keys.lineageOf(workspace));
  await services.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${id}))`);
    // A deleted endpoint comes back: the operator asked for it.
    await tx.execute(sql`update webhook_endpoint set state = 'enabled'
      where workspace = ${workspace} and id = ${id} and state = 'deleted'`);
    if (!(await lockEndpoint(tx, workspace, id))) {
      const all = { url, events: [], description: 'forward-to', signing: 'v1' as const };
      await insertEndpoint(tx, services, workspace, id, all);
    } else {
      const { url: before, state } = (await findEndpoint(tx, workspace, id)) ?? {};
      // Without a difference the time of the last change stays.
      const same = before === url && state === 'enabled';
      if (!same) await changeEndpoint(tx, workspace, id, { url, state: 'enabled' });
    }
    const rows = await tx.query<{ number: number }>(sql`select number from webhook_secret
      where workspace = ${workspace} and endpoint_id = ${id} and expires is null`);
    const known = await secretByNumber(tx, services, workspace, id, rows[0]?.number ?? 0);
    if (known === secret) return;
    await replaceSecret(tx, services, { workspace, id, signing: 'v1' }, 0, secret);
  });
  return { endpoint_id: id };
}

/** Stops what `ensureEndpoint` began, for a start without the option; otherwise does nothing. */
export async function endForwarding(services: ForwardServices, workspace: number): Promise<void> {
  const id = forwardingId(services.keys.lineageOf(workspace));
  await services.db.transaction(async (tx) => {
    if (!(await lockEndpoint(tx, workspace, id))) return;
    const { state } = (await findEndpoint(tx, workspace, id)) ?? {};
    if (state === 'enabled') await changeEndpoint(tx, workspace, id, { state: 'disabled' });
  });
}
