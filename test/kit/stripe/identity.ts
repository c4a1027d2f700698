// Verification sessions of one account of a Stripe-shaped server, as Stripe describes them: what
// the API does, and what only a person at Stripe's page can do. Its objects are those of the
// package, whose types come from Stripe's published description.
import type Stripe from 'stripe';
import type { Account } from './account.ts';
import { textOf, textsOf, type Form } from './form.ts';
import { ApiError, invalid, newId } from './objects.ts';

type Session = Stripe.Identity.VerificationSession;
type Report = Stripe.Identity.VerificationReport;
type Outputs = Stripe.Identity.VerificationSession.VerifiedOutputs;

/** What a document shows. */
export interface Shown {
  readonly first_name: string;
  readonly last_name: string;
  /** `YYYY-MM-DD`. */
  readonly dob: string;
  readonly id_number?: string;
  /** `YYYY-MM-DD`. */
  readonly expires?: string;
}

/** How a visit of the person ends. */
export type Visit =
  | { readonly status: 'verified'; readonly shows: Shown }
  | { readonly status: 'requires_input'; readonly code: string }
  | { readonly status: 'processing' };

const KNOWN = ['type', 'client_reference_id', 'metadata', 'options', 'return_url'];
const SENSITIVE = ['dob', 'id_number', 'expiration_date'];

const books = new WeakMap<Account, IdentityBook>();

/** The sessions of an account. */
export function identityOf(account: Account, url: string): IdentityBook {
  const known = books.get(account) ?? new IdentityBook(account, url);
  books.set(account, known);
  return known;
}

const partsOf = (day: string) => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return { year, month, day: date };
};

export class IdentityBook {
  /** False: the key does not read what is sensitive. */
  sensitive = true;
  /** True: a redaction goes on for days. */
  slow = false;
  readonly sessions = new Map<string, Session>();
  readonly #shows = new Map<string, Shown>();
  readonly #account: Account;
  readonly #url: string;

  constructor(account: Account, url: string) {
    this.#account = account;
    this.#url = url;
  }

  create(form: Form): Session {
    const unknown = Object.keys(form).find((name) => !KNOWN.includes(name));
    if (unknown !== undefined) throw invalid('parameter_unknown', { param: unknown });
    if (textOf(form, 'type') !== 'document') throw invalid('parameter_missing', { param: 'type' });
    const id = newId('vs');
    const { document = {} } = typeof form['options'] === 'object' ? form['options'] : {};
    const options = typeof document === 'object' ? document : {};
    const session: Session = {
      ...{ id, object: 'identity.verification_session', created: this.#account.now() },
      client_reference_id: textOf(form, 'client_reference_id'),
      client_secret: `${id}_secret_test`,
      ...{ last_error: null, last_verification_report: null, livemode: this.#account.live },
      metadata: textsOf(form, 'metadata'),
      options: {
        document: {
          require_matching_selfie: textOf(options, 'require_matching_selfie') === 'true',
          require_id_number: textOf(options, 'require_id_number') === 'true',
        },
      },
      ...{ redaction: null, related_customer: null, related_customer_account: null },
      ...{ status: 'requires_input', type: 'document', url: this.#page(id) },
    };
    this.sessions.set(id, session);
    this.#tell('created', session);
    return session;
  }

  /** Ascending; a list shows no address. */
  ofReference(reference: string | null): Session[] {
    const all = [...this.sessions.values()].filter(
      ({ client_reference_id: of }) => reference === null || of === reference,
    );
    return all.map((session) => ({ ...session, url: null, client_secret: null }));
  }

  show(id: string, expand: readonly string[]): Session {
    const session = this.#session(id);
    const asks = (name: string): boolean => expand.some((path) => path.split('.').includes(name));
    if (!this.sensitive && SENSITIVE.some(asks)) {
      throw new ApiError(403, 'invalid_request_error', null);
    }
    const open = session.status === 'requires_input' && session.redaction === null;
    const report = asks('last_verification_report') ? this.#report(session, asks) : null;
    return {
      ...session,
      url: open ? this.#page(id) : null,
      ...(asks('verified_outputs') && { verified_outputs: this.#outputs(session, asks) }),
      ...(report !== null && { last_verification_report: report }),
    };
  }

  cancel(id: string): Session {
    const session = this.#session(id);
    if (session.status !== 'requires_input' || session.redaction !== null) throw invalid(null);
    session.status = 'canceled';
    this.#tell('canceled', session);
    return session;
  }

  redact(id: string): Session {
    const session = this.#session(id);
    if (session.status === 'processing') throw invalid(null);
    if (session.status === 'requires_input') session.status = 'canceled';
    session.redaction = { status: this.slow ? 'processing' : 'redacted' };
    session.metadata = {};
    session.last_error = null;
    this.#shows.delete(id);
    this.#tell('redacted', session);
    return session;
  }

  /** What redactions were going on are done. */
  redacted(): void {
    for (const session of this.sessions.values()) {
      if (session.redaction !== null) session.redaction = { status: 'redacted' };
    }
  }

  /** The session of a key. */
  of(key: string): Session {
    const session = [...this.sessions.values()].find((one) => one.client_reference_id === key);
    if (session === undefined) throw new Error('there is no such session');
    return session;
  }

  /** The person has been at the page, or Stripe has decided about what was sent there. */
  visit(key: string, visit: Visit): void {
    const session = this.of(key);
    if (session.status !== 'requires_input' && session.status !== 'processing') {
      throw new Error('the page is closed');
    }
    session.status = visit.status;
    session.last_error = null;
    if (visit.status !== 'processing') session.last_verification_report = newId('vr');
    if (visit.status === 'verified') this.#shows.set(session.id, visit.shows);
    if (visit.status === 'requires_input') {
      session.last_error = { code: visit.code, reason: 'It did not pass.' };
    }
    this.#tell(visit.status, session);
  }

  #session(id: string): Session {
    const session = this.sessions.get(id);
    if (session === undefined) throw new ApiError(404, 'invalid_request_error', 'resource_missing');
    return session;
  }

  #outputs({ id, status }: Session, asks: (name: string) => boolean): Outputs | null {
    const shows = this.#shows.get(id);
    if (status !== 'verified' || shows === undefined) return null;
    const { first_name, last_name, dob, id_number } = shows;
    return {
      ...{ address: null, email: null, phone: null, first_name, last_name },
      id_number_type: id_number === undefined ? null : 'us_ssn',
      ...(asks('dob') && { dob: partsOf(dob) }),
      ...(asks('id_number') && { id_number: id_number ?? null }),
    };
  }

  #report(session: Session, asks: (name: string) => boolean): Report | null {
    const shows = this.#shows.get(session.id);
    const { last_verification_report: id, livemode, created } = session;
    if (shows === undefined || typeof id !== 'string') return null;
    const { first_name, last_name, expires } = shows;
    return {
      ...{ id, object: 'identity.verification_report', client_reference_id: null, created },
      ...{ livemode, type: 'document', verification_session: session.id },
      document: {
        ...{ address: null, error: null, files: [], first_name, last_name, issued_date: null },
        ...{ issuing_country: 'US', status: 'verified', type: 'passport' },
        ...(asks('expiration_date') && {
          expiration_date: expires === undefined ? null : partsOf(expires),
        }),
      },
    };
  }

  #page(id: string): string {
    return `${this.#url}/start/${newId(id)}`;
  }

  #tell(what: string, session: Session): void {
    const { client_secret: _secret, url: _url, ...object } = session;
    this.#account.tell(`identity.verification_session.${what}`, object);
  }
}
