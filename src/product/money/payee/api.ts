// The operations of sellers' accounts at the processor: a link to its page, and how far it is.
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { invoiceTime } from '../../../core/time.ts';
import { providerRefusals, requireProcessor } from '../../../providers/port.ts';
import {
  accountNotFoundInBody,
  ownAccountOnly,
  refusals as account,
} from '../../people/account/index.ts';
import { refusals as terms, requireSignedTerms } from '../../people/terms/index.ts';
import { actorOf, found, operation, type DomainOperation, type Services } from '../../context.ts';
import { keptAnswer, onceSealed } from '../../idempotent/index.ts';
import { addressAllowed, settingsOf } from '../../tenant/settings/index.ts';
import { beginPayee, settlePayee, type PayeeSaid } from './decide.ts';
import { askAbout, settleSaid } from './queue.ts';
import { expectPayee, payeeOf, type KnownPayee } from './read.ts';
import { refusals as no } from './refusals.ts';
import { accountQuery, linkBody, linkRecord, payeeRecord, renderPayee } from './schema.ts';

/** Seconds for which a repetition gets the page's address again; the page is valid as long. */
const ADDRESS_SECONDS = 240;

/** Where the page sends the seller. Throws a Refusal for an address that is not registered. */
async function wayBack(
  { db, env, urls }: Services,
  workspace: number,
  given: { readonly return_url?: string | undefined; readonly refresh_url?: string | undefined },
) {
  const { return_addresses } = await settingsOf(db, workspace);
  for (const field of ['return_url', 'refresh_url'] as const) {
    const url = given[field];
    if (url === undefined || addressAllowed(return_addresses, env, url)) continue;
    throw refuse(no.RETURN_URL_NOT_ALLOWED, { [field]: 'is not registered' });
  }
  const page = `${urls.widget}/ui/v1`;
  return {
    returnUrl: given.return_url ?? `${page}/returned`,
    refreshUrl: given.refresh_url ?? `${page}/expired`,
  };
}

/** The seller's account at the processor, opened where there is none, as it is now. */
async function current(
  services: Services,
  caller: Caller,
  owner: string,
  country: string,
): Promise<KnownPayee> {
  const { db, engine, random, payees, workspaces } = services;
  const submission = { workspace: caller.workspace, actor: actorOf(caller) };
  await engine.run(beginPayee, { id: random.uuid(), account: owner, country }, submission);
  const known = await payeeOf(db, caller.workspace, owner);
  if (known === null) throw refuse(no.PAYEE_UNAVAILABLE, {}, 1);
  const outcome = await askAbout(payees, known);
  if (outcome.state === 'unknown') throw refuse(no.PAYEE_UNAVAILABLE, {}, 1);
  const settle = (workspace: number, said: PayeeSaid) =>
    engine.run(settlePayee, said, { workspace, actor: 'processor' });
  await settleSaid({ db, workspaces, settle }, known, outcome, true);
  if (outcome.state === 'refused') throw refuse(no.PAYEE_NOT_OFFERED);
  const after = await payeeOf(db, caller.workspace, owner);
  // Closed just now: the next request opens another one.
  if (after === null || after.state === 'closed') throw refuse(no.PAYEE_UNAVAILABLE, {}, 1);
  return after;
}

const link = operation({
  id: 'createPayeeLink',
  route: 'POST payments /v1/payee/link',
  summary: "Gives a seller a link to the card processor's page, where they set up payouts.",
  cites: 'G-91',
  access: { session: 'write_payment_method', client: 'write_payment_method' },
  body: linkBody,
  answers: { 201: linkRecord },
  refusals: [
    terms.TERMS_NOT_SIGNED,
    account.ACCOUNT_BLOCKED,
    no.RETURN_URL_NOT_ALLOWED,
    providerRefusals.PROVIDER_NOT_CONFIGURED,
    no.PAYEE_NOT_OFFERED,
    no.PAYEE_UNAVAILABLE,
    accountNotFoundInBody,
  ],
  async run(services, { caller, body, idempotency }) {
    const { db, payees, providers } = services;
    const { workspace } = caller;
    await requireSignedTerms(db, caller);
    const owner = ownAccountOnly(caller, body.account_id, accountNotFoundInBody);
    const back = await wayBack(services, workspace, body);
    const kept = await keptAnswer(idempotency, (work) =>
      onceSealed(services, workspace, idempotency, work),
    );
    if (kept !== null) return kept;
    await requireProcessor(providers, workspace);
    const payee = await current(services, caller, owner, body.country ?? '');
    const page = await payees.page(workspace, payee.reference, back);
    if (page === null) throw refuse(no.PAYEE_UNAVAILABLE, {}, 1);
    return onceSealed(services, workspace, idempotency, async (tx) => {
      await expectPayee(tx, workspace, payee.id);
      const payload = { ...renderPayee(payee), url: '', expires: invoiceTime(page.expires) };
      const secrets = [{ place: 'url', text: page.url, seconds: ADDRESS_SECONDS }];
      return { status: 201, payload, secrets };
    });
  },
});

const get = operation({
  id: 'getPayee',
  route: 'GET payments /v1/payee',
  summary: "Retrieves how far a seller's account at the card processor is.",
  cites: 'G-91',
  access: { session: 'read_payment_method', client: 'read_payment_methods' },
  query: accountQuery,
  answers: { 200: payeeRecord },
  refusals: [no.PAYEE_NOT_FOUND],
  async run({ db }, { caller, query }) {
    const owner = ownAccountOnly(caller, query.account_id, no.PAYEE_NOT_FOUND);
    const row = await payeeOf(db, caller.workspace, owner);
    return found(row === null ? null : renderPayee(row), no.PAYEE_NOT_FOUND);
  },
});

export const operations: readonly DomainOperation[] = [link, get];
