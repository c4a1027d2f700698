// The labels under which data is encrypted, looked up by hash and chained. They are frozen: what is
// stored opens, is found and verifies only under the label it was made with. Tables and functions
// may be renamed; these texts stay. Code names them by the key on the left.

declare const place: unique symbol;
declare const purpose: unique symbol;

/** What a ciphertext or a wrapped key is bound to: it opens nowhere else. Made only here. */
export type Place = string & { readonly [place]: true };

/** What a keyed hash is for: each purpose has a key of its own. Made in this file only. */
export type Purpose = string & { readonly [purpose]: true };

/** Bound to `<lineage>/<label>/<id>`; what belongs to no workspace has the lineage 0. */
export const SEALED = {
  /** The personal data of an account, and the key of the person that all below are sealed with. */
  person: 'account_person',
  /** Why an account was blocked. */
  blockNote: 'block_note',
  /** Why a refund was made. */
  refundNote: 'refund_note',
  /** What reviewers wrote about a person. */
  reviewNote: 'review_note',
  /** The holder and IBAN of a bank account that payouts go to. */
  payoutDestination: 'payout_destination',
  /** The answer to a change of a person, stored to be repeated. */
  updateAnswer: 'update_answer',
  /** What a person stated in an application. */
  application: 'kyc_application',
  /** What a reviewer wrote on an application. */
  applicationNote: 'kyc_note',
  /** A picture or file of an identity document. */
  document: 'kyc_document',
  /** The statements by which similar persons are compared. */
  statements: 'match_person',
  /** What a person is counted under, with a key of the installation. */
  matchCounted: 'match_counted',
  /** What a business stated. */
  business: 'entity',
  /** The name of a person behind a business. */
  agent: 'entity_agent',
  /** A piece of evidence for a dispute. */
  evidence: 'dispute_evidence',
  /** A file of a business, and its name. */
  businessDocument: 'entity_document',
  businessDocumentName: 'entity_document_name',
  /** The key of a bank statement; who paid one of its rows, and what they wrote. */
  bankStatement: 'bank_statement',
  bankEntry: 'bank_entry',
  /** A mail that the sandbox captured. */
  mail: 'mail',
  /** What one mail alone says: an address given with a request, a code, a link. */
  mailWords: 'mail_words',
  /** The address that a code was mailed to. */
  emailCheck: 'email_check',
  /** The address of a receipt's page; of no row. */
  receiptLink: 'receipt_link',
  /** A secret of the installation, and its key. */
  installation: 'installation',
  /** The key of an operator; the texts sealed with it add `/name`, `/username` or `/totp`. */
  operator: 'operator',
} as const;

/** Bound to `<label>:<parts>`: a secret and its wrapped key, by its row. */
export const SECRETS = {
  /** A key that signs tokens, by its id. */
  signingKey: 'signing_key',
  /** A key that signs the audit chain, by its public half. */
  auditKey: 'audit_key',
  /** A secret that signs webhooks, by lineage, endpoint and number. */
  webhookSecret: 'webhook_secret',
  /** A secret of a stored answer, by lineage, scope of the idempotency key and path. */
  answerSecret: 'kept_secret',
  /** The key of a provider's credentials, by lineage and kind; the texts add name and address. */
  providerCredentials: 'provider_credentials',
} as const;

/** Keyed hashes with one key for the installation. */
export const KEYED = {
  /** Tells whether a database was opened with these master keys. */
  installation: 'installation',
  /** The secret of a client. */
  clientSecret: 'client-secret',
  /** Finds an operator by username. */
  operatorUsername: 'operator-username',
  /** Finds an operator by who they are at the identity provider. */
  operatorSignOn: 'operator-sign-on',
  /** Mixed into the password of an operator. */
  operatorPassword: 'operator-password',
  /** Counts the tries of a username or an address. */
  operatorThrottle: 'operator-throttle',
  /** A browser in which an operator signed in. */
  operatorDevice: 'operator-device',
  /** The nonce of the link into the identity flow. */
  identityLink: 'kyc_link',
  /** The key that the addresses of receipts are sealed with. */
  receiptLink: 'receipt-link',
  /** Compares the body of a request that is sent again. */
  idempotency: 'idempotency',
  /** The key of a workspace at each provider simulator. */
  processor: 'processor',
  vendor: 'vendor',
  receiver: 'receiver',
  /** What was submitted to the identity vendor's simulator. */
  vendorDigest: 'vendor digest',
  /** An answer to a dispute at the processor's simulator. */
  answerDigest: 'answer digest',
} as const;

/** Keyed hashes with a key for each lineage: `<label>:<lineage>`. */
export const KEYED_BY_LINEAGE = {
  /** Finds an account by username. */
  username: 'username',
  /** Keeps the username of an erased person from being registered again. */
  erasedUsername: 'erased_username',
  /** A name with a birth date, as the watch-list holds it. */
  watchList: 'watch_list',
  /** The last four digits of a tax number. */
  ssnLast4: 'kyc_ssn_last4',
  /** What was submitted, at an identity vendor that is sent nothing of it. */
  checkOrder: 'check_order',
  /** A blocking key, by which similar persons are found. */
  match: 'match',
  /** A value that persons have in common, by which they are counted; the key it is sealed with. */
  matchCount: 'match_count',
  matchCounted: 'match_counted',
  /** What another service knew an account or a card by, and the rows of its files. */
  imported: 'imported',
  /** A code that was mailed. */
  emailCode: 'email_code',
  /** An address that bounced, or that the sandbox captured a mail to. */
  mailAddress: 'mail_address',
} as const;

/** Hashes without a key: begin the text that is hashed. */
export const HASHED = {
  /** The session of an operator, and the token of its forms. */
  operatorSession: 'holdfast-session:',
  operatorForm: 'holdfast-csrf:',
  /** The token of an invitation, and what a single sign-on is begun with. */
  operatorInvitation: 'holdfast-invitation:',
  operatorSignOnTry: 'holdfast-sign-on:',
  /** A one-time view of a document. */
  documentView: 'holdfast-review-view:',
  /** The name of the cookie that resumes a link. */
  linkCookie: 'cookie:',
  /** The id of the endpoint that `listen` forwards to, by lineage. */
  forwarding: 'holdfast forward-to ',
  /** Ids that follow from a name, such as those of system accounts. */
  derivedId: 'holdfast/',
} as const;

/** The audit chain: first words of what is hashed for each row and block, and of what is signed. */
export const CHAINED = {
  step: 'step',
  entry: 'entry',
  event: 'event',
  block: 'block',
  signed: 'holdfast audit',
  proven: 'holdfast proven',
} as const;

/** What is sealed for a row; `lineage` of its workspace, so that a clone can open it too. */
export function sealedPlace(label: keyof typeof SEALED, lineage: number, id: string): Place {
  return `${lineage}/${SEALED[label]}/${id}` as Place;
}

/** Where a secret is sealed. */
export function secretPlace(
  label: keyof typeof SECRETS,
  ...parts: readonly (string | number)[]
): Place {
  return [SECRETS[label], ...parts].join(':') as Place;
}

/** The purpose of a keyed hash. */
export function purposeOf(label: keyof typeof KEYED): Purpose {
  return KEYED[label] as string as Purpose;
}

/** The purpose of a keyed hash in a lineage. */
export function lineagePurpose(label: keyof typeof KEYED_BY_LINEAGE, lineage: number): Purpose {
  return `${KEYED_BY_LINEAGE[label]}:${lineage}` as Purpose;
}
