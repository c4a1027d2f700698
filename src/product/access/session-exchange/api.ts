// The session of a page: opened by the person's click or by the widget's message, ended by the
// page. The same two operations exist on the addresses of the widget and of the hosted pages, so
// that a page calls only its own origin. [seed: Authentication 3, G-12, G-13]
import { z } from 'zod';
import type { Transaction } from '../../../db/index.ts';
import type { Answer, HostName } from '../../../core/operation.ts';
import { accountId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { optional, reference, strictObject } from '../../../core/schema.ts';
import { fitting } from '../../../texts/index.ts';
import { audit } from '../../tell/audit/index.ts';
import { saleSummary, summaryOf } from '../../money/checkout/index.ts';
import { giveConsent, missingConsent } from '../../people/consent/index.ts';
import { operation, type DomainOperation, type Services } from '../../context.ts';
import { rememberLanguage } from '../../people/account/index.ts';
import { readAuthorized } from '../../money/invoice/index.ts';
import { endSession, FLOWS, openLink, SECRET, signSession } from '../oauth/index.ts';
import type { OpenedLink, StandingLink } from '../oauth/index.ts';
import { settingsOf } from '../../tenant/settings/index.ts';
import { signTerms, termsFor } from '../../people/terms/index.ts';
import { clearedCookie, cookieOf, resumeCookie } from './cookie.ts';
import { refusals } from './refusals.ts';

const RESUME_BYTES = 32;

const openBody = strictObject({
  nonce: reference(64),
  flow: optional(z.enum(FLOWS)),
  language: optional(reference(35)).meta({
    description: 'In which the person reads the page, by BCP 47: mails are in it from then on.',
    examples: ['pt-BR'],
  }),
  // So that a lost answer uses no link up, and for browsers that keep no cookie in a frame.
  resume: optional(
    z.string().regex(SECRET, 'must be 43 characters of base64url').meta({
      description: 'A random secret of 32 bytes with which the page can resume its session.',
    }),
  ),
  agree: optional(
    strictObject({ terms_version: optional(z.int().min(1)), consent: z.literal(true) }),
  ),
});

const terms = strictObject({
  version: z.int(),
  created: z.string(),
  content: z.string(),
}).meta({ title: 'AgreementTerms' });
const scope = strictObject({ scope: z.string(), sentence: z.string() });
const toAgree = strictObject({
  /** The sale, shown above everything to agree to. Null where the link is about none. */
  sale: saleSummary.nullable(),
  terms: terms.nullable(),
  consent: z.array(scope.meta({ title: 'ScopeSentence' })),
}).meta({ title: 'Agreement' });

const sessionRecord = strictObject({
  flow: z.string(),
  mechanism: z.string(),
  account_id: z.string(),
  integrator: z.string(),
  integrator_name: z.string(),
  authorized_invoice_id: z.string(),
  is_escrow: z.boolean(),
  scopes: z.array(z.string()),
  to_agree: toAgree.nullable(),
  access_token: z.string(),
  expires_in: z.int(),
  resume: z.string(),
});
type ToAgree = z.output<typeof toAgree>;

/** What the person still has to agree to; null for nothing. */
async function toAgreeOn(tx: Transaction, link: StandingLink): Promise<ToAgree | null> {
  const { current, signed } = await termsFor(tx, link.workspace, link.account);
  const consent = await missingConsent(tx, link.workspace, link.account, link.scopes);
  if ((signed || current === null) && consent.length === 0) return null;
  return { sale: await saleOf(tx, link), terms: signed ? null : current, consent: [...consent] };
}

/** What the person of a checkout link sees before they agree to anything. [G-16] */
async function saleOf(tx: Transaction, link: StandingLink): Promise<ToAgree['sale']> {
  const { workspace, account, authorizedInvoiceId } = link;
  if (authorizedInvoiceId === null) return null;
  const session = { workspace, kind: 'session', authorizedInvoiceId } as const;
  const buyer = { ...session, accountId: accountId(account) };
  const found = await readAuthorized(tx, buyer, authorizedInvoiceId);
  return found === null ? null : summaryOf(found);
}

/** Stores what the person agreed to, if it is what they had to agree to. */
async function agree(
  tx: Transaction,
  link: StandingLink,
  asked: ToAgree,
  given: { readonly terms_version?: number | undefined },
): Promise<void> {
  const { workspace, account, clientId, scopes } = link;
  if (asked.terms !== null) {
    if (given.terms_version !== asked.terms.version) throw refuse(refusals.TERMS_VERSION_STALE);
    await signTerms(tx, workspace, account, asked.terms.version);
  }
  if (asked.consent.length > 0) await giveConsent(tx, { workspace, account, clientId, scopes });
}

type Body = z.output<typeof openBody>;

/** Refuses a flow that is not the link's. A checkout needs an authorized invoice. [ID1] */
function checkFlow(link: StandingLink, asked: Body['flow']): void {
  const flow = link.flow ?? asked ?? null;
  const mixed = asked !== undefined && link.flow !== null && asked !== link.flow;
  const checkout = flow === 'checkout';
  if (mixed || (flow !== null && checkout !== (link.authorizedInvoiceId !== null))) {
    throw refuse(refusals.LINK_FLOW_MISMATCH);
  }
}

interface Opened extends OpenedLink {
  readonly asked: ToAgree | null;
}

function noteOpening(tx: Transaction, { workspace, account, id: subject }: StandingLink) {
  const actor = `account:${accountId(account)}`;
  return audit(tx, { workspace, actor, act: 'session_opened', subject });
}

/** The language that the page is read in, where it is one that we or the tenant speak. */
async function remember(
  tx: Transaction,
  { workspace, account }: StandingLink,
  asked: string | undefined,
): Promise<void> {
  if (asked === undefined) return;
  const { texts } = await settingsOf(tx, workspace);
  const language = fitting(asked, texts);
  if (language !== null) await rememberLanguage(tx, workspace, account, language);
}

/** Opens the link and stores what the person agreed to, in one transaction. */
function open(services: Services, body: Body, secret: string, kept: string | null) {
  return services.db.transaction(async (tx): Promise<Opened> => {
    const { nonce, flow = null } = body;
    const found = await openLink(tx, { nonce, flow, secret, kept });
    if (found === 'absent') throw refuse(refusals.LINK_NOT_FOUND);
    if (found === 'expired') throw refuse(refusals.LINK_EXPIRED);
    if (found === 'used') throw refuse(refusals.LINK_USED);
    // A refusal from here on rolls back, so the link stays as it was.
    checkFlow(found.link, body.flow);
    if (found.link.blocked) throw refuse(refusals.ACCOUNT_BLOCKED);
    if (found.first) await noteOpening(tx, found.link);
    await remember(tx, found.link, body.language);
    const asked = await toAgreeOn(tx, found.link);
    if (asked === null || body.agree === undefined) return { ...found, asked };
    await agree(tx, found.link, asked, body.agree);
    return { ...found, asked: null };
  });
}

function openOn(host: HostName): DomainOperation {
  return operation({
    id: host === 'widget' ? 'openSession' : 'openHostedSession',
    route: `POST ${host} /ui/api/session`,
    summary: 'Opens a one-time link and starts its session, or resumes it after a reload.',
    cites: 'G-13',
    access: 'public',
    body: openBody,
    answers: { 200: sessionRecord },
    refusals: Object.values(refusals),
    async run(services, { body, headers }): Promise<Answer> {
      const { nonce } = body;
      const secret =
        body.resume ?? services.random.bytes(RESUME_BYTES).toString('base64url');
      const kept = cookieOf(headers['cookie'], nonce);
      const { link, resume, asked } = await open(services, body, secret, kept);
      const { name } = await settingsOf(services.db, link.workspace);
      const signed = asked === null ? await signSession(services, link) : null;
      const payload = {
        flow: link.flow ?? '',
        mechanism: link.mechanism,
        account_id: accountId(link.account),
        integrator: link.integrator,
        integrator_name: name,
        authorized_invoice_id: link.authorizedInvoiceId ?? '',
        is_escrow: link.isEscrow,
        scopes: [...link.scopes],
        to_agree: asked,
        access_token: signed?.token ?? '',
        expires_in: signed?.seconds ?? link.secondsLeft,
        resume,
      };
      const cookie = resumeCookie(nonce, resume, link.secondsLeft);
      return { status: 200, payload, headers: { 'Set-Cookie': cookie } };
    },
  });
}

function endOn(host: HostName): DomainOperation {
  return operation({
    id: host === 'widget' ? 'endSession' : 'endHostedSession',
    route: `POST ${host} /ui/api/session/end`,
    summary: 'Ends the session of a page and revokes its token and link.',
    cites: 'G-13',
    access: 'public',
    body: strictObject({ nonce: reference(64), access_token: reference(8_192) }),
    answers: { 200: null },
    async run(services, { body }): Promise<Answer> {
      // An invalid token ends nothing and is answered alike.
      await endSession(services, body.access_token);
      return { status: 200, headers: { 'Set-Cookie': clearedCookie(body.nonce) } };
    },
  });
}

const hosts = ['widget', 'hosted'] as const;

export const operations: readonly DomainOperation[] = hosts.flatMap((host) => [
  openOn(host),
  endOn(host),
]);
