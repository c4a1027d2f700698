// The identity vendor as Holdfast needs it: every check carries our own key, so that a call can be
// repeated and an unknown outcome looked up. Personal data goes to the vendor and to nobody else. A
// vendor decides by what it is sent, or has the person go on at a page of its own.

/** A document as stored: type by content, metadata stripped. */
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

/** One check. The key is ours, stored before the first call and the same on every retry. [R2] */
export interface CheckOrder {
  readonly workspace: number;
  /** Our idempotency key: the check's id. */
  readonly key: string;
  readonly person: CheckedPerson;
  readonly files: readonly CheckedFile[];
  /** A keyed digest of both, by which a vendor that is sent neither tells orders apart. */
  readonly digest: string;
}

/** What a vendor has read itself, from the person's document. Absent texts are ''. Never stored. */
export interface VerifiedPerson {
  readonly first: string;
  readonly last: string;
  /** `YYYY-MM-DD`. */
  readonly date_of_birth: string;
  readonly ssn_last4: string;
}

/** The vendor's decision. */
export interface CheckDecision {
  readonly state: 'accepted' | 'denied' | 'review' | 'incomplete';
  /** The vendor's own id of the check. */
  readonly reference: string;
  /** Codes from the catalogue of reasons, for the applicant. */
  readonly reasons: readonly string[];
  /** Results of the vendor's rules, each `<rule>:<digit>`. */
  readonly rules: readonly string[];
  /** The last valid day of the document, `YYYY-MM-DD`; absent where the vendor does not say. */
  readonly documentExpires?: string;
  /** With an acceptance: whom it is about. Absent where the vendor has compared it itself. */
  readonly verified?: VerifiedPerson;
}

/** What the vendor's records say about a key. */
export type CheckOutcome =
  | CheckDecision
  /** `waiting`: the person must go on at the vendor's page. `pending`: the vendor decides later. */
  | { readonly state: 'waiting' | 'pending'; readonly reference: string }
  /** The vendor does not know the key. Only retrieving gives this. */
  | { readonly state: 'absent' }
  /** No answer or an unreadable one: nothing may be assumed. */
  | { readonly state: 'unknown' };

/** A webhook of the vendor: something changed under a key, which must then be retrieved. */
export interface CheckNotice {
  readonly workspace: number;
  /** The vendor's own id of the webhook; a repetition has the same. */
  readonly id: string;
  readonly key: string;
}

/** The port. No method throws for an outcome; a timeout is `unknown`. */
export interface IdentityVendor {
  /** Starts a check. The same key again gives the first call's outcome. */
  begin(order: CheckOrder): Promise<CheckOutcome>;
  /** Retrieves the vendor's records about a key. */
  retrieve(workspace: number, key: string): Promise<CheckOutcome>;
  /**
   * A fresh address of the vendor's page for the person, who alone may get it; it is never stored.
   * Null: none now, because the key does not wait for the person, or the vendor did not answer.
   */
  page(workspace: number, key: string): Promise<string | null>;
  /**
   * Ends a check that waits for its person, who has not come; gives what then holds. Another check
   * is only retrieved.
   */
  abandon(workspace: number, key: string): Promise<CheckOutcome>;
  /** Has the vendor erase everything it holds about the key. [PD3] */
  forget(workspace: number, key: string): Promise<boolean>;
  /** Reads a webhook; null unless the vendor signed it and it is fresh. */
  readNotice(
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: unknown,
  ): CheckNotice | null;
}
