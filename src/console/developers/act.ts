// Lets an operator act by operations of the API: their checks, refusals and audit are the same, and
// history names the operator. A form that is sent twice acts once.
import { operations } from '../../catalogue.ts';
import { isUuid } from '../../core/ids.ts';
import { inputRefusals } from '../../core/input-refusals.ts';
import { readInput, type InputResult } from '../../core/input.ts';
import { canonicalJson } from '../../core/json.ts';
import { purposeOf } from '../../core/labels.ts';
import type { IdempotencyClaim } from '../../core/operation.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import { html, type Html } from '../../markup/html.ts';
import { keptAnswer, once } from '../../product/idempotent/index.ts';
import { tenantOf, type PageRequest } from '../routes.ts';

/** The part of a page's request with which something is done for a tenant. */
type Acting = Pick<PageRequest, 'services' | 'session' | 'tenant' | 'form'>;

/** The hidden fields of a form that acts once, for the tenant of its page alone. */
export function onceField(request: Pick<PageRequest, 'services' | 'tenant'>): Html {
  return html`<input type="hidden" name="once" value="${request.services.random.uuid()}">
<input type="hidden" name="of" value="${tenantOf(request).integrator}">`;
}

/**
 * The claim of a form with those fields. Throws a Refusal for a form without them, and where
 * another tenant was chosen since.
 */
export function claimOf({ services, session, tenant, form }: Acting): IdempotencyClaim {
  const { once: key = '', of, csrf: _, ...said } = form;
  if (!isUuid(key)) throw refuse(inputRefusals.MISSING_FIELD, { once: 'is required' });
  if (of !== tenant?.integrator) {
    throw refuse(inputRefusals.INVALID_FIELD, { of: 'is not the tenant that is chosen now' });
  }
  const mac = (parts: unknown): string =>
    services.keys.mac(purposeOf('idempotency'), canonicalJson(parts));
  return { scope: mac(['console', session.operatorId, key]), fingerprint: mac(said) };
}

/**
 * Acts once for each form: null where it was answered before, so that a secret is not shown again.
 */
export async function actOnce<T>(
  request: Acting,
  act: (claim: IdempotencyClaim) => Promise<T>,
): Promise<T | null> {
  const claim = claimOf(request);
  const { db } = request.services;
  const { workspace } = tenantOf(request);
  const kept = await keptAnswer(claim, (work) => once(db, workspace, claim, work));
  return kept === null ? act(claim) : null;
}

/**
 * Runs an operation of the catalogue for the operator of the session, in the chosen tenant; gives
 * its payload. Throws its refusals, and those of input that its schemas do not take.
 */
export async function runOperation(
  request: Acting,
  id: string,
  given: { readonly params?: object; readonly body: object },
  idempotency: IdempotencyClaim | null = null,
): Promise<unknown> {
  const { services, session } = request;
  const { workspace, integrator } = tenantOf(request);
  const operation = operations.find((one) => one.id === id);
  if (operation?.body == null) throw new Error('there is no such operation with a body');
  const [params, body] = [
    valueOf(readInput(operation.params, given.params ?? {})),
    valueOf(readInput(operation.body, given.body)),
  ];
  const who = { clientId: '', kind: 'client', accountId: null, scopes: new Set<string>() } as const;
  const caller = { ...who, workspace, integrator, operatorId: session.operatorId };
  const headers = {};
  const answer = await operation.run(services, {
    ...{ caller, params, query: {}, body, idempotency, headers },
  });
  return answer.payload;
}

function valueOf<T>(read: InputResult<T>): T {
  if (read.ok) return read.value;
  throw refuse(inputRefusals[read.codes[0] ?? 'INVALID_FIELD'], read.errors);
}

/** What a refusal says to people, with the fields that it names; anything else is a fault. */
export function refusalText(error: unknown): string {
  if (!(error instanceof Refusal)) throw error;
  const fields = Object.entries(error.fields).map(([name, why]) => `${name} ${why}`);
  return [error.spec.sentence, ...fields.map((one) => `${one}.`)].join(' ');
}
