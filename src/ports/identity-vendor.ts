// The identity vendor as we need it: every check carries our own key, so that asking again is safe
// and an unknown outcome can be looked up. Personal data goes to it and to nobody else. Knows no
// accounts and no money.

/** A document of a person, as stored: type by content, metadata stripped. */
export interface CheckedFile {
  readonly role: 'front' | 'back' | 'extra';
  readonly mime: 'image/jpeg' | 'image/png' | 'application/pdf';
  readonly bytes: Buffer;
}

/** What the person stated. Absent texts are ''. Never logged, never part of an error. */
export interface CheckedPerson {
  readonly first: string;
  readonly middle: string;
  readonly last: string;
  /** `YYYY-MM-DD`. */
  readonly date_of_birth: string;
  readonly street: string;
  readonly street2: string;
  readonly city: string;
  readonly region: string;
  readonly zip: string;
  /** ISO 3166 alpha-2. */
  readonly country: string;
  readonly phone_code: string;
  readonly phone_number: string;
  readonly ssn_last4: string;
  readonly document_type: string;
  readonly document_country: string;
}

/** One check. The key is ours, stored before the first call, and the same on every retry. [R2] */
export interface CheckOrder {
  readonly world: number;
  /** Our idempotency key: the check's id. */
  readonly key: string;
  readonly person: CheckedPerson;
  readonly files: readonly CheckedFile[];
}

/** What the vendor decided. */
export interface CheckDecision {
  readonly state: 'accepted' | 'denied' | 'review' | 'incomplete';
  /** The vendor's own id of the check. */
  readonly reference: string;
  /** Codes of what was wrong, of the catalogue of reasons; for the applicant. */
  readonly reasons: readonly string[];
  /** Results of the vendor's rules, each `<rule>:<digit>`. */
  readonly rules: readonly string[];
}

/** What the vendor's records say about one key. */
export type CheckOutcome =
  | CheckDecision
  | { readonly state: 'pending'; readonly reference: string }
  /** The vendor has never seen the key. Only `look` answers this. */
  | { readonly state: 'absent' }
  /** No answer, or one that cannot be read: nothing is known, nothing may be assumed. */
  | { readonly state: 'unknown' };

/** The vendor's notice that something changed under a key; its records are asked what. */
export interface CheckNotice {
  readonly world: number;
  /** The vendor's own id of the notice; a repetition carries the same. */
  readonly id: string;
  readonly key: string;
}

/** The port. No method throws for an outcome; a time-out is `unknown`. */
export interface IdentityVendor {
  /** Starts a check. The same key again answers what the first call led to. */
  begin(order: CheckOrder): Promise<CheckOutcome>;
  /** What the vendor's records say about the key. */
  look(world: number, key: string): Promise<CheckOutcome>;
  /** Has the vendor forget everything that it holds about the key. [PD3] */
  forget(world: number, key: string): Promise<boolean>;
  /** Reads a notice; null unless it is signed by the vendor and fresh. */
  readNotice(
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: unknown,
  ): CheckNotice | null;
}
