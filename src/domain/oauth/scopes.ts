// Answers for the names of scopes: the interface's own, singular and plural being different ones,
// and ours. Refuses to know which operation asks for which; an operation says so itself.

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
  write_user_tokens: 'Let a user open a web flow, or hold a user token.',
  read_invoices: 'Read any invoice or escrow.',
  write_invoices: 'Create and pay invoices and escrows.',
  read_invoice: 'Read one authorized invoice.',
  write_invoice: 'Create and pay one authorized invoice.',
  write_registrations: 'Register accounts.',
  search_accounts: 'Find accounts by username.',
  read_accounts: 'Read accounts.',
  write_process_credits: 'Create and cancel payouts.',
  read_process_credits: 'Read payouts.',
  read_wallets: 'Read wallets and balances.',
  read_events: 'Read the stream of events.',
  write_webhooks: 'Register and change webhook endpoints.',
  write_settings: "Change the tenant's settings.",
  write_sandbox: 'Move money, clocks and verdicts of the sandbox, in staging only.',
} as const satisfies Readonly<Record<string, string>>;

/** A scope that exists. */
export type Scope = keyof typeof SCOPES;

/** All names. */
export const SCOPE_NAMES: readonly Scope[] = Object.keys(SCOPES) as Scope[];

/** Every scope of an environment: production has no sandbox to write to. [G-04, G-12] */
export function scopesIn(env: 'staging' | 'production'): readonly Scope[] {
  return env === 'staging' ? SCOPE_NAMES : SCOPE_NAMES.filter((name) => name !== 'write_sandbox');
}

const IDENTITY: readonly Scope[] = ['read_kyc', 'read_kycs', 'verify_kyc'];
const METHODS: readonly Scope[] = ['read_payment_method', 'write_payment_method'];
const SALE: readonly Scope[] = ['read_invoice', 'write_invoice', ...METHODS];
/** Money is paid out to whom the platform knows: the flow asks who they are first. */
const PAYOUTS: readonly Scope[] = [
  ...METHODS,
  'read_process_credits',
  'write_process_credits',
  ...IDENTITY,
];
const HISTORY: readonly Scope[] = ['read_invoices', 'read_payment_method'];

/**
 * The flows that a link can open, and what the session of each may do unless the link's maker named
 * other scopes; on its own account only, and of a sale with that sale only. The flows that the
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
} as const satisfies Readonly<Record<string, readonly Scope[]>>;

/** A flow that a link can open. */
export type Flow = keyof typeof FLOW_SCOPES;

/** Their names. */
export const FLOWS: readonly Flow[] = Object.keys(FLOW_SCOPES) as Flow[];

/** What a flow needs; of a link that is opened without any, payment methods. [G-12] */
export function scopesOfFlow(flow: string | null): readonly Scope[] {
  const known: Readonly<Record<string, readonly Scope[]>> = FLOW_SCOPES;
  return known[flow ?? 'payment-selection'] ?? [];
}

/** What a user token may do, on its own account only. [seed: Authentication, G-12] */
export const USER_SCOPES = IDENTITY;

/** All that a session can be given. [G-12] */
export const SESSION_SCOPES: readonly Scope[] = [...new Set(Object.values(FLOW_SCOPES).flat())];

const KNOWN: ReadonlySet<string> = new Set(SCOPE_NAMES);

/** True for a name of the list; exact, no prefixes, no letter case. */
export function isScope(name: string): name is Scope {
  return KNOWN.has(name);
}

/** Names in a text that separates them by spaces or commas, each once, in their order. [G-10] */
export function scopeNames(text: string): string[] {
  return [...new Set(text.split(/[ ,]+/).filter((name) => name !== ''))];
}
