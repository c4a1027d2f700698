// The tenant's limits in each process: every operator sees them, and an administrator of the whole
// installation changes them, as the command line can. A tenant never sets its own. [G-06]
import { html } from '../../markup/html.ts';
import { hasRight, operatorActor } from '../../product/access/operator/index.ts';
import { setTenantLimits, tenantLimits } from '../../product/tenant/tenant/index.ts';
import { card, definitions } from '../blocks.ts';
import { field, postForm } from '../frame.ts';
import { backTo, get, NotThere, post, tenantOf } from '../routes.ts';
import type { ConsoleApp, PageRequest } from '../routes.ts';
import { active, ways } from './parts.ts';

const AT = '/developers/limits';
const LIMITS = [
  ['inFlight', 'Concurrent requests'],
  ['writes', 'Writes a second'],
  ['reads', 'Reads a second'],
] as const;

/** Registers the page of limits. */
export function limitPages(app: ConsoleApp): void {
  get(app, AT, 'read', show);
  post(app, AT, 'administer', change);
}

/** A tenant's own operators are not those of the installation. */
const mayChange = ({ session }: PageRequest): boolean =>
  hasRight(session, 'administer') && session.workspaces === 'all';

async function show(request: PageRequest) {
  const { services: { db }, session } = request;
  const limits = await tenantLimits(db, tenantOf(request).integrator);
  const own = limits ?? null;
  const facts = LIMITS.map(([name, label]) => {
    const set = own === null ? 'as the installation' : own[name] === 0 ? 'no limit' : own[name];
    return [label, set] as const;
  });
  const fields = LIMITS.map(([name, label]) => {
    const value = String(own?.[name] ?? '');
    return field(label, name, { value, optional: true });
  });
  const form = html`<p>They take effect within seconds, for all nodes together. 0 is no limit; all
three empty: the limits of the installation.</p>${fields}<p><button>Change</button></p>`;
  const who = 'An administrator of the whole installation changes them.';
  const body = html`${hasRight(session, 'develop') && ways(AT, request.services)}
${card('Limits of the tenant', html`${definitions(facts)}<p>A request above one of them answers 429
<code>TOO_MANY_REQUESTS</code> with <code>Retry-After</code>.</p>${!mayChange(request) && who}`)}
${mayChange(request) && card('Change', postForm(session, AT, form))}`;
  return { title: 'Limits', active, body };
}

async function change(request: PageRequest) {
  const { services: { db }, session, form } = request;
  if (!mayChange(request)) throw new NotThere();
  const texts = LIMITS.map(([name]) => (form[name] ?? '').trim());
  const none = texts.every((text) => text === '');
  if (!none && !texts.every((text) => /^\d{1,6}$/.test(text))) {
    return backTo(AT, 'Give three whole numbers of at most six digits, or none.', 'bad');
  }
  const [inFlight = 0, writes = 0, reads = 0] = texts.map(Number);
  const limits = none ? null : { inFlight, writes, reads };
  await setTenantLimits(db, tenantOf(request).integrator, limits, operatorActor(session));
  return backTo(AT, 'Changed.');
}
