// Operations on consents: a person reads and revokes their own, a client reads those of an account.
// A consent is given when a session is opened, or attested when a user token is requested. [G-16]
import { z } from 'zod';
import { accountId, isUuid } from '../../../core/ids.ts';
import { defineRefusals, no, refuse } from '../../../core/refusal.ts';
import { reference, strictObject, uuid, wireIdOf } from '../../../core/schema.ts';
import { invoiceTime } from '../../../core/time.ts';
import { accountIs, ownAccountOnly, refusals as account } from '../account/index.ts';
import { audit } from '../../tell/audit/index.ts';
import { actorOf, operation, type DomainOperation } from '../../context.ts';
import { once } from '../../idempotent/index.ts';
import { askedOf } from './sentences.ts';
import { revokeConsent, standingConsents, type ConsentRow } from './store.ts';

/** The refusals of consents. */
export const refusals = defineRefusals({
  CONSENT_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such consent, or it was revoked.'),
});

const ID_MAX = 36;

const consentRecord = strictObject({
  consent_id: uuid(),
  client_id: uuid(),
  /** `person`: given in a flow. `integrator`: attested by the tenant for a user token. */
  given_by: z.enum(['person', 'integrator']),
  scopes: z.array(
    strictObject({ scope: z.string(), sentence: z.string() }).meta({ title: 'ScopeSentence' }),
  ),
  given: z.string(),
}).meta({ title: 'Consent' });
const consentList = strictObject({ account_id: z.string(), consents: z.array(consentRecord) });

function rendered(id: string, rows: readonly ConsentRow[]): z.output<typeof consentList> {
  const consents = rows.map((row) => ({
    consent_id: row.id,
    client_id: row.client_id,
    given_by: row.given_by,
    scopes: askedOf(row.scopes),
    given: invoiceTime(row.given),
  }));
  return { account_id: accountId(id), consents };
}

const own = {
  cites: 'G-16',
  // A person may see and revoke every consent.
  access: { user: null, session: null },
} as const;

const listOwn = operation({
  ...own,
  id: 'listOwnConsents',
  route: 'GET accounts /v1/consents',
  summary: "Lists the consents of the token's person, oldest first.",
  answers: { 200: consentList },
  refusals: [account.ACCOUNT_NOT_FOUND],
  async run({ db }, { caller }) {
    const id = ownAccountOnly(caller, caller.accountId ?? '', account.ACCOUNT_NOT_FOUND);
    const rows = await standingConsents(db, caller.workspace, id);
    return { status: 200, payload: rendered(id, rows) };
  },
});

const revoke = operation({
  ...own,
  id: 'revokeConsent',
  route: 'DELETE accounts /v1/consents/{consent_id}',
  summary: 'Revokes a consent; sessions and user tokens with one of its scopes end immediately.',
  params: strictObject({ consent_id: reference(ID_MAX) }),
  answers: { 204: null },
  refusals: [refusals.CONSENT_NOT_FOUND, account.ACCOUNT_NOT_FOUND],
  async run(services, { caller, params, idempotency }) {
    const { workspace } = caller;
    const { consent_id: subject } = params;
    const id = ownAccountOnly(caller, caller.accountId ?? '', account.ACCOUNT_NOT_FOUND);
    if (!isUuid(subject)) throw refuse(refusals.CONSENT_NOT_FOUND);
    return once(services.db, workspace, idempotency, async (tx) => {
      const revoked = await revokeConsent(tx, workspace, id, subject);
      if (!revoked) throw refuse(refusals.CONSENT_NOT_FOUND);
      await audit(tx, { workspace, actor: actorOf(caller), act: 'consent_revoked', subject });
      return { status: 204, payload: null };
    });
  },
});

const list = operation({
  ...own,
  id: 'listConsents',
  route: 'GET accounts /user-info/{account_id}/consents',
  summary: 'Lists the consents of a person, oldest first.',
  access: { client: 'read_accounts' },
  params: strictObject({ account_id: wireIdOf('acct') }),
  answers: { 200: consentList },
  refusals: [account.ACCOUNT_NOT_FOUND],
  async run({ db }, { caller, params }) {
    const id = ownAccountOnly(caller, params.account_id, account.ACCOUNT_NOT_FOUND);
    if (!(await accountIs(db, caller.workspace, id))) throw refuse(account.ACCOUNT_NOT_FOUND);
    const rows = await standingConsents(db, caller.workspace, id);
    return { status: 200, payload: rendered(id, rows) };
  },
});

export const operations: readonly DomainOperation[] = [listOwn, revoke, list];
