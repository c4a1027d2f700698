// A check is one VerificationSession of Stripe Identity: the person goes to Stripe's own page, and
// what the session then says decides. Stripe gets our key, and nothing that the person stated; what
// it has read of the document is compared by us. An event is never believed: the session is read.
import type Stripe from 'stripe';
import type {
  CheckDecision,
  CheckNotice,
  CheckOutcome,
  IdentityVendor,
  VerifiedPerson,
} from '../identity/port.ts';
import { isTrouble, underKey, type StripeLink, type Trouble } from './connection.ts';
import { meaningOf, ruleOf } from './identity-codes.ts';
import { KEY } from './intents.ts';
import { provenEvent } from './notices.ts';

type Session = Stripe.Identity.VerificationSession;
type Found = Session | Trouble | null;

/** What the digest of an order is called in Stripe's metadata. */
const DIGEST = 'holdfast_digest';
const UNKNOWN: CheckOutcome = { state: 'unknown' };
const ABSENT: CheckOutcome = { state: 'absent' };
const PLAIN: string[] = ['verified_outputs', 'last_verification_report'];
/** Only a restricted key reads these, and for longer than two days only one bound to addresses. */
const SENSITIVE: string[] = [
  ...PLAIN,
  ...['verified_outputs.dob', 'verified_outputs.id_number'],
  'last_verification_report.document.expiration_date',
];

export function checksOf(link: StripeLink): IdentityVendor {
  const { tried } = link;
  const { verificationSessions: sessions } = link.stripe.identity;
  const retrieve = async (key: string): Promise<CheckOutcome> =>
    outcomeOf(link, await findSession(link, key));
  return {
    async begin({ key, person, digest }) {
      const found = await findSession(link, key);
      const metadata = { [DIGEST]: digest, holdfast_workspace: String(link.workspace) };
      const made = found ?? (await makeSession(link, key, metadata, person.ssn_last4 !== ''));
      // Another order under this key, or one that was erased.
      if (isTrouble(made) || made.metadata[DIGEST] !== digest) return UNKNOWN;
      // A repetition is answered by how the session was made, not by how it is.
      const outcome = found === null ? await retrieve(key) : await outcomeOf(link, found);
      return outcome.state === 'absent' ? UNKNOWN : outcome;
    },
    retrieve: (_workspace, key) => retrieve(key),
    async page(_workspace, key) {
      const found = await findSession(link, key);
      const outcome = await outcomeOf(link, found);
      if (found === null || isTrouble(found) || outcome.state !== 'waiting') return null;
      const session = await tried(() => sessions.retrieve(found.id));
      return isTrouble(session) ? null : session.url;
    },
    async abandon(_workspace, key) {
      const found = await findSession(link, key);
      const outcome = await outcomeOf(link, found);
      if (found === null || isTrouble(found) || outcome.state !== 'waiting') return outcome;
      const ended = await tried(() => sessions.cancel(found.id));
      // The person may have come just now.
      return isTrouble(ended) ? retrieve(key) : outcomeOf(link, ended);
    },
    async forget(_workspace, key) {
      const found = await findSession(link, key);
      // A session without a person takes the key, so that a call on its way makes no other.
      const made = found ?? (await makeSession(link, key, {}, false));
      const mine = isTrouble(made) ? await findSession(link, key) : made;
      if (mine === null || isTrouble(mine)) return false;
      const now = mine.redaction === null ? await tried(() => sessions.redact(mine.id)) : mine;
      if (isTrouble(now)) return false;
      return now.redaction?.status === 'redacted' || now.redaction?.status === 'validated';
    },
    readNotice: (headers, body) => noticeOf(link, headers, body),
  };
}

/** Makes the session of a key; under the same key Stripe makes one. */
function makeSession(
  { stripe, tried, returnUrl: return_url }: StripeLink,
  key: string,
  own: Stripe.MetadataParam,
  withNumber: boolean,
): Promise<Session | Trouble> {
  const require_id_number = withNumber ? { require_id_number: true } : {};
  const request: Stripe.Identity.VerificationSessionCreateParams = {
    type: 'document',
    client_reference_id: key,
    metadata: { [KEY]: key, ...own },
    options: { document: { require_matching_selfie: true, ...require_id_number } },
    return_url,
  };
  return underKey(key, (idempotencyKey) =>
    tried(() => stripe.identity.verificationSessions.create(request, { idempotencyKey })),
  );
}

/** The session of a key as it is now; null for none. Of several, one that has verified somebody. */
async function findSession({ stripe, tried, live }: StripeLink, key: string): Promise<Found> {
  const list = await tried(() =>
    stripe.identity.verificationSessions.list({ client_reference_id: key, limit: 100 }),
  );
  if (isTrouble(list)) return list;
  if (list.data.some(({ livemode }) => livemode !== live)) return { trouble: 'unknown' };
  const mine = list.data.filter(({ client_reference_id: of }) => of === key);
  return mine.find(({ status }) => status === 'verified') ?? mine.at(-1) ?? null;
}

/** What a session means; an erased one is absent. */
async function outcomeOf(link: StripeLink, session: Found): Promise<CheckOutcome> {
  if (session === null) return ABSENT;
  if (isTrouble(session)) return UNKNOWN;
  const { id: reference, status, redaction, last_error } = session;
  if (redaction !== null) return ABSENT;
  const code = last_error?.code ?? null;
  if (status === 'processing') return { state: 'pending', reference };
  if (status === 'verified') return accepted(link, reference);
  if (status === 'canceled') {
    const reasons = ['INFORMATION_INCOMPLETE'];
    return { state: 'incomplete', reference, reasons, rules: ['canceled:2'] };
  }
  if (status !== 'requires_input') return UNKNOWN;
  const [state, ...reasons] = meaningOf(code);
  if (state === 'waiting') return { state, reference };
  return { state, reference, reasons, rules: ruleOf(code, state) };
}

/** A verified session with whom it is about; where Stripe tells less, less is told. */
async function accepted({ stripe, tried }: StripeLink, id: string): Promise<CheckOutcome> {
  const read = (expand: string[]) =>
    tried(() => stripe.identity.verificationSessions.retrieve(id, { expand }));
  const whole = await read(SENSITIVE);
  const less = isTrouble(whole) && ['forbidden', 'no'].includes(whole.trouble);
  const session = less ? await read(PLAIN) : whole;
  if (isTrouble(session) || session.status !== 'verified') return UNKNOWN;
  const report = session.last_verification_report;
  const document = typeof report === 'object' ? report?.document : undefined;
  const documentExpires = dayOf(document?.expiration_date);
  const decision: CheckDecision = {
    ...{ state: 'accepted', reference: id, reasons: [], rules: ['document:0'] },
    verified: personOf(session),
  };
  return documentExpires === '' ? decision : { ...decision, documentExpires };
}

function personOf({ verified_outputs: read }: Session): VerifiedPerson {
  return {
    first: read?.first_name ?? '',
    last: read?.last_name ?? '',
    date_of_birth: dayOf(read?.dob),
    ssn_last4: (read?.id_number ?? '').replaceAll(/\D/g, '').slice(-4),
  };
}

interface Parts {
  readonly year: number | null;
  readonly month: number | null;
  readonly day: number | null;
}

/** A day as `YYYY-MM-DD`; '' for none, or for one that the calendar does not have. */
function dayOf(parts: Parts | null | undefined): string {
  const { year, month, day } = parts ?? { year: null, month: null, day: null };
  if (year === null || month === null || day === null) return '';
  const date = new Date(Date.UTC(year, month - 1, day));
  const real = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real && year >= 1_000 ? date.toISOString().slice(0, 10) : '';
}

/** Reads a webhook: of a session it names the key, and of anything else nothing. */
function noticeOf(
  link: StripeLink,
  headers: Parameters<IdentityVendor['readNotice']>[0],
  body: unknown,
): CheckNotice | null {
  if (!(body instanceof Uint8Array)) return null;
  const event = provenEvent(link, { headers, body });
  if (event === null) return null;
  const { client_reference_id: key } = event.data.object as Partial<Session>;
  const ours = event.type.startsWith('identity.verification_session.');
  return { workspace: link.workspace, id: event.id, key: ours ? (key ?? '') : '' };
}
