// All scopes: the interface's own, where singular and plural are different ones, and ours. Each
// operation names the scope that it requires.

/** Every scope that a client may be given, with one sentence. [seed: Authentication, G-12] */
export const SCOPES = {
  read_kyc: 'Read the identity status of one account.',
  read_kycs: 'Read the identity status of any account.',
  verify_kyc: 'Submit identity data for one account.',
  write_kycs: 'Set the identity state of an account, in staging only.',
  write_entities: 'Start the verification of a business.',
  read_entities: 'Read a business and its people.',
  read_payment_methods: 'List the payment methods of any account.',
  read_payment_method: 'List the payment methods of one account.',
  write_payment_method: 'Add or change a payment method of one account.',
  write_user_tokens: 'Create links to web flows and user tokens.',
  read_invoices: 'Read any invoice or escrow.',
  write_invoices: 'Create and pay invoices and escrows.',
  read_invoice: 'Read one authorized invoice.',
  write_invoice: 'Create and pay one authorized invoice.',
  write_disagreements: 'Take a side in disagreements about escrows of one account.',
  deliver_escrow: 'Say that one account delivered what it sold.',
  release_escrow: 'Release held money of the purchases of one account.',
  write_registrations: 'Register accounts.',
  search_accounts: 'Search accounts by username.',
  read_accounts: 'Read accounts.',
  write_process_credits: 'Create and cancel payouts.',
  read_process_credits: 'Read payouts.',
  read_wallets: 'Read wallets and balances.',
  read_events: 'Read the stream of events.',
  write_webhooks: 'Register and change webhook endpoints.',
  write_settings: "Change the tenant's settings.",
  write_sandbox: 'Control money, clocks and decisions of the sandbox, in staging only.',
} as const satisfies Readonly<Record<string, string>>;

export type Scope = keyof typeof SCOPES;

export const SCOPE_NAMES: readonly Scope[] = Object.keys(SCOPES) as Scope[];

/** Every scope of an environment: production has no sandbox to write to. [G-04, G-12] */
export function scopesIn(env: 'staging' | 'production'): readonly Scope[] {
  return env === 'staging' ? SCOPE_NAMES : SCOPE_NAMES.filter((name) => name !== 'write_sandbox');
}

const IDENTITY: readonly Scope[] = ['read_kyc', 'read_kycs', 'verify_kyc'];
const METHODS: readonly Scope[] = ['read_payment_method', 'write_payment_method'];
const SALE: readonly Scope[] = ['read_invoice', 'write_invoice', ...METHODS];
/** A payout requires an accepted identity, so the flow includes the identity form. */
const PAYOUTS: readonly Scope[] = [
  ...METHODS,
  'read_process_credits',
  'write_process_credits',
  ...IDENTITY,
];
const HISTORY: readonly Scope[] = ['read_invoices', 'read_payment_method'];
const ESCROW: readonly Scope[] = ['read_invoices', 'deliver_escrow'];
/**
 * Only where the link's creator names them: what becomes of held money is the tenant's decision.
 * [G-96]
 */
const BY_NAME: readonly Scope[] = ['release_escrow', 'write_disagreements'];

/**
 * The flows that a link can open, with the scopes of each session unless the link's creator named
 * others. They reach only the link's account and, for a checkout, its sale. Flows that the
 * interface does not name are ours. [seed: Widget script, G-12]
 */
export const FLOW_SCOPES = {
  'payment-selection': METHODS,
  checkout: SALE,
  tos: [],
  kyc: IDENTITY,
  purchase: SALE,
  payout: PAYOUTS,
  'payout-full': PAYOUTS,
  txnhistory: HISTORY,
  txndetails: HISTORY,
  kyb: IDENTITY,
  escrow: ESCROW,
} as const satisfies Readonly<Record<string, readonly Scope[]>>;

export type Flow = keyof typeof FLOW_SCOPES;

export const FLOWS: readonly Flow[] = Object.keys(FLOW_SCOPES) as Flow[];

/** The scopes that a flow needs; without a flow, those of payment methods. [G-12] */
export function scopesOfFlow(flow: string | null): readonly Scope[] {
  const known: Readonly<Record<string, readonly Scope[]>> = FLOW_SCOPES;
  return known[flow ?? 'payment-selection'] ?? [];
}

/** The scopes of a user token, for its own account only. [seed: Authentication, G-12] */
export const USER_SCOPES = IDENTITY;

/** All scopes that a session can have. [G-12] */
export const SESSION_SCOPES: readonly Scope[] = [
  ...new Set([...Object.values(FLOW_SCOPES).flat(), ...BY_NAME]),
];

const KNOWN: ReadonlySet<string> = new Set(SCOPE_NAMES);

/** True for an existing scope; compares exactly, with letter case. */
export function isScope(name: string): name is Scope {
  return KNOWN.has(name);
}

/** The names in a text, separated by spaces or commas, each once, in order. [G-10] */
export function scopeNames(text: string): string[] {
  return [...new Set(text.split(/[ ,]+/).filter((name) => name !== ''))];
}
