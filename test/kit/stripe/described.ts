// What Stripe's description requires of each object beyond the fields that we read: with these the
// answers of the server in the tests fit it. `npm run prove foreign` checks that.

type Fields = Readonly<Record<string, unknown>>;

const NOBODY = { address: null, email: null, name: null, phone: null, tax_id: null };
const CREATED = 1_700_000_000;

/** By the name of the object; ours go before these. */
const REQUIRED: Readonly<Record<string, (of: Fields) => Fields>> = {
  balance: () => ({ pending: [] }),
  balance_transaction: () => ({
    balance_type: 'payments',
    fee_details: [],
    status: 'pending',
  }),
  charge: ({ amount, amount_captured, amount_refunded }) => ({
    billing_details: NOBODY,
    captured: amount_captured !== 0,
    disputed: false,
    paid: true,
    refunded: amount_refunded === amount,
    status: 'succeeded',
  }),
  'checkout.session': () => ({
    automatic_tax: { enabled: false },
    created: CREATED,
    custom_fields: [],
    custom_text: {
      ...{ after_submit: null, shipping_address: null, submit: null },
      terms_of_service_acceptance: null,
    },
    mode: 'setup',
    payment_method_types: ['card'],
    payment_status: 'no_payment_required',
    shipping_options: [],
  }),
  dispute: () => ({
    balance_transactions: [],
    created: CREATED,
    enhanced_eligibility_types: [],
    is_charge_refundable: false,
  }),
  event: () => ({ pending_webhooks: 1 }),
  payment_method: () => ({ billing_details: NOBODY, created: CREATED, livemode: false }),
  transfer: ({ id }) => ({
    reversals: {
      ...{ object: 'list', data: [], has_more: false },
      url: `/v1/transfers/${String(id)}/reversals`,
    },
  }),
  setup_intent: () => ({
    ...{ id: 'seti_1', created: CREATED, livemode: false, status: 'succeeded' },
    ...{ payment_method_types: ['card'], usage: 'off_session' },
  }),
};
/** Of objects that have no name, by the field they are in. */
const INSIDE: Readonly<Record<string, Fields>> = {
  evidence: { enhanced_evidence: {} },
  card: { exp_month: 12, exp_year: 2040, funding: 'credit' },
  evidence_details: {
    ...{ enhanced_eligibility: {}, has_evidence: false, past_due: false, submission_count: 0 },
  },
};

/** The object with all that its description requires, and so of those inside of it. */
export function described(value: unknown, path: string, field = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => described(one, path));
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Fields;
  const own = Object.entries(fields).map(([name, one]) => [name, described(one, path, name)]);
  const kind = String(fields['object'] ?? '');
  const list = kind === 'list' ? { url: path } : {};
  const required = REQUIRED[kind]?.(fields);
  return { ...INSIDE[field], ...required, ...Object.fromEntries(own), ...list };
}
