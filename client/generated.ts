// One file, made by `npm run docs` from the catalogue: the types of every request,
// answer and event, the table that calls are made by, and the codes of refusals. Do not edit it.

/** Hosts, in the order of the ready line. */
export const HOSTS = [
  'pii',
  'invoicing',
  'payments',
  'auth',
  'widget',
  'hosted',
  'console',
  'accounts',
  'wallets',
  'shop',
  'processor',
  'internal',
] as const;
export type Host = (typeof HOSTS)[number];

/** The input of an operation that has none. */
export type NoInput = Readonly<Record<string, never>>;

/**
 * What stops a call: the `AbortSignal` of the surroundings. A project whose compiler knows
 * neither a browser nor Node still reads these types.
 */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Own } }
  ? Own
  : {
      readonly aborted: boolean;
      readonly reason: unknown;
      addEventListener(type: 'abort', listener: () => void): void;
      removeEventListener(type: 'abort', listener: () => void): void;
    };

/** What a call may carry besides its input. */
export interface CallOptions {
  /** The key that makes a repetition safe; one is made for each call when none is given. */
  readonly idempotencyKey?: string;
  readonly signal?: Signal;
  /** Milliseconds for the whole call with its repetitions. */
  readonly timeoutMs?: number;
}

/** Where one operation is, and how its input is sent. */
export interface OperationRow {
  readonly host: Host;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Names that go into the query; what is not in the path either goes into the body. */
  readonly query?: readonly string[];
  readonly body?: 'json' | 'form';
  /** The answer has no envelope. */
  readonly bare?: true;
  /** Needs no token. */
  readonly open?: true;
}

/** How calls are made. */
export const OPERATIONS: Readonly<Record<keyof Operations, OperationRow>> = {
  createToken: {
    host: 'auth',
    method: 'POST',
    path: '/token',
    body: 'form',
    bare: true,
    open: true,
  },
  revokeToken: {
    host: 'auth',
    method: 'POST',
    path: '/revoke',
    body: 'form',
    bare: true,
    open: true,
  },
  introspectToken: {
    host: 'auth',
    method: 'POST',
    path: '/introspect',
    body: 'form',
    bare: true,
    open: true,
  },
  getKeys: { host: 'auth', method: 'GET', path: '/.well-known/jwks.json', bare: true, open: true },
  getAuthorizationServerMetadata: {
    host: 'auth',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    bare: true,
    open: true,
  },
  authorizeUser: { host: 'auth', method: 'POST', path: '/authorize/user', body: 'json' },
  getLinkStatus: { host: 'auth', method: 'GET', path: '/authorize/user/{nonce_auth_id}' },
  openSession: {
    host: 'widget',
    method: 'POST',
    path: '/ui/api/session',
    body: 'json',
    open: true,
  },
  endSession: {
    host: 'widget',
    method: 'POST',
    path: '/ui/api/session/end',
    body: 'json',
    open: true,
  },
  openHostedSession: {
    host: 'hosted',
    method: 'POST',
    path: '/ui/api/session',
    body: 'json',
    open: true,
  },
  endHostedSession: {
    host: 'hosted',
    method: 'POST',
    path: '/ui/api/session/end',
    body: 'json',
    open: true,
  },
  registerAccount: { host: 'accounts', method: 'POST', path: '/register', body: 'json' },
  searchUserInfo: {
    host: 'accounts',
    method: 'GET',
    path: '/v1/user-info/search',
    query: ['username'],
  },
  getUserInfo: { host: 'accounts', method: 'GET', path: '/v1/user-info/{account_id}' },
  updateUserInfo: {
    host: 'accounts',
    method: 'PUT',
    path: '/user-info/{account_id}',
    body: 'json',
  },
  blockAccount: { host: 'accounts', method: 'POST', path: '/v2/block', body: 'json' },
  unblockAccount: { host: 'accounts', method: 'POST', path: '/v2/unblock', body: 'json' },
  getAccountBlocks: { host: 'accounts', method: 'GET', path: '/v2/block/{account_id}' },
  beginEmailVerification: {
    host: 'accounts',
    method: 'POST',
    path: '/v1/user-info/email/begin-verify',
    body: 'json',
  },
  finishEmailVerification: {
    host: 'accounts',
    method: 'POST',
    path: '/v1/user-info/email/finish-verify',
    body: 'json',
  },
  mergeAccounts: { host: 'accounts', method: 'POST', path: '/v2/merge-accounts', body: 'json' },
  getTerms: { host: 'accounts', method: 'GET', path: '/v1/tos', open: true },
  getOwnTermsSignature: { host: 'accounts', method: 'GET', path: '/v1/user-info/tos/{word}' },
  signTerms: { host: 'accounts', method: 'POST', path: '/v1/user-info/tos/{word}', body: 'json' },
  getTermsSignature: {
    host: 'accounts',
    method: 'GET',
    path: '/user-info/{account_id}/tos/{word}',
    bare: true,
  },
  listOwnConsents: { host: 'accounts', method: 'GET', path: '/v1/consents' },
  revokeConsent: { host: 'accounts', method: 'DELETE', path: '/v1/consents/{consent_id}' },
  listConsents: { host: 'accounts', method: 'GET', path: '/user-info/{account_id}/consents' },
  getKYCStatus: { host: 'pii', method: 'GET', path: '/v1/kyc/{account_id}' },
  setAccountKYCState: {
    host: 'pii',
    method: 'PUT',
    path: '/v2/kyc/account/{account_id}/state',
    body: 'json',
  },
  submitKYC: { host: 'pii', method: 'POST', path: '/v2/kyc', body: 'json' },
  getKYCApplication: { host: 'pii', method: 'GET', path: '/v2/kyc', query: ['kyc_id'] },
  recheckKYC: { host: 'pii', method: 'POST', path: '/v1/kyc/{account_id}/recheck', body: 'json' },
  getKYCForm: { host: 'pii', method: 'GET', path: '/v2/kyc/form' },
  getKYCVendorPage: { host: 'pii', method: 'GET', path: '/v2/kyc/vendor_page' },
  listKYCCountries: { host: 'pii', method: 'GET', path: '/v2/kyc/countries', open: true },
  onboardEntity: {
    host: 'pii',
    method: 'POST',
    path: '/v1/entity/{account_id}/onboard',
    body: 'json',
  },
  getEntity: { host: 'pii', method: 'GET', path: '/v1/entity/{entity_id}' },
  linkEntityAgent: {
    host: 'pii',
    method: 'POST',
    path: '/v1/entity/agents/{entity_agent_id}/link',
  },
  sandboxSetEntity: {
    host: 'invoicing',
    method: 'PUT',
    path: '/sandbox/entities/{entity_id}/state',
    body: 'json',
  },
  getEntityForm: { host: 'pii', method: 'GET', path: '/v1/entity/form' },
  saveEntityForm: { host: 'pii', method: 'PUT', path: '/v1/entity/form', body: 'json' },
  addEntityDocument: {
    host: 'pii',
    method: 'POST',
    path: '/v1/entity/form/documents',
    body: 'json',
  },
  removeEntityDocument: {
    host: 'pii',
    method: 'DELETE',
    path: '/v1/entity/form/documents/{entity_document_id}',
  },
  submitEntityForm: { host: 'pii', method: 'POST', path: '/v1/entity/form/submit' },
  createDeposit: { host: 'invoicing', method: 'POST', path: '/v1/deposits', body: 'json' },
  getDeposit: { host: 'invoicing', method: 'GET', path: '/v1/deposits/{deposit_id}' },
  listPaymentMethods: { host: 'payments', method: 'GET', path: '/v1/{account_id}/payment_methods' },
  listPaymentMethodsUnversioned: {
    host: 'payments',
    method: 'GET',
    path: '/{account_id}/payment_methods',
  },
  createPaymentMethodEntry: {
    host: 'payments',
    method: 'POST',
    path: '/v1/payment_method/entry',
    body: 'json',
  },
  createPaymentMethod: {
    host: 'payments',
    method: 'POST',
    path: '/v1/payment_method',
    body: 'json',
  },
  renamePaymentMethod: {
    host: 'payments',
    method: 'PATCH',
    path: '/v1/payment_method/{payment_method_id}',
    body: 'json',
  },
  removePaymentMethod: {
    host: 'payments',
    method: 'DELETE',
    path: '/v1/payment_method/{payment_method_id}',
  },
  createBankAccount: {
    host: 'payments',
    method: 'POST',
    path: '/v1/payment_method/bank_account',
    body: 'json',
  },
  createOneTimePaymentMethod: {
    host: 'payments',
    method: 'POST',
    path: '/v1/payment_method/once',
    body: 'json',
  },
  getBalances: {
    host: 'wallets',
    method: 'GET',
    path: '/balances/{account_id}',
    query: ['currency'],
  },
  getWallet: { host: 'wallets', method: 'GET', path: '/v2/wallet/{wallet_id}' },
  listSellerDebts: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/seller_debts',
    query: ['account_id', 'dispute_id', 'limit', 'offset'],
  },
  createInvoice: { host: 'invoicing', method: 'POST', path: '/v2/invoice', body: 'json' },
  payInvoice: { host: 'invoicing', method: 'POST', path: '/v2/invoice/{invoice_id}/pay' },
  giveUpInvoicePayment: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/invoice/{invoice_id}/give_up',
  },
  getInvoice: { host: 'invoicing', method: 'GET', path: '/v2/invoice/{invoice_id}' },
  createEscrow: { host: 'invoicing', method: 'POST', path: '/v2/escrow', body: 'json' },
  payEscrow: { host: 'invoicing', method: 'POST', path: '/v2/escrow/{escrow_id}/pay' },
  commitEscrow: { host: 'invoicing', method: 'POST', path: '/v2/escrow/{escrow_id}/commit' },
  cancelEscrow: { host: 'invoicing', method: 'POST', path: '/v2/escrow/{escrow_id}/cancel' },
  releaseEscrow: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/escrow/{escrow_id}/release',
    body: 'json',
  },
  returnEscrow: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/escrow/{escrow_id}/return',
    body: 'json',
  },
  scheduleEscrow: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/escrow/{escrow_id}/schedule',
    body: 'json',
  },
  deliverEscrow: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/escrow/{escrow_id}/delivered',
    body: 'json',
  },
  getEscrow: { host: 'invoicing', method: 'GET', path: '/v2/escrow/{escrow_id}' },
  getEscrowByInvoice: {
    host: 'invoicing',
    method: 'GET',
    path: '/v2/escrow/by_invoice/{invoice_id}',
  },
  authorizeInvoice: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/authorize/invoice',
    body: 'json',
  },
  getAuthorizedInvoice: {
    host: 'invoicing',
    method: 'GET',
    path: '/v2/authorize/invoice/{authorized_invoice_id}',
  },
  refundInvoice: { host: 'invoicing', method: 'POST', path: '/v2/refund', body: 'json' },
  refundLineItem: { host: 'invoicing', method: 'POST', path: '/v2/line-item/refund', body: 'json' },
  getRefund: { host: 'invoicing', method: 'GET', path: '/v2/refund/{refund_id}' },
  withdrawRefund: { host: 'invoicing', method: 'DELETE', path: '/v2/refund/{refund_id}' },
  listInvoiceRefunds: {
    host: 'invoicing',
    method: 'GET',
    path: '/v2/invoice/{invoice_id}/refunds',
    query: ['status'],
  },
  openDisagreement: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/escrow/{escrow_id}/dispute',
    body: 'json',
  },
  getDisagreement: { host: 'invoicing', method: 'GET', path: '/v2/escrow/{escrow_id}/dispute' },
  addDisagreementStatement: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/escrow/{escrow_id}/dispute/statements',
    body: 'json',
  },
  getDisagreementStatement: {
    host: 'invoicing',
    method: 'GET',
    path: '/v2/escrow/{escrow_id}/dispute/statements/{statement_id}',
  },
  proposeSplit: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/escrow/{escrow_id}/dispute/proposal',
    body: 'json',
  },
  answerProposal: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/escrow/{escrow_id}/dispute/answer',
    body: 'json',
  },
  resolveDisagreement: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/escrow/{escrow_id}/resolve',
    body: 'json',
  },
  listDisputes: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/disputes',
    query: ['status', 'account_id', 'invoice_id', 'escrow_id', 'limit', 'offset'],
  },
  getDispute: { host: 'invoicing', method: 'GET', path: '/v1/disputes/{dispute_id}' },
  addDisputeEvidence: {
    host: 'invoicing',
    method: 'POST',
    path: '/v1/disputes/{dispute_id}/evidence',
    body: 'json',
  },
  submitDispute: { host: 'invoicing', method: 'POST', path: '/v1/disputes/{dispute_id}/submit' },
  listSellerReserves: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/seller_reserves',
    query: ['account_id', 'limit', 'offset'],
  },
  createPayout: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/{account_id}/payout',
    body: 'json',
  },
  listPayouts: {
    host: 'invoicing',
    method: 'GET',
    path: '/v2/{account_id}/payouts',
    query: ['limit', 'offset'],
  },
  getPayout: {
    host: 'invoicing',
    method: 'GET',
    path: '/v2/{account_id}/payout/{payout_status_id}',
  },
  getPayoutStatement: {
    host: 'invoicing',
    method: 'GET',
    path: '/v2/{account_id}/payout/{payout_status_id}/statement',
  },
  cancelPayout: {
    host: 'invoicing',
    method: 'DELETE',
    path: '/v2/{account_id}/payout/{payout_status_id}',
  },
  holdPayout: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/{account_id}/payout/{payout_status_id}/hold',
  },
  letPayoutGo: {
    host: 'invoicing',
    method: 'POST',
    path: '/v2/{account_id}/payout/{payout_status_id}/let_go',
  },
  executePayout: {
    host: 'invoicing',
    method: 'PATCH',
    path: '/v2/{account_id}/payout/{payout_status_id}',
  },
  quotePayout: {
    host: 'invoicing',
    method: 'GET',
    path: '/v2/{account_id}/payout_quote',
    query: ['amount', 'currency', 'destination_payment_method_id'],
  },
  listPayoutWays: {
    host: 'invoicing',
    method: 'GET',
    path: '/v2/{account_id}/payout_ways',
    query: ['currency'],
  },
  listTransactions: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/transactions',
    query: ['limit', 'offset', 'statuses', 'account_id'],
  },
  getTransaction: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/transaction/{transaction_id}',
    query: ['account_id'],
  },
  getReceipt: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/transaction/{transaction_id}/receipt',
    query: ['account_id'],
  },
  listAccountInvoices: {
    host: 'invoicing',
    method: 'GET',
    path: '/v2/invoice/account/{account_id}',
    query: [
      'limit',
      'offset',
      'states',
      'invoice_types',
      'sort',
      'sort_field',
      'include_recipient_transactions',
    ],
  },
  getEscrowOfParty: {
    host: 'invoicing',
    method: 'GET',
    path: '/v2/escrow/{escrow_id}/party',
    query: ['account_id'],
  },
  getReconciliation: { host: 'payments', method: 'GET', path: '/v1/reconciliation' },
  resolveReconciliation: {
    host: 'payments',
    method: 'POST',
    path: '/v1/reconciliation/{item_id}/resolve',
    body: 'json',
  },
  getDepositInstructions: {
    host: 'wallets',
    method: 'GET',
    path: '/v2/wallet/{wallet_id}/deposit_instructions',
  },
  listBankTransfers: {
    host: 'wallets',
    method: 'GET',
    path: '/v2/bank_transfers',
    query: ['account_id', 'wallet_id', 'state', 'limit', 'offset'],
  },
  listPayoutScheduleDefaults: { host: 'invoicing', method: 'GET', path: '/v2/payout_schedule' },
  setPayoutScheduleDefault: {
    host: 'invoicing',
    method: 'PUT',
    path: '/v2/payout_schedule',
    body: 'json',
  },
  listPayoutSchedules: {
    host: 'invoicing',
    method: 'GET',
    path: '/v2/{account_id}/payout_schedule',
  },
  setPayoutSchedule: {
    host: 'invoicing',
    method: 'PUT',
    path: '/v2/{account_id}/payout_schedule',
    body: 'json',
  },
  createPayeeLink: { host: 'payments', method: 'POST', path: '/v1/payee/link', body: 'json' },
  getPayee: { host: 'payments', method: 'GET', path: '/v1/payee', query: ['account_id'] },
  getCoverage: { host: 'invoicing', method: 'GET', path: '/v1/coverage' },
  getPublishedCoverage: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/coverage/{integrator}',
    open: true,
  },
  getTrialBalance: { host: 'invoicing', method: 'GET', path: '/v1/trial_balance', query: ['at'] },
  getBalancesAt: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/balances/{account_id}',
    query: ['at'],
  },
  getStatement: { host: 'invoicing', method: 'GET', path: '/v1/statements', query: ['month'] },
  getAccountStatement: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/statements/{account_id}',
    query: ['month'],
  },
  listSellerTotals: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/seller_totals',
    query: ['year', 'after', 'limit'],
  },
  createWebhookEndpoint: {
    host: 'invoicing',
    method: 'POST',
    path: '/v1/webhook_endpoints',
    body: 'json',
  },
  listWebhookEndpoints: { host: 'invoicing', method: 'GET', path: '/v1/webhook_endpoints' },
  getWebhookEndpoint: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/webhook_endpoints/{endpoint_id}',
  },
  changeWebhookEndpoint: {
    host: 'invoicing',
    method: 'PATCH',
    path: '/v1/webhook_endpoints/{endpoint_id}',
    body: 'json',
  },
  deleteWebhookEndpoint: {
    host: 'invoicing',
    method: 'DELETE',
    path: '/v1/webhook_endpoints/{endpoint_id}',
  },
  rotateWebhookSecret: {
    host: 'invoicing',
    method: 'POST',
    path: '/v1/webhook_endpoints/{endpoint_id}/rotate_secret',
    body: 'json',
  },
  listWebhookDeliveries: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/webhook_endpoints/{endpoint_id}/deliveries',
    query: ['state', 'before', 'limit'],
  },
  replayWebhookDeliveries: {
    host: 'invoicing',
    method: 'POST',
    path: '/v1/webhook_endpoints/{endpoint_id}/replay',
    body: 'json',
  },
  listEvents: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/events',
    query: ['after', 'limit', 'epoch'],
  },
  getEvent: { host: 'invoicing', method: 'GET', path: '/v1/events/{event_id}' },
  listLifecycles: { host: 'invoicing', method: 'GET', path: '/v1/lifecycles' },
  listErrors: { host: 'invoicing', method: 'GET', path: '/v1/errors' },
  getSettings: { host: 'invoicing', method: 'GET', path: '/v1/settings' },
  changeSettings: { host: 'invoicing', method: 'PATCH', path: '/v1/settings', body: 'json' },
  getDisputeSettings: { host: 'invoicing', method: 'GET', path: '/v1/settings/disputes' },
  changeDisputeSettings: {
    host: 'invoicing',
    method: 'PUT',
    path: '/v1/settings/disputes',
    body: 'json',
  },
  getPayeeSettings: { host: 'invoicing', method: 'GET', path: '/v1/settings/payees' },
  changePayeeSettings: {
    host: 'invoicing',
    method: 'PUT',
    path: '/v1/settings/payees',
    body: 'json',
  },
  getCoverageSettings: { host: 'invoicing', method: 'GET', path: '/v1/settings/coverage' },
  changeCoverageSettings: {
    host: 'invoicing',
    method: 'PUT',
    path: '/v1/settings/coverage',
    body: 'json',
  },
  getDisagreementSettings: { host: 'invoicing', method: 'GET', path: '/v1/settings/disagreements' },
  changeDisagreementSettings: {
    host: 'invoicing',
    method: 'PUT',
    path: '/v1/settings/disagreements',
    body: 'json',
  },
  getMailSettings: { host: 'invoicing', method: 'GET', path: '/v1/settings/mail' },
  changeMailSettings: { host: 'invoicing', method: 'PUT', path: '/v1/settings/mail', body: 'json' },
  sendReceipt: {
    host: 'invoicing',
    method: 'POST',
    path: '/v1/transaction/{transaction_id}/receipt',
    body: 'json',
  },
  searchAccounts: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/accounts',
    query: ['blocked', 'created_from', 'created_before', 'limit', 'cursor'],
  },
  searchBusinesses: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/businesses',
    query: ['account_id', 'state', 'created_from', 'created_before', 'limit', 'cursor'],
  },
  searchDeposits: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/deposits',
    query: [
      'account_id',
      'state',
      'amount',
      'currency',
      'created_from',
      'created_before',
      'limit',
      'cursor',
    ],
  },
  searchPaymentAttempts: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/payment_attempts',
    query: [
      'resource_id',
      'state',
      'amount',
      'currency',
      'created_from',
      'created_before',
      'limit',
      'cursor',
    ],
  },
  searchOutboundTransfers: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/outbound_transfers',
    query: [
      'resource_id',
      'state',
      'amount',
      'currency',
      'created_from',
      'created_before',
      'limit',
      'cursor',
    ],
  },
  searchInvoices: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/invoices',
    query: ['account_id', 'state', 'created_from', 'created_before', 'limit', 'cursor'],
  },
  searchEscrows: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/escrows',
    query: ['account_id', 'state', 'created_from', 'created_before', 'limit', 'cursor'],
  },
  searchEscrowDates: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/escrow_dates',
    query: ['account_id', 'due_from', 'due_before', 'limit', 'cursor'],
  },
  searchRefunds: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/refunds',
    query: [
      'invoice_id',
      'state',
      'amount',
      'currency',
      'created_from',
      'created_before',
      'limit',
      'cursor',
    ],
  },
  searchDisagreements: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/disagreements',
    query: ['account_id', 'state', 'currency', 'created_from', 'created_before', 'limit', 'cursor'],
  },
  searchOpenDisagreements: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/open_disagreements',
    query: ['account_id', 'currency', 'due_by_from', 'due_by_before', 'limit', 'cursor'],
  },
  searchDisputes: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/disputes',
    query: [
      'account_id',
      'resource_id',
      'reference',
      'state',
      'amount',
      'currency',
      'created_from',
      'created_before',
      'limit',
      'cursor',
    ],
  },
  searchPayouts: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/payouts',
    query: [
      'account_id',
      'state',
      'on_hold',
      'amount',
      'currency',
      'created_from',
      'created_before',
      'limit',
      'cursor',
    ],
  },
  searchOpenItems: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/open_items',
    query: ['kind', 'currency', 'limit', 'cursor'],
  },
  searchIncomingTransfers: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/incoming_transfers',
    query: ['state', 'amount', 'currency', 'created_from', 'created_before', 'limit', 'cursor'],
  },
  searchMoneyActs: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/money_acts',
    query: [
      'subject_id',
      'state',
      'amount',
      'currency',
      'created_from',
      'created_before',
      'limit',
      'cursor',
    ],
  },
  searchEvents: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/events',
    query: ['name', 'limit', 'cursor'],
  },
  searchDeliveries: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/deliveries',
    query: ['endpoint_id', 'state', 'limit', 'cursor'],
  },
  searchMails: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/mails',
    query: ['account_id', 'state', 'created_from', 'created_before', 'limit', 'cursor'],
  },
  searchLedgerAccounts: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/ledger_accounts',
    query: ['kind', 'currency', 'limit', 'cursor'],
  },
  searchLedgerEntries: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/ledger_entries',
    query: [
      'resource_id',
      'ledger_account_id',
      'currency',
      'created_from',
      'created_before',
      'limit',
      'cursor',
    ],
  },
  searchUnpublishedEvents: {
    host: 'invoicing',
    method: 'GET',
    path: '/v1/search/unpublished_events',
    query: ['limit', 'cursor'],
  },
  sandboxDeposit: { host: 'invoicing', method: 'POST', path: '/sandbox/deposits', body: 'json' },
  sandboxAttachCard: {
    host: 'invoicing',
    method: 'POST',
    path: '/sandbox/payment_methods',
    body: 'json',
  },
  sandboxBankTransfer: {
    host: 'invoicing',
    method: 'POST',
    path: '/sandbox/bank_transfers',
    body: 'json',
  },
  sandboxTestCards: { host: 'invoicing', method: 'GET', path: '/sandbox/test_cards' },
  sandboxScenarios: { host: 'invoicing', method: 'GET', path: '/sandbox/scenarios' },
  sandboxPlayScenario: {
    host: 'invoicing',
    method: 'POST',
    path: '/sandbox/scenarios',
    body: 'json',
  },
  sandboxOutsideEvent: {
    host: 'invoicing',
    method: 'POST',
    path: '/sandbox/outside_events',
    body: 'json',
  },
  sandboxSettlementTerms: {
    host: 'invoicing',
    method: 'POST',
    path: '/sandbox/settlement_terms',
    body: 'json',
  },
  sandboxTestPersons: { host: 'invoicing', method: 'GET', path: '/sandbox/test_persons' },
  sandboxIdentityEvent: {
    host: 'invoicing',
    method: 'POST',
    path: '/sandbox/identity_events',
    body: 'json',
  },
  sandboxCounterparties: { host: 'invoicing', method: 'GET', path: '/sandbox/counterparties' },
  sandboxScript: { host: 'invoicing', method: 'POST', path: '/sandbox/scripts', body: 'json' },
  sandboxScripts: { host: 'invoicing', method: 'GET', path: '/sandbox/scripts' },
  sandboxClearScripts: { host: 'invoicing', method: 'DELETE', path: '/sandbox/scripts' },
  sandboxBook: {
    host: 'invoicing',
    method: 'GET',
    path: '/sandbox/books/{counterparty}',
    query: ['after'],
  },
  sandboxCreateReceiver: {
    host: 'invoicing',
    method: 'POST',
    path: '/sandbox/receivers',
    body: 'json',
  },
  sandboxReceivers: { host: 'invoicing', method: 'GET', path: '/sandbox/receivers' },
  sandboxReceiverRequests: {
    host: 'invoicing',
    method: 'GET',
    path: '/sandbox/receivers/{receiver_id}/requests',
    query: ['after'],
  },
  sandboxEndReceiver: {
    host: 'invoicing',
    method: 'DELETE',
    path: '/sandbox/receivers/{receiver_id}',
  },
  sandboxMail: { host: 'invoicing', method: 'GET', path: '/sandbox/mail', query: ['to', 'limit'] },
  sandboxClock: { host: 'invoicing', method: 'GET', path: '/sandbox/clock' },
  sandboxMoveClock: { host: 'invoicing', method: 'POST', path: '/sandbox/clock', body: 'json' },
  sandboxTakeSnapshot: {
    host: 'invoicing',
    method: 'POST',
    path: '/sandbox/snapshots',
    body: 'json',
  },
  sandboxListSnapshots: { host: 'invoicing', method: 'GET', path: '/sandbox/snapshots' },
  sandboxDeleteSnapshot: {
    host: 'invoicing',
    method: 'DELETE',
    path: '/sandbox/snapshots/{snapshot_id}',
  },
  sandboxForkWorld: { host: 'invoicing', method: 'POST', path: '/sandbox/worlds', body: 'json' },
  sandboxListWorlds: { host: 'invoicing', method: 'GET', path: '/sandbox/worlds' },
  sandboxEndWorld: { host: 'invoicing', method: 'DELETE', path: '/sandbox/worlds/{world_id}' },
  sandboxRollBack: { host: 'invoicing', method: 'POST', path: '/sandbox/rollback', body: 'json' },
  sandboxReset: { host: 'invoicing', method: 'POST', path: '/sandbox/reset' },
  sandboxExplain: { host: 'invoicing', method: 'GET', path: '/sandbox/explain/{id}' },
};

/** Every operation. */
export interface Operations {
  /**
   * Issues an access token to a client, or a new token pair for a refresh token.
   * `POST {auth_url}/token`
   */
  createToken(input: CreateTokenInput, options?: CallOptions): Promise<CreateTokenAnswer>;
  /**
   * Revokes an access token, or a refresh token with its whole family (RFC 7009).
   * `POST {auth_url}/revoke`
   */
  revokeToken(input: RevokeTokenInput, options?: CallOptions): Promise<void>;
  /**
   * Returns the state and claims of a token of the client's tenant (RFC 7662).
   * `POST {auth_url}/introspect`
   */
  introspectToken(input: RevokeTokenInput, options?: CallOptions): Promise<IntrospectTokenAnswer>;
  /**
   * Returns the public keys that verify tokens of this installation (RFC 7517).
   * `GET {auth_url}/.well-known/jwks.json`
   */
  getKeys(input?: NoInput, options?: CallOptions): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Returns the metadata of this authorization server (RFC 8414).
   * `GET {auth_url}/.well-known/oauth-authorization-server`
   */
  getAuthorizationServerMetadata(
    input?: NoInput,
    options?: CallOptions,
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Creates a one-time link to a web flow, or a user token.
   * `POST {auth_url}/authorize/user`
   */
  authorizeUser(input?: AuthorizeUserInput, options?: CallOptions): Promise<AuthorizeUserAnswer>;
  /**
   * Tells whether a one-time link was used or has expired.
   * `GET {auth_url}/authorize/user/{nonce_auth_id}`
   */
  getLinkStatus(
    input: { readonly nonce_auth_id: string },
    options?: CallOptions,
  ): Promise<LinkStatus>;
  /**
   * Opens a one-time link and starts its session, or resumes it after a reload.
   * `POST {widget_url}/ui/api/session`
   */
  openSession(input: OpenSessionInput, options?: CallOptions): Promise<OpenSessionAnswer>;
  /**
   * Ends the session of a page and revokes its token and link.
   * `POST {widget_url}/ui/api/session/end`
   */
  endSession(input: EndSessionInput, options?: CallOptions): Promise<void>;
  /**
   * Opens a one-time link and starts its session, or resumes it after a reload.
   * `POST {hosted_url}/ui/api/session`
   */
  openHostedSession(input: OpenSessionInput, options?: CallOptions): Promise<OpenSessionAnswer>;
  /**
   * Ends the session of a page and revokes its token and link.
   * `POST {hosted_url}/ui/api/session/end`
   */
  endHostedSession(input: EndSessionInput, options?: CallOptions): Promise<void>;
  /**
   * Creates an account with one wallet for each enabled currency.
   * `POST {accounts_url}/register`
   */
  registerAccount(input: RegisterAccountInput, options?: CallOptions): Promise<Account>;
  /**
   * Finds an account by its exact username.
   * `GET {accounts_url}/v1/user-info/search`
   */
  searchUserInfo(input: SearchUserInfoInput, options?: CallOptions): Promise<UserInfo>;
  /**
   * Retrieves an account.
   * `GET {accounts_url}/v1/user-info/{account_id}`
   */
  getUserInfo(input: { readonly account_id: string }, options?: CallOptions): Promise<UserInfo>;
  /**
   * Updates name, address or e-mail of an account; omitted fields do not change.
   * `PUT {accounts_url}/user-info/{account_id}`
   */
  updateUserInfo(input: UpdateUserInfoInput, options?: CallOptions): Promise<UpdateUserInfoAnswer>;
  /**
   * Blocks all transactions and pages of an account until it is unblocked.
   * `POST {accounts_url}/v2/block`
   */
  blockAccount(input: BlockAccountInput, options?: CallOptions): Promise<AccountBlocks>;
  /**
   * Removes a block that the integrator set.
   * `POST {accounts_url}/v2/unblock`
   */
  unblockAccount(input: UnblockAccountInput, options?: CallOptions): Promise<AccountBlocks>;
  /**
   * Lists the active blocks of an account.
   * `GET {accounts_url}/v2/block/{account_id}`
   */
  getAccountBlocks(
    input: { readonly account_id: string },
    options?: CallOptions,
  ): Promise<AccountBlocks>;
  /**
   * Mails a code to an address, to find out whether it is the person's.
   * `POST {accounts_url}/v1/user-info/email/begin-verify`
   */
  beginEmailVerification(
    input: BeginEmailVerificationInput,
    options?: CallOptions,
  ): Promise<BeginEmailVerificationAnswer>;
  /**
   * Makes the address that a code was mailed to the person's own, verified.
   * `POST {accounts_url}/v1/user-info/email/finish-verify`
   */
  finishEmailVerification(
    input: FinishEmailVerificationInput,
    options?: CallOptions,
  ): Promise<FinishEmailVerificationAnswer>;
  /**
   * Merges an account into another: moves its funds and closes it permanently.
   * `POST {accounts_url}/v2/merge-accounts`
   */
  mergeAccounts(input: MergeAccountsInput, options?: CallOptions): Promise<MergeAccountsAnswer>;
  /**
   * Retrieves the current terms of service.
   * `GET {accounts_url}/v1/tos`
   */
  getTerms(input?: NoInput, options?: CallOptions): Promise<Terms>;
  /**
   * Tells whether the token's person accepted the current terms; true if there are none.
   * `GET {accounts_url}/v1/user-info/tos/{word}`
   */
  getOwnTermsSignature(
    input: { readonly word: string },
    options?: CallOptions,
  ): Promise<OwnTermsSignature>;
  /**
   * Accepts the current terms as the token's person; repeating it changes nothing.
   * `POST {accounts_url}/v1/user-info/tos/{word}`
   */
  signTerms(input: SignTermsInput, options?: CallOptions): Promise<null>;
  /**
   * Tells whether a person accepted the current terms; true if there are none.
   * `GET {accounts_url}/user-info/{account_id}/tos/{word}`
   */
  getTermsSignature(
    input: { readonly account_id: string; readonly word: string },
    options?: CallOptions,
  ): Promise<TermsSignature>;
  /**
   * Lists the consents of the token's person, oldest first.
   * `GET {accounts_url}/v1/consents`
   */
  listOwnConsents(input?: NoInput, options?: CallOptions): Promise<ListOwnConsentsAnswer>;
  /**
   * Revokes a consent; sessions and user tokens with one of its scopes end immediately.
   * `DELETE {accounts_url}/v1/consents/{consent_id}`
   */
  revokeConsent(input: { readonly consent_id: string }, options?: CallOptions): Promise<void>;
  /**
   * Lists the consents of a person, oldest first.
   * `GET {accounts_url}/user-info/{account_id}/consents`
   */
  listConsents(
    input: { readonly account_id: string },
    options?: CallOptions,
  ): Promise<ListOwnConsentsAnswer>;
  /**
   * Retrieves the identity state of an account, and accounts with matching data.
   * `GET {pii_url}/v1/kyc/{account_id}`
   */
  getKYCStatus(input: { readonly account_id: string }, options?: CallOptions): Promise<KYCStatus>;
  /**
   * Sets the identity state of an account, for testing.
   * `PUT {pii_url}/v2/kyc/account/{account_id}/state`, staging only
   */
  setAccountKYCState(input: SetAccountKYCStateInput, options?: CallOptions): Promise<void>;
  /**
   * Submits a person's own identity data and documents for verification.
   * `POST {pii_url}/v2/kyc`
   */
  submitKYC(input: SubmitKYCInput, options?: CallOptions): Promise<SubmitKYCAnswer>;
  /**
   * Retrieves an identity application of the token's person, by default the latest.
   * `GET {pii_url}/v2/kyc`
   */
  getKYCApplication(input?: GetKYCApplicationInput, options?: CallOptions): Promise<KYCApplication>;
  /**
   * Requires an accepted person to verify again with new data.
   * `POST {pii_url}/v1/kyc/{account_id}/recheck`
   */
  recheckKYC(input: RecheckKYCInput, options?: CallOptions): Promise<KYCStatus>;
  /**
   * Retrieves the required parts of the identity form and the reasons of past failures.
   * `GET {pii_url}/v2/kyc/form`
   */
  getKYCForm(input?: NoInput, options?: CallOptions): Promise<KYCForm>;
  /**
   * Retrieves a fresh address of the identity vendor's page for the token's person.
   * `GET {pii_url}/v2/kyc/vendor_page`
   */
  getKYCVendorPage(input?: NoInput, options?: CallOptions): Promise<IdentityVendorPage>;
  /**
   * Lists countries with the fields that the identity form requires there.
   * `GET {pii_url}/v2/kyc/countries`
   */
  listKYCCountries(input?: NoInput, options?: CallOptions): Promise<readonly KYCCountry[]>;
  /**
   * Starts the verification of a business for an account; repeating it changes nothing.
   * `POST {pii_url}/v1/entity/{account_id}/onboard`
   */
  onboardEntity(input: OnboardEntityInput, options?: CallOptions): Promise<OnboardEntityAnswer>;
  /**
   * Retrieves a business with its people and documents, without tax number and files.
   * `GET {pii_url}/v1/entity/{entity_id}`
   */
  getEntity(input: { readonly entity_id: string }, options?: CallOptions): Promise<KYBEntity>;
  /**
   * Creates a one-time link for an associated person to verify their identity.
   * `POST {pii_url}/v1/entity/agents/{entity_agent_id}/link`
   */
  linkEntityAgent(
    input: { readonly entity_agent_id: string },
    options?: CallOptions,
  ): Promise<LinkEntityAgentAnswer>;
  /**
   * Sets the status of a business, for testing.
   * `PUT {invoicing_url}/sandbox/entities/{entity_id}/state`, staging only
   */
  sandboxSetEntity(
    input: SandboxSetEntityInput,
    options?: CallOptions,
  ): Promise<SandboxSetEntityAnswer>;
  /**
   * Retrieves the business form of the token's account, and what it still lacks.
   * `GET {pii_url}/v1/entity/form`
   */
  getEntityForm(input?: NoInput, options?: CallOptions): Promise<EntityForm>;
  /**
   * Replaces the business form; the first request creates the business.
   * `PUT {pii_url}/v1/entity/form`
   */
  saveEntityForm(
    input: SaveEntityFormInput,
    options?: CallOptions,
  ): Promise<SandboxSetEntityAnswer>;
  /**
   * Adds a document to the business form.
   * `POST {pii_url}/v1/entity/form/documents`
   */
  addEntityDocument(
    input: AddEntityDocumentInput,
    options?: CallOptions,
  ): Promise<AddEntityDocumentAnswer>;
  /**
   * Deletes a document of the business form with its file.
   * `DELETE {pii_url}/v1/entity/form/documents/{entity_document_id}`
   */
  removeEntityDocument(
    input: { readonly entity_document_id: string },
    options?: CallOptions,
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Submits the business for verification; errors list what is missing.
   * `POST {pii_url}/v1/entity/form/submit`
   */
  submitEntityForm(input?: NoInput, options?: CallOptions): Promise<SandboxSetEntityAnswer>;
  /**
   * Deposits money from a card of an account to its wallet; deposit-completed follows.
   * `POST {invoicing_url}/v1/deposits`
   */
  createDeposit(input: CreateDepositInput, options?: CallOptions): Promise<Deposit>;
  /**
   * Retrieves a deposit.
   * `GET {invoicing_url}/v1/deposits/{deposit_id}`
   */
  getDeposit(input: { readonly deposit_id: string }, options?: CallOptions): Promise<Deposit>;
  /**
   * Lists the payment methods of an account.
   * `GET {payments_url}/v1/{account_id}/payment_methods`
   */
  listPaymentMethods(
    input: { readonly account_id: string },
    options?: CallOptions,
  ): Promise<readonly PaymentMethod[]>;
  /**
   * Lists the payment methods of an account.
   * `GET {payments_url}/{account_id}/payment_methods`
   */
  listPaymentMethodsUnversioned(
    input: { readonly account_id: string },
    options?: CallOptions,
  ): Promise<readonly PaymentMethod[]>;
  /**
   * Starts the entry of a card or account on a page of the processor's origin.
   * `POST {payments_url}/v1/payment_method/entry`
   */
  createPaymentMethodEntry(
    input: CreatePaymentMethodEntryInput,
    options?: CallOptions,
  ): Promise<PaymentMethodEntry>;
  /**
   * Creates a payment method from an entry that was completed at the processor.
   * `POST {payments_url}/v1/payment_method`
   */
  createPaymentMethod(
    input: CreatePaymentMethodInput,
    options?: CallOptions,
  ): Promise<PaymentMethod>;
  /**
   * Renames a card or account, or makes it its owner's default.
   * `PATCH {payments_url}/v1/payment_method/{payment_method_id}`
   */
  renamePaymentMethod(
    input: RenamePaymentMethodInput,
    options?: CallOptions,
  ): Promise<PaymentMethod>;
  /**
   * Removes a card or account; payments in progress continue.
   * `DELETE {payments_url}/v1/payment_method/{payment_method_id}`
   */
  removePaymentMethod(
    input: { readonly payment_method_id: string },
    options?: CallOptions,
  ): Promise<PaymentMethod>;
  /**
   * Adds a bank account by IBAN, to which payouts go by bank file.
   * `POST {payments_url}/v1/payment_method/bank_account`
   */
  createBankAccount(input: CreateBankAccountInput, options?: CallOptions): Promise<PaymentMethod>;
  /**
   * Gives the payment method by which an account pays once, on the processor's page.
   * `POST {payments_url}/v1/payment_method/once`
   */
  createOneTimePaymentMethod(
    input: CreateOneTimePaymentMethodInput,
    options?: CallOptions,
  ): Promise<PaymentMethod>;
  /**
   * Lists the balances of an account by currency, with funds held until verification.
   * `GET {wallets_url}/balances/{account_id}`
   */
  getBalances(input: GetBalancesInput, options?: CallOptions): Promise<Balances>;
  /**
   * Retrieves a wallet of an account or of the integrator.
   * `GET {wallets_url}/v2/wallet/{wallet_id}`
   */
  getWallet(input: { readonly wallet_id: string }, options?: CallOptions): Promise<Wallet>;
  /**
   * Lists what sellers owe for lost disputes; a session sees what its own account owes.
   * `GET {invoicing_url}/v1/seller_debts`
   */
  listSellerDebts(
    input?: ListSellerDebtsInput,
    options?: CallOptions,
  ): Promise<ListSellerDebtsAnswer>;
  /**
   * Creates an invoice without charging it.
   * `POST {invoicing_url}/v2/invoice`
   */
  createInvoice(input: CreateInvoiceInput, options?: CallOptions): Promise<Invoice>;
  /**
   * Pays an open invoice; invoice-completed follows with success or failed.
   * `POST {invoicing_url}/v2/invoice/{invoice_id}/pay`
   */
  payInvoice(input: { readonly invoice_id: string }, options?: CallOptions): Promise<Invoice>;
  /**
   * Gives up a payment that waits for its buyer; what was held is free again.
   * `POST {invoicing_url}/v2/invoice/{invoice_id}/give_up`
   */
  giveUpInvoicePayment(
    input: { readonly invoice_id: string },
    options?: CallOptions,
  ): Promise<GivenUpPayment>;
  /**
   * Retrieves an invoice.
   * `GET {invoicing_url}/v2/invoice/{invoice_id}`
   */
  getInvoice(input: { readonly invoice_id: string }, options?: CallOptions): Promise<Invoice>;
  /**
   * Creates an escrow without charging it.
   * `POST {invoicing_url}/v2/escrow`
   */
  createEscrow(input: CreateEscrowInput, options?: CallOptions): Promise<Escrow>;
  /**
   * Charges the buyer and holds the money; OPEN as long as the outcome is not known.
   * `POST {invoicing_url}/v2/escrow/{escrow_id}/pay`
   */
  payEscrow(input: { readonly escrow_id: string }, options?: CallOptions): Promise<Escrow>;
  /**
   * Pays the held money to sellers and integrator.
   * `POST {invoicing_url}/v2/escrow/{escrow_id}/commit`
   */
  commitEscrow(input: { readonly escrow_id: string }, options?: CallOptions): Promise<Escrow>;
  /**
   * Cancels an escrow and refunds the buyer in full.
   * `POST {invoicing_url}/v2/escrow/{escrow_id}/cancel`
   */
  cancelEscrow(input: { readonly escrow_id: string }, options?: CallOptions): Promise<Escrow>;
  /**
   * Pays a part of the held money, or a milestone, to sellers and integrator.
   * `POST {invoicing_url}/v2/escrow/{escrow_id}/release`
   */
  releaseEscrow(input: ReleaseEscrowInput, options?: CallOptions): Promise<Escrow>;
  /**
   * Returns a part of the held money to the payment methods that were charged.
   * `POST {invoicing_url}/v2/escrow/{escrow_id}/return`
   */
  returnEscrow(input: ReturnEscrowInput, options?: CallOptions): Promise<Escrow>;
  /**
   * Sets, moves or takes away dates of an escrow that holds money.
   * `POST {invoicing_url}/v2/escrow/{escrow_id}/schedule`
   */
  scheduleEscrow(input: ScheduleEscrowInput, options?: CallOptions): Promise<Escrow>;
  /**
   * Records that a milestone or all was delivered; no money moves.
   * `POST {invoicing_url}/v2/escrow/{escrow_id}/delivered`
   */
  deliverEscrow(input: DeliverEscrowInput, options?: CallOptions): Promise<Escrow>;
  /**
   * Retrieves an escrow.
   * `GET {invoicing_url}/v2/escrow/{escrow_id}`
   */
  getEscrow(input: { readonly escrow_id: string }, options?: CallOptions): Promise<Escrow>;
  /**
   * Finds an escrow by one of its invoices: of its payment, or of a movement.
   * `GET {invoicing_url}/v2/escrow/by_invoice/{invoice_id}`
   */
  getEscrowByInvoice(
    input: { readonly invoice_id: string },
    options?: CallOptions,
  ): Promise<Escrow>;
  /**
   * Creates an authorized invoice for a buyer, with a one-time link to the checkout.
   * `POST {invoicing_url}/v2/authorize/invoice`
   */
  authorizeInvoice(
    input: AuthorizeInvoiceInput,
    options?: CallOptions,
  ): Promise<AuthorizeInvoiceAnswer>;
  /**
   * Retrieves an authorized invoice and the invoice or escrow created from it.
   * `GET {invoicing_url}/v2/authorize/invoice/{authorized_invoice_id}`
   */
  getAuthorizedInvoice(
    input: { readonly authorized_invoice_id: string },
    options?: CallOptions,
  ): Promise<AuthorizedInvoice>;
  /**
   * Refunds the remaining amount of an invoice, funded by the integrator.
   * `POST {invoicing_url}/v2/refund`
   */
  refundInvoice(input: RefundInvoiceInput, options?: CallOptions): Promise<Refund>;
  /**
   * Refunds a line item in full or in part, to payment methods in the given order.
   * `POST {invoicing_url}/v2/line-item/refund`
   */
  refundLineItem(input: RefundLineItemInput, options?: CallOptions): Promise<Refund>;
  /**
   * Retrieves a refund.
   * `GET {invoicing_url}/v2/refund/{refund_id}`
   */
  getRefund(input: { readonly refund_id: string }, options?: CallOptions): Promise<Refund>;
  /**
   * Withdraws a refund that is waiting for funds; its record remains.
   * `DELETE {invoicing_url}/v2/refund/{refund_id}`
   */
  withdrawRefund(input: { readonly refund_id: string }, options?: CallOptions): Promise<Refund>;
  /**
   * Lists the latest 500 refunds of an invoice in one status, and all its reversals.
   * `GET {invoicing_url}/v2/invoice/{invoice_id}/refunds`
   */
  listInvoiceRefunds(
    input: ListInvoiceRefundsInput,
    options?: CallOptions,
  ): Promise<ListInvoiceRefundsAnswer>;
  /**
   * Opens a disagreement about an escrow, which freezes it until that is settled.
   * `POST {invoicing_url}/v2/escrow/{escrow_id}/dispute`
   */
  openDisagreement(input: OpenDisagreementInput, options?: CallOptions): Promise<Disagreement>;
  /**
   * Retrieves the disagreement about an escrow.
   * `GET {invoicing_url}/v2/escrow/{escrow_id}/dispute`
   */
  getDisagreement(
    input: { readonly escrow_id: string },
    options?: CallOptions,
  ): Promise<Disagreement>;
  /**
   * Adds a text or a file of one side to a disagreement.
   * `POST {invoicing_url}/v2/escrow/{escrow_id}/dispute/statements`
   */
  addDisagreementStatement(
    input: AddDisagreementStatementInput,
    options?: CallOptions,
  ): Promise<Disagreement>;
  /**
   * Retrieves what one side of a disagreement stated or handed in.
   * `GET {invoicing_url}/v2/escrow/{escrow_id}/dispute/statements/{statement_id}`
   */
  getDisagreementStatement(
    input: { readonly escrow_id: string; readonly statement_id: string },
    options?: CallOptions,
  ): Promise<Statement>;
  /**
   * Proposes for one side how to divide what an escrow holds; the last proposal counts.
   * `POST {invoicing_url}/v2/escrow/{escrow_id}/dispute/proposal`
   */
  proposeSplit(input: ProposeSplitInput, options?: CallOptions): Promise<Disagreement>;
  /**
   * Accepts or declines the proposal of the other side; what is accepted is done at once.
   * `POST {invoicing_url}/v2/escrow/{escrow_id}/dispute/answer`
   */
  answerProposal(input: AnswerProposalInput, options?: CallOptions): Promise<Disagreement>;
  /**
   * Divides what an escrow holds among sellers, buyer and integrator, which ends both.
   * `POST {invoicing_url}/v2/escrow/{escrow_id}/resolve`
   */
  resolveDisagreement(
    input: ResolveDisagreementInput,
    options?: CallOptions,
  ): Promise<Disagreement>;
  /**
   * Lists disputes and bank returns, newest first.
   * `GET {invoicing_url}/v1/disputes`
   */
  listDisputes(input?: ListDisputesInput, options?: CallOptions): Promise<ListDisputesAnswer>;
  /**
   * Retrieves a dispute.
   * `GET {invoicing_url}/v1/disputes/{dispute_id}`
   */
  getDispute(input: { readonly dispute_id: string }, options?: CallOptions): Promise<Dispute>;
  /**
   * Adds a text or a file to the evidence of a dispute; nothing is submitted yet.
   * `POST {invoicing_url}/v1/disputes/{dispute_id}/evidence`
   */
  addDisputeEvidence(input: AddDisputeEvidenceInput, options?: CallOptions): Promise<Dispute>;
  /**
   * Submits all evidence of a dispute to the processor, once.
   * `POST {invoicing_url}/v1/disputes/{dispute_id}/submit`
   */
  submitDispute(input: { readonly dispute_id: string }, options?: CallOptions): Promise<Dispute>;
  /**
   * Lists what of sellers' earnings is in reserve; a session sees its own account's.
   * `GET {invoicing_url}/v1/seller_reserves`
   */
  listSellerReserves(
    input?: ListSellerReservesInput,
    options?: CallOptions,
  ): Promise<ListSellerReservesAnswer>;
  /**
   * Creates a payout from a wallet to a bank or PayPal-like account.
   * `POST {invoicing_url}/v2/{account_id}/payout`
   */
  createPayout(input: CreatePayoutInput, options?: CallOptions): Promise<Payout>;
  /**
   * Lists the payouts of an account, newest first.
   * `GET {invoicing_url}/v2/{account_id}/payouts`
   */
  listPayouts(input: ListPayoutsInput, options?: CallOptions): Promise<readonly Payout[]>;
  /**
   * Retrieves a payout.
   * `GET {invoicing_url}/v2/{account_id}/payout/{payout_status_id}`
   */
  getPayout(
    input: { readonly account_id: string; readonly payout_status_id: string },
    options?: CallOptions,
  ): Promise<Payout>;
  /**
   * Lists what moved in the payout's wallet since the payout before, to the cent.
   * `GET {invoicing_url}/v2/{account_id}/payout/{payout_status_id}/statement`
   */
  getPayoutStatement(
    input: { readonly account_id: string; readonly payout_status_id: string },
    options?: CallOptions,
  ): Promise<PayoutStatement>;
  /**
   * Cancels a payout that is not being sent and returns the money to the wallet.
   * `DELETE {invoicing_url}/v2/{account_id}/payout/{payout_status_id}`
   */
  cancelPayout(
    input: { readonly account_id: string; readonly payout_status_id: string },
    options?: CallOptions,
  ): Promise<Payout>;
  /**
   * Holds a payout that waits to be sent, until it is let go or cancelled.
   * `POST {invoicing_url}/v2/{account_id}/payout/{payout_status_id}/hold`
   */
  holdPayout(
    input: { readonly account_id: string; readonly payout_status_id: string },
    options?: CallOptions,
  ): Promise<Payout>;
  /**
   * Lets a held payout go; it is sent when its review is over.
   * `POST {invoicing_url}/v2/{account_id}/payout/{payout_status_id}/let_go`
   */
  letPayoutGo(
    input: { readonly account_id: string; readonly payout_status_id: string },
    options?: CallOptions,
  ): Promise<Payout>;
  /**
   * Approves and sends a payout, for testing.
   * `PATCH {invoicing_url}/v2/{account_id}/payout/{payout_status_id}`, staging only
   */
  executePayout(
    input: { readonly account_id: string; readonly payout_status_id: string },
    options?: CallOptions,
  ): Promise<Payout>;
  /**
   * Returns the fee and the net amount of a payout.
   * `GET {invoicing_url}/v2/{account_id}/payout_quote`
   */
  quotePayout(input: QuotePayoutInput, options?: CallOptions): Promise<QuotePayoutAnswer>;
  /**
   * Lists the kinds of accounts that a seller can add to be paid out to.
   * `GET {invoicing_url}/v2/{account_id}/payout_ways`
   */
  listPayoutWays(input: ListPayoutWaysInput, options?: CallOptions): Promise<PayoutWays>;
  /**
   * Lists the purchases, sales, payouts and refunds of an account, newest first.
   * `GET {invoicing_url}/v1/transactions`
   */
  listTransactions(
    input?: ListTransactionsInput,
    options?: CallOptions,
  ): Promise<ListTransactionsAnswer>;
  /**
   * Retrieves a transaction of an account by invoice, escrow, payout or refund.
   * `GET {invoicing_url}/v1/transaction/{transaction_id}`
   */
  getTransaction(input: GetTransactionInput, options?: CallOptions): Promise<Transaction>;
  /**
   * Retrieves the receipt of a transaction, with the address of its page.
   * `GET {invoicing_url}/v1/transaction/{transaction_id}/receipt`
   */
  getReceipt(input: GetReceiptInput, options?: CallOptions): Promise<TransactionReceipt>;
  /**
   * Lists the invoices that an account pays and, if requested, those that pay it.
   * `GET {invoicing_url}/v2/invoice/account/{account_id}`
   */
  listAccountInvoices(
    input: ListAccountInvoicesInput,
    options?: CallOptions,
  ): Promise<readonly Invoice[]>;
  /**
   * Retrieves an escrow as its buyer or one of its sellers sees it.
   * `GET {invoicing_url}/v2/escrow/{escrow_id}/party`
   */
  getEscrowOfParty(input: GetEscrowOfPartyInput, options?: CallOptions): Promise<EscrowOfParty>;
  /**
   * Lists up to 500 items that are open at the processor or lack funds, oldest first.
   * `GET {payments_url}/v1/reconciliation`
   */
  getReconciliation(input?: NoInput, options?: CallOptions): Promise<Reconciliation>;
  /**
   * Resolves a charge, refund or payout in manual review, or explains a discrepancy.
   * `POST {payments_url}/v1/reconciliation/{item_id}/resolve`
   */
  resolveReconciliation(
    input: ResolveReconciliationInput,
    options?: CallOptions,
  ): Promise<ResolveReconciliationAnswer>;
  /**
   * Retrieves the bank account and the reference for deposits to a wallet by transfer.
   * `GET {wallets_url}/v2/wallet/{wallet_id}/deposit_instructions`
   */
  getDepositInstructions(
    input: { readonly wallet_id: string },
    options?: CallOptions,
  ): Promise<DepositInstructions>;
  /**
   * Lists incoming bank transfers, newest first, without who paid or what they wrote.
   * `GET {wallets_url}/v2/bank_transfers`
   */
  listBankTransfers(
    input?: ListBankTransfersInput,
    options?: CallOptions,
  ): Promise<ListBankTransfersAnswer>;
  /**
   * Lists the tenant's default payout schedules by currency.
   * `GET {invoicing_url}/v2/payout_schedule`
   */
  listPayoutScheduleDefaults(
    input?: NoInput,
    options?: CallOptions,
  ): Promise<readonly PayoutSchedule[]>;
  /**
   * Sets the tenant's default payout schedule in a currency.
   * `PUT {invoicing_url}/v2/payout_schedule`
   */
  setPayoutScheduleDefault(
    input: SetPayoutScheduleDefaultInput,
    options?: CallOptions,
  ): Promise<PayoutSchedule>;
  /**
   * Lists the payout schedules of an account by currency.
   * `GET {invoicing_url}/v2/{account_id}/payout_schedule`
   */
  listPayoutSchedules(
    input: { readonly account_id: string },
    options?: CallOptions,
  ): Promise<readonly PayoutSchedule[]>;
  /**
   * Sets where and when an account's balance in a currency is paid out.
   * `PUT {invoicing_url}/v2/{account_id}/payout_schedule`
   */
  setPayoutSchedule(input: SetPayoutScheduleInput, options?: CallOptions): Promise<PayoutSchedule>;
  /**
   * Gives a seller a link to the card processor's page, where they set up payouts.
   * `POST {payments_url}/v1/payee/link`
   */
  createPayeeLink(input: CreatePayeeLinkInput, options?: CallOptions): Promise<PayeeLink>;
  /**
   * Retrieves how far a seller's account at the card processor is.
   * `GET {payments_url}/v1/payee`
   */
  getPayee(input: GetPayeeInput, options?: CallOptions): Promise<Payee>;
  /**
   * Retrieves what is held against open escrows and wallets, by currency.
   * `GET {invoicing_url}/v1/coverage`
   */
  getCoverage(input?: NoInput, options?: CallOptions): Promise<Coverage>;
  /**
   * Retrieves the coverage of a tenant that publishes it; needs no token.
   * `GET {invoicing_url}/v1/coverage/{integrator}`
   */
  getPublishedCoverage(
    input: { readonly integrator: string },
    options?: CallOptions,
  ): Promise<Coverage>;
  /**
   * Retrieves the balance of each kind of ledger account, now or at a past moment.
   * `GET {invoicing_url}/v1/trial_balance`
   */
  getTrialBalance(input?: GetTrialBalanceInput, options?: CallOptions): Promise<TrialBalance>;
  /**
   * Retrieves what an account had in each currency, now or at a past moment.
   * `GET {invoicing_url}/v1/balances/{account_id}`
   */
  getBalancesAt(input: GetBalancesAtInput, options?: CallOptions): Promise<BalancesAtMoment>;
  /**
   * Retrieves the tenant's statement of a month: opening, movements and closing.
   * `GET {invoicing_url}/v1/statements`
   */
  getStatement(input?: GetStatementInput, options?: CallOptions): Promise<MonthlyStatement>;
  /**
   * Retrieves the statement of a month of one account, as of a seller.
   * `GET {invoicing_url}/v1/statements/{account_id}`
   */
  getAccountStatement(
    input: GetAccountStatementInput,
    options?: CallOptions,
  ): Promise<MonthlyStatement>;
  /**
   * Lists what sellers were paid in a year, by month and quarter, with fees and refunds.
   * `GET {invoicing_url}/v1/seller_totals`
   */
  listSellerTotals(input: ListSellerTotalsInput, options?: CallOptions): Promise<SellerTotalsPage>;
  /**
   * Creates a webhook endpoint; its secret is shown only in this response.
   * `POST {invoicing_url}/v1/webhook_endpoints`
   */
  createWebhookEndpoint(
    input: CreateWebhookEndpointInput,
    options?: CallOptions,
  ): Promise<CreateWebhookEndpointAnswer>;
  /**
   * Lists the webhook endpoints, oldest first.
   * `GET {invoicing_url}/v1/webhook_endpoints`
   */
  listWebhookEndpoints(input?: NoInput, options?: CallOptions): Promise<ListWebhookEndpointsAnswer>;
  /**
   * Retrieves a webhook endpoint without its secret.
   * `GET {invoicing_url}/v1/webhook_endpoints/{endpoint_id}`
   */
  getWebhookEndpoint(
    input: { readonly endpoint_id: string },
    options?: CallOptions,
  ): Promise<WebhookEndpoint>;
  /**
   * Updates a webhook endpoint; disabling it turns pending deliveries into dead letters.
   * `PATCH {invoicing_url}/v1/webhook_endpoints/{endpoint_id}`
   */
  changeWebhookEndpoint(
    input: ChangeWebhookEndpointInput,
    options?: CallOptions,
  ): Promise<WebhookEndpoint>;
  /**
   * Deletes a webhook endpoint and its secrets; pending deliveries become dead letters.
   * `DELETE {invoicing_url}/v1/webhook_endpoints/{endpoint_id}`
   */
  deleteWebhookEndpoint(
    input: { readonly endpoint_id: string },
    options?: CallOptions,
  ): Promise<void>;
  /**
   * Creates a new secret, shown once; by default the previous one also signs for 24 hours.
   * `POST {invoicing_url}/v1/webhook_endpoints/{endpoint_id}/rotate_secret`
   */
  rotateWebhookSecret(
    input: RotateWebhookSecretInput,
    options?: CallOptions,
  ): Promise<CreateWebhookEndpointAnswer>;
  /**
   * Lists the deliveries to a webhook endpoint, newest first; state dead: dead letters.
   * `GET {invoicing_url}/v1/webhook_endpoints/{endpoint_id}/deliveries`
   */
  listWebhookDeliveries(
    input: ListWebhookDeliveriesInput,
    options?: CallOptions,
  ): Promise<ListWebhookDeliveriesAnswer>;
  /**
   * Replays one event, a range of sequence numbers, or up to 10,000 dead letters.
   * `POST {invoicing_url}/v1/webhook_endpoints/{endpoint_id}/replay`
   */
  replayWebhookDeliveries(
    input: ReplayWebhookDeliveriesInput,
    options?: CallOptions,
  ): Promise<ReplayWebhookDeliveriesAnswer>;
  /**
   * Lists the events after a sequence number.
   * `GET {invoicing_url}/v1/events`
   */
  listEvents(input?: ListEventsInput, options?: CallOptions): Promise<ListEventsAnswer>;
  /**
   * Retrieves an event and all its delivery attempts.
   * `GET {invoicing_url}/v1/events/{event_id}`
   */
  getEvent(input: { readonly event_id: string }, options?: CallOptions): Promise<Event>;
  /**
   * Lists every lifecycle with its states and its legal moves.
   * `GET {invoicing_url}/v1/lifecycles`
   */
  listLifecycles(input?: NoInput, options?: CallOptions): Promise<readonly Lifecycle[]>;
  /**
   * Lists every code that a refusal can carry, and every reason why a payment fails.
   * `GET {invoicing_url}/v1/errors`
   */
  listErrors(input?: NoInput, options?: CallOptions): Promise<ErrorCatalogue>;
  /**
   * Retrieves the tenant's name, origins, return addresses, wallet alerts and branding.
   * `GET {invoicing_url}/v1/settings`
   */
  getSettings(input?: NoInput, options?: CallOptions): Promise<Settings>;
  /**
   * Updates the given settings; a list replaces the previous one. `{}` changes nothing.
   * `PATCH {invoicing_url}/v1/settings`
   */
  changeSettings(input?: ChangeSettingsInput, options?: CallOptions): Promise<Settings>;
  /**
   * Retrieves who bears lost disputes and their fees, and what sellers keep in reserve.
   * `GET {invoicing_url}/v1/settings/disputes`
   */
  getDisputeSettings(input?: NoInput, options?: CallOptions): Promise<DisputeSettings>;
  /**
   * Sets who bears disputes that open from now on, and what new sales put in reserve.
   * `PUT {invoicing_url}/v1/settings/disputes`
   */
  changeDisputeSettings(
    input: ChangeDisputeSettingsInput,
    options?: CallOptions,
  ): Promise<DisputeSettings>;
  /**
   * Retrieves whether the card processor's verification of a seller counts here.
   * `GET {invoicing_url}/v1/settings/payees`
   */
  getPayeeSettings(input?: NoInput, options?: CallOptions): Promise<PayeeSettings>;
  /**
   * Sets whether the card processor's verification of a seller counts from now on.
   * `PUT {invoicing_url}/v1/settings/payees`
   */
  changePayeeSettings(input: PayeeSettings, options?: CallOptions): Promise<PayeeSettings>;
  /**
   * Retrieves whether anybody may read the tenant's coverage.
   * `GET {invoicing_url}/v1/settings/coverage`
   */
  getCoverageSettings(input?: NoInput, options?: CallOptions): Promise<CoverageSettings>;
  /**
   * Publishes the tenant's coverage, or ends that.
   * `PUT {invoicing_url}/v1/settings/coverage`
   */
  changeCoverageSettings(input: CoverageSettings, options?: CallOptions): Promise<CoverageSettings>;
  /**
   * Retrieves how long disagreements may stay open, and what happens then.
   * `GET {invoicing_url}/v1/settings/disagreements`
   */
  getDisagreementSettings(input?: NoInput, options?: CallOptions): Promise<DisagreementSettings>;
  /**
   * Sets what becomes of disagreements that are opened from now on.
   * `PUT {invoicing_url}/v1/settings/disagreements`
   */
  changeDisagreementSettings(
    input: DisagreementSettings,
    options?: CallOptions,
  ): Promise<DisagreementSettings>;
  /**
   * Retrieves whether the tenant's people are sent mails, and by whom.
   * `GET {invoicing_url}/v1/settings/mail`
   */
  getMailSettings(input?: NoInput, options?: CallOptions): Promise<MailSettings>;
  /**
   * Sets whether the tenant's people are sent mails from now on, and by whom.
   * `PUT {invoicing_url}/v1/settings/mail`
   */
  changeMailSettings(input: ChangeMailSettingsInput, options?: CallOptions): Promise<MailSettings>;
  /**
   * Mails the receipt of a transaction, and answers with it.
   * `POST {invoicing_url}/v1/transaction/{transaction_id}/receipt`
   */
  sendReceipt(input: SendReceiptInput, options?: CallOptions): Promise<TransactionReceipt>;
  /**
   * Searches accounts, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/accounts`
   */
  searchAccounts(input?: SearchAccountsInput, options?: CallOptions): Promise<SearchAccountsAnswer>;
  /**
   * Searches businesses, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/businesses`
   */
  searchBusinesses(
    input?: SearchBusinessesInput,
    options?: CallOptions,
  ): Promise<SearchBusinessesAnswer>;
  /**
   * Searches deposits, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/deposits`
   */
  searchDeposits(input?: SearchDepositsInput, options?: CallOptions): Promise<SearchDepositsAnswer>;
  /**
   * Searches payment attempts, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/payment_attempts`
   */
  searchPaymentAttempts(
    input?: SearchPaymentAttemptsInput,
    options?: CallOptions,
  ): Promise<SearchPaymentAttemptsAnswer>;
  /**
   * Searches outbound transfers, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/outbound_transfers`
   */
  searchOutboundTransfers(
    input?: SearchOutboundTransfersInput,
    options?: CallOptions,
  ): Promise<SearchOutboundTransfersAnswer>;
  /**
   * Searches invoices, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/invoices`
   */
  searchInvoices(input?: SearchInvoicesInput, options?: CallOptions): Promise<SearchInvoicesAnswer>;
  /**
   * Searches escrows, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/escrows`
   */
  searchEscrows(input?: SearchEscrowsInput, options?: CallOptions): Promise<SearchEscrowsAnswer>;
  /**
   * Searches dates of escrows, a page at a time, the soonest first.
   * `GET {invoicing_url}/v1/search/escrow_dates`
   */
  searchEscrowDates(
    input?: SearchEscrowDatesInput,
    options?: CallOptions,
  ): Promise<SearchEscrowDatesAnswer>;
  /**
   * Searches refunds, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/refunds`
   */
  searchRefunds(input?: SearchRefundsInput, options?: CallOptions): Promise<SearchRefundsAnswer>;
  /**
   * Searches disagreements, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/disagreements`
   */
  searchDisagreements(
    input?: SearchDisagreementsInput,
    options?: CallOptions,
  ): Promise<SearchDisagreementsAnswer>;
  /**
   * Searches disagreements to decide, a page at a time, the soonest first.
   * `GET {invoicing_url}/v1/search/open_disagreements`
   */
  searchOpenDisagreements(
    input?: SearchOpenDisagreementsInput,
    options?: CallOptions,
  ): Promise<SearchOpenDisagreementsAnswer>;
  /**
   * Searches disputes, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/disputes`
   */
  searchDisputes(input?: SearchDisputesInput, options?: CallOptions): Promise<SearchDisputesAnswer>;
  /**
   * Searches payouts, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/payouts`
   */
  searchPayouts(input?: SearchPayoutsInput, options?: CallOptions): Promise<SearchPayoutsAnswer>;
  /**
   * Searches open items of the processor, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/open_items`
   */
  searchOpenItems(
    input?: SearchOpenItemsInput,
    options?: CallOptions,
  ): Promise<SearchOpenItemsAnswer>;
  /**
   * Searches incoming transfers, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/incoming_transfers`
   */
  searchIncomingTransfers(
    input?: SearchIncomingTransfersInput,
    options?: CallOptions,
  ): Promise<SearchIncomingTransfersAnswer>;
  /**
   * Searches acts on money, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/money_acts`
   */
  searchMoneyActs(
    input?: SearchMoneyActsInput,
    options?: CallOptions,
  ): Promise<SearchMoneyActsAnswer>;
  /**
   * Searches events, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/events`
   */
  searchEvents(input?: SearchEventsInput, options?: CallOptions): Promise<SearchEventsAnswer>;
  /**
   * Searches deliveries, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/deliveries`
   */
  searchDeliveries(
    input?: SearchDeliveriesInput,
    options?: CallOptions,
  ): Promise<SearchDeliveriesAnswer>;
  /**
   * Searches mails, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/mails`
   */
  searchMails(input?: SearchMailsInput, options?: CallOptions): Promise<SearchMailsAnswer>;
  /**
   * Searches ledger accounts, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/ledger_accounts`
   */
  searchLedgerAccounts(
    input?: SearchLedgerAccountsInput,
    options?: CallOptions,
  ): Promise<SearchLedgerAccountsAnswer>;
  /**
   * Searches ledger entries, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/ledger_entries`
   */
  searchLedgerEntries(
    input?: SearchLedgerEntriesInput,
    options?: CallOptions,
  ): Promise<SearchLedgerEntriesAnswer>;
  /**
   * Searches unpublished events, a page at a time, the newest first.
   * `GET {invoicing_url}/v1/search/unpublished_events`
   */
  searchUnpublishedEvents(
    input?: SearchUnpublishedEventsInput,
    options?: CallOptions,
  ): Promise<SearchUnpublishedEventsAnswer>;
  /**
   * Deposits test money to a wallet of an account or of the integrator.
   * `POST {invoicing_url}/sandbox/deposits`, staging only
   */
  sandboxDeposit(input: SandboxDepositInput, options?: CallOptions): Promise<Deposit>;
  /**
   * Adds a test card, bank or PayPal-like account to an account.
   * `POST {invoicing_url}/sandbox/payment_methods`, staging only
   */
  sandboxAttachCard(input: SandboxAttachCardInput, options?: CallOptions): Promise<PaymentMethod>;
  /**
   * Makes a bank transfer arrive, with the given text as its remittance information.
   * `POST {invoicing_url}/sandbox/bank_transfers`, staging only
   */
  sandboxBankTransfer(
    input: SandboxBankTransferInput,
    options?: CallOptions,
  ): Promise<SandboxBankTransfer>;
  /**
   * Lists the test cards and accounts, and the outcome of a payment with each.
   * `GET {invoicing_url}/sandbox/test_cards`, staging only
   */
  sandboxTestCards(
    input?: NoInput,
    options?: CallOptions,
  ): Promise<readonly SandboxTestCardsAnswer[]>;
  /**
   * Lists the scenarios of the processor, and the outcome of a payment with each.
   * `GET {invoicing_url}/sandbox/scenarios`, staging only
   */
  sandboxScenarios(
    input?: NoInput,
    options?: CallOptions,
  ): Promise<readonly SandboxScenariosAnswer[]>;
  /**
   * Scripts the next processor calls of one payment method or of any.
   * `POST {invoicing_url}/sandbox/scenarios`, staging only
   */
  sandboxPlayScenario(
    input: SandboxPlayScenarioInput,
    options?: CallOptions,
  ): Promise<SandboxScenariosAnswer>;
  /**
   * Makes a bank settle, fail or return a payment or payout, or opens or ends a dispute.
   * `POST {invoicing_url}/sandbox/outside_events`, staging only
   */
  sandboxOutsideEvent(
    input: SandboxOutsideEventInput,
    options?: CallOptions,
  ): Promise<SandboxOutsideEventAnswer>;
  /**
   * Sets what the processor keeps of payments and when their money may be paid out.
   * `POST {invoicing_url}/sandbox/settlement_terms`, staging only
   */
  sandboxSettlementTerms(
    input: SandboxSettlementTerms,
    options?: CallOptions,
  ): Promise<SandboxSettlementTerms>;
  /**
   * Lists the test persons by last name, and the outcome of each.
   * `GET {invoicing_url}/sandbox/test_persons`, staging only
   */
  sandboxTestPersons(
    input?: NoInput,
    options?: CallOptions,
  ): Promise<readonly SandboxTestPersonsAnswer[]>;
  /**
   * Makes the identity vendor decide about a submitted application.
   * `POST {invoicing_url}/sandbox/identity_events`, staging only
   */
  sandboxIdentityEvent(
    input: SandboxIdentityEventAnswer,
    options?: CallOptions,
  ): Promise<SandboxIdentityEventAnswer>;
  /**
   * Lists the scriptable behaviors of processor, bank, vendor and receivers.
   * `GET {invoicing_url}/sandbox/counterparties`, staging only
   */
  sandboxCounterparties(
    input?: NoInput,
    options?: CallOptions,
  ): Promise<SandboxCounterpartiesAnswer>;
  /**
   * Scripts the next calls of a counterparty, for one of its targets or for any.
   * `POST {invoicing_url}/sandbox/scripts`, staging only
   */
  sandboxScript(input: SandboxScriptInput, options?: CallOptions): Promise<WaitingScript>;
  /**
   * Lists the pending scripts in the order in which they apply.
   * `GET {invoicing_url}/sandbox/scripts`, staging only
   */
  sandboxScripts(input?: NoInput, options?: CallOptions): Promise<SandboxScriptsAnswer>;
  /**
   * Deletes all pending scripts of the workspace.
   * `DELETE {invoicing_url}/sandbox/scripts`, staging only
   */
  sandboxClearScripts(input?: NoInput, options?: CallOptions): Promise<SandboxClearScriptsAnswer>;
  /**
   * Lists the calls and records of a counterparty, page by page.
   * `GET {invoicing_url}/sandbox/books/{counterparty}`, staging only
   */
  sandboxBook(input: SandboxBookInput, options?: CallOptions): Promise<SandboxBookAnswer>;
  /**
   * Creates a webhook receiver at the processor host and registers it; shows its secret.
   * `POST {invoicing_url}/sandbox/receivers`, staging only
   */
  sandboxCreateReceiver(
    input?: SandboxCreateReceiverInput,
    options?: CallOptions,
  ): Promise<SandboxCreateReceiverAnswer>;
  /**
   * Lists the webhook receivers of the sandbox, oldest first.
   * `GET {invoicing_url}/sandbox/receivers`, staging only
   */
  sandboxReceivers(input?: NoInput, options?: CallOptions): Promise<SandboxReceiversAnswer>;
  /**
   * Lists the raw requests of a receiver with each step of their verification.
   * `GET {invoicing_url}/sandbox/receivers/{receiver_id}/requests`, staging only
   */
  sandboxReceiverRequests(
    input: SandboxReceiverRequestsInput,
    options?: CallOptions,
  ): Promise<SandboxReceiverRequestsAnswer>;
  /**
   * Deletes a receiver and its endpoint; pending deliveries become dead letters.
   * `DELETE {invoicing_url}/sandbox/receivers/{receiver_id}`, staging only
   */
  sandboxEndReceiver(input: { readonly receiver_id: string }, options?: CallOptions): Promise<void>;
  /**
   * Lists the mails that the sandbox captured instead of sending them, newest first.
   * `GET {invoicing_url}/sandbox/mail`, staging only
   */
  sandboxMail(input?: SandboxMailInput, options?: CallOptions): Promise<SandboxMailAnswer>;
  /**
   * Retrieves the time of the sandbox clock and the work that is due later.
   * `GET {invoicing_url}/sandbox/clock`, staging only
   */
  sandboxClock(input?: NoInput, options?: CallOptions): Promise<ClockState>;
  /**
   * Moves the sandbox clock forward and waits until all work due until then is done.
   * `POST {invoicing_url}/sandbox/clock`, staging only
   */
  sandboxMoveClock(
    input?: SandboxMoveClockInput,
    options?: CallOptions,
  ): Promise<SandboxMoveClockAnswer>;
  /**
   * Takes a snapshot of the caller's workspace.
   * `POST {invoicing_url}/sandbox/snapshots`, staging only
   */
  sandboxTakeSnapshot(input?: SandboxTakeSnapshotInput, options?: CallOptions): Promise<Snapshot>;
  /**
   * Lists the snapshots of the tenant, oldest first.
   * `GET {invoicing_url}/sandbox/snapshots`, staging only
   */
  sandboxListSnapshots(input?: NoInput, options?: CallOptions): Promise<SandboxListSnapshotsAnswer>;
  /**
   * Deletes a snapshot.
   * `DELETE {invoicing_url}/sandbox/snapshots/{snapshot_id}`, staging only
   */
  sandboxDeleteSnapshot(
    input: { readonly snapshot_id: string },
    options?: CallOptions,
  ): Promise<void>;
  /**
   * Clones a snapshot or the current workspace into a new workspace with its own client.
   * `POST {invoicing_url}/sandbox/worlds`, staging only
   */
  sandboxForkWorld(
    input?: SandboxForkWorldInput,
    options?: CallOptions,
  ): Promise<SandboxForkWorldAnswer>;
  /**
   * Lists the active workspaces of the tenant, the main one first.
   * `GET {invoicing_url}/sandbox/worlds`, staging only
   */
  sandboxListWorlds(input?: NoInput, options?: CallOptions): Promise<SandboxListWorldsAnswer>;
  /**
   * Archives a cloned workspace and revokes the access of its clients.
   * `DELETE {invoicing_url}/sandbox/worlds/{world_id}`, staging only
   */
  sandboxEndWorld(input: { readonly world_id: string }, options?: CallOptions): Promise<void>;
  /**
   * Rolls the caller's workspace back to a snapshot, with its ids, responses and clock.
   * `POST {invoicing_url}/sandbox/rollback`, staging only
   */
  sandboxRollBack(
    input: SandboxRollBackInput,
    options?: CallOptions,
  ): Promise<SandboxRollBackAnswer>;
  /**
   * Resets the caller's workspace to its initial state.
   * `POST {invoicing_url}/sandbox/reset`, staging only
   */
  sandboxReset(input?: NoInput, options?: CallOptions): Promise<SandboxRollBackAnswer>;
  /**
   * Explains a resource: its timeline, its current state and what happens next.
   * `GET {invoicing_url}/sandbox/explain/{id}`, staging only
   */
  sandboxExplain(input: { readonly id: string }, options?: CallOptions): Promise<Explanation>;
}

/** What a server may call with its client credentials. */
export const CLIENT_OPERATIONS = {
  pii: [
    'getKYCStatus',
    'setAccountKYCState',
    'recheckKYC',
    'listKYCCountries',
    'onboardEntity',
    'getEntity',
    'linkEntityAgent',
  ],
  invoicing: [
    'sandboxSetEntity',
    'createDeposit',
    'getDeposit',
    'listSellerDebts',
    'createInvoice',
    'payInvoice',
    'giveUpInvoicePayment',
    'getInvoice',
    'createEscrow',
    'payEscrow',
    'commitEscrow',
    'cancelEscrow',
    'releaseEscrow',
    'returnEscrow',
    'scheduleEscrow',
    'deliverEscrow',
    'getEscrow',
    'getEscrowByInvoice',
    'authorizeInvoice',
    'getAuthorizedInvoice',
    'refundInvoice',
    'refundLineItem',
    'getRefund',
    'withdrawRefund',
    'listInvoiceRefunds',
    'openDisagreement',
    'getDisagreement',
    'addDisagreementStatement',
    'getDisagreementStatement',
    'proposeSplit',
    'answerProposal',
    'resolveDisagreement',
    'listDisputes',
    'getDispute',
    'addDisputeEvidence',
    'submitDispute',
    'listSellerReserves',
    'createPayout',
    'listPayouts',
    'getPayout',
    'getPayoutStatement',
    'cancelPayout',
    'holdPayout',
    'letPayoutGo',
    'executePayout',
    'quotePayout',
    'listPayoutWays',
    'listTransactions',
    'getTransaction',
    'getReceipt',
    'listAccountInvoices',
    'getEscrowOfParty',
    'listPayoutScheduleDefaults',
    'setPayoutScheduleDefault',
    'listPayoutSchedules',
    'setPayoutSchedule',
    'getCoverage',
    'getPublishedCoverage',
    'getTrialBalance',
    'getBalancesAt',
    'getStatement',
    'getAccountStatement',
    'listSellerTotals',
    'createWebhookEndpoint',
    'listWebhookEndpoints',
    'getWebhookEndpoint',
    'changeWebhookEndpoint',
    'deleteWebhookEndpoint',
    'rotateWebhookSecret',
    'listWebhookDeliveries',
    'replayWebhookDeliveries',
    'listEvents',
    'getEvent',
    'listLifecycles',
    'listErrors',
    'getSettings',
    'changeSettings',
    'getDisputeSettings',
    'changeDisputeSettings',
    'getPayeeSettings',
    'changePayeeSettings',
    'getCoverageSettings',
    'changeCoverageSettings',
    'getDisagreementSettings',
    'changeDisagreementSettings',
    'getMailSettings',
    'changeMailSettings',
    'sendReceipt',
    'searchAccounts',
    'searchBusinesses',
    'searchDeposits',
    'searchPaymentAttempts',
    'searchOutboundTransfers',
    'searchInvoices',
    'searchEscrows',
    'searchEscrowDates',
    'searchRefunds',
    'searchDisagreements',
    'searchOpenDisagreements',
    'searchDisputes',
    'searchPayouts',
    'searchOpenItems',
    'searchIncomingTransfers',
    'searchMoneyActs',
    'searchEvents',
    'searchDeliveries',
    'searchMails',
    'searchLedgerAccounts',
    'searchLedgerEntries',
    'searchUnpublishedEvents',
    'sandboxDeposit',
    'sandboxAttachCard',
    'sandboxBankTransfer',
    'sandboxTestCards',
    'sandboxScenarios',
    'sandboxPlayScenario',
    'sandboxOutsideEvent',
    'sandboxSettlementTerms',
    'sandboxTestPersons',
    'sandboxIdentityEvent',
    'sandboxCounterparties',
    'sandboxScript',
    'sandboxScripts',
    'sandboxClearScripts',
    'sandboxBook',
    'sandboxCreateReceiver',
    'sandboxReceivers',
    'sandboxReceiverRequests',
    'sandboxEndReceiver',
    'sandboxMail',
    'sandboxClock',
    'sandboxMoveClock',
    'sandboxTakeSnapshot',
    'sandboxListSnapshots',
    'sandboxDeleteSnapshot',
    'sandboxForkWorld',
    'sandboxListWorlds',
    'sandboxEndWorld',
    'sandboxRollBack',
    'sandboxReset',
    'sandboxExplain',
  ],
  payments: [
    'listPaymentMethods',
    'listPaymentMethodsUnversioned',
    'renamePaymentMethod',
    'removePaymentMethod',
    'createBankAccount',
    'createOneTimePaymentMethod',
    'getReconciliation',
    'resolveReconciliation',
    'createPayeeLink',
    'getPayee',
  ],
  auth: [
    'createToken',
    'revokeToken',
    'introspectToken',
    'getKeys',
    'getAuthorizationServerMetadata',
    'authorizeUser',
    'getLinkStatus',
  ],
  accounts: [
    'registerAccount',
    'searchUserInfo',
    'getUserInfo',
    'updateUserInfo',
    'blockAccount',
    'unblockAccount',
    'getAccountBlocks',
    'mergeAccounts',
    'getTerms',
    'getTermsSignature',
    'listConsents',
  ],
  wallets: [
    'getBalances',
    'getWallet',
    'getDepositInstructions',
    'listBankTransfers',
  ],
} as const satisfies Partial<Record<Host, readonly (keyof Operations)[]>>;
/** What a server may call with its client credentials. */
export type ClientApi = {
  readonly [H in keyof typeof CLIENT_OPERATIONS]: Pick<
    Operations,
    (typeof CLIENT_OPERATIONS)[H][number]
  >;
};

/** What an app may call with the token of its user. */
export const USER_OPERATIONS = {
  pii: [
    'getKYCStatus',
    'submitKYC',
    'getKYCApplication',
    'getKYCForm',
    'getKYCVendorPage',
    'listKYCCountries',
  ],
  invoicing: [
    'getReceipt',
    'getPublishedCoverage',
    'sendReceipt',
  ],
  auth: [
    'authorizeUser',
  ],
  accounts: [
    'beginEmailVerification',
    'finishEmailVerification',
    'getTerms',
    'getOwnTermsSignature',
    'signTerms',
    'listOwnConsents',
    'revokeConsent',
  ],
  wallets: [
    'getDepositInstructions',
  ],
} as const satisfies Partial<Record<Host, readonly (keyof Operations)[]>>;
/** What an app may call with the token of its user. */
export type UserApi = {
  readonly [H in keyof typeof USER_OPERATIONS]: Pick<
    Operations,
    (typeof USER_OPERATIONS)[H][number]
  >;
};

/** What a page may call that a link opened. */
export const SESSION_OPERATIONS = {
  pii: [
    'getKYCStatus',
    'submitKYC',
    'getKYCApplication',
    'getKYCForm',
    'getKYCVendorPage',
    'listKYCCountries',
    'linkEntityAgent',
    'getEntityForm',
    'saveEntityForm',
    'addEntityDocument',
    'removeEntityDocument',
    'submitEntityForm',
  ],
  invoicing: [
    'listSellerDebts',
    'createInvoice',
    'payInvoice',
    'giveUpInvoicePayment',
    'getInvoice',
    'createEscrow',
    'payEscrow',
    'releaseEscrow',
    'deliverEscrow',
    'getEscrow',
    'getAuthorizedInvoice',
    'openDisagreement',
    'getDisagreement',
    'addDisagreementStatement',
    'getDisagreementStatement',
    'proposeSplit',
    'answerProposal',
    'listSellerReserves',
    'createPayout',
    'listPayouts',
    'getPayout',
    'getPayoutStatement',
    'cancelPayout',
    'quotePayout',
    'listPayoutWays',
    'listTransactions',
    'getTransaction',
    'getReceipt',
    'getEscrowOfParty',
    'listPayoutSchedules',
    'setPayoutSchedule',
    'getPublishedCoverage',
    'sendReceipt',
  ],
  payments: [
    'listPaymentMethods',
    'listPaymentMethodsUnversioned',
    'createPaymentMethodEntry',
    'createPaymentMethod',
    'renamePaymentMethod',
    'removePaymentMethod',
    'createBankAccount',
    'createOneTimePaymentMethod',
    'createPayeeLink',
    'getPayee',
  ],
  accounts: [
    'getTerms',
    'listOwnConsents',
    'revokeConsent',
  ],
  wallets: [
    'getDepositInstructions',
  ],
} as const satisfies Partial<Record<Host, readonly (keyof Operations)[]>>;
/** What a page may call that a link opened. */
export type SessionApi = {
  readonly [H in keyof typeof SESSION_OPERATIONS]: Pick<
    Operations,
    (typeof SESSION_OPERATIONS)[H][number]
  >;
};

/** What any call can be refused with, before its operation is asked. */
export type StepRefusal =
  | 'REQUEST_MALFORMED'
  | 'HEADERS_TOO_LARGE'
  | 'REQUEST_TIMEOUT'
  | 'EXPECTATION_FAILED'
  | 'URL_MALFORMED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'TOKEN_MISSING'
  | 'TOKEN_INVALID'
  | 'TOKEN_KIND_REFUSED'
  | 'INSUFFICIENT_SCOPE'
  | 'IDEMPOTENCY_KEY_INVALID'
  | 'QUERY_MALFORMED'
  | 'FORM_MALFORMED'
  | 'TOO_MANY_REQUESTS'
  | 'READ_ONLY'
  | 'TENANT_STOPPED'
  | 'SERVER_ERROR'
  | 'OVERLOADED'
  | 'TENANT_MOVING'
  | 'TENANT_MOVED'
  | 'MEDIA_TYPE_UNSUPPORTED'
  | 'BODY_TOO_LARGE'
  | 'CHARSET_UNSUPPORTED'
  | 'INPUT_ERROR'
  | 'JSON_TOO_DEEP'
  | 'DUPLICATE_KEY'
  | 'UNKNOWN_FIELD'
  | 'MISSING_FIELD'
  | 'INVALID_FIELD'
  | 'CARD_NUMBER_REFUSED'
  | 'BODY_NOT_ALLOWED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'RESOURCE_BUSY'
  | 'DATABASE_UNAVAILABLE'
  | 'OUTCOME_UNKNOWN'
  | 'WORLD_ENDED';

/** The codes that each operation can be refused with. */
export interface Refusals {
  readonly createToken: StepRefusal
    | 'INVALID_REQUEST'
    | 'INVALID_CLIENT'
    | 'UNSUPPORTED_GRANT_TYPE'
    | 'INVALID_GRANT'
    | 'INVALID_SCOPE';
  readonly revokeToken: StepRefusal
    | 'INVALID_REQUEST'
    | 'INVALID_CLIENT';
  readonly introspectToken: StepRefusal
    | 'INVALID_REQUEST'
    | 'INVALID_CLIENT';
  readonly getKeys: StepRefusal;
  readonly getAuthorizationServerMetadata: StepRefusal;
  readonly authorizeUser: StepRefusal
    | 'USER_TOKEN_NOT_ALLOWED'
    | 'ACCOUNT_NOT_FOUND'
    | 'ACCOUNT_BLOCKED'
    | 'INVALID_SCOPE'
    | 'CONSENT_REVOKED';
  readonly getLinkStatus: StepRefusal
    | 'LINK_NOT_FOUND';
  readonly openSession: StepRefusal
    | 'LINK_NOT_FOUND'
    | 'LINK_EXPIRED'
    | 'LINK_USED'
    | 'LINK_FLOW_MISMATCH'
    | 'ACCOUNT_BLOCKED'
    | 'TERMS_VERSION_STALE';
  readonly endSession: StepRefusal;
  readonly openHostedSession: StepRefusal
    | 'LINK_NOT_FOUND'
    | 'LINK_EXPIRED'
    | 'LINK_USED'
    | 'LINK_FLOW_MISMATCH'
    | 'ACCOUNT_BLOCKED'
    | 'TERMS_VERSION_STALE';
  readonly endHostedSession: StepRefusal;
  readonly registerAccount: StepRefusal
    | 'EMAIL_INVALID'
    | 'USERNAME_ALREADY_TAKEN';
  readonly searchUserInfo: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly getUserInfo: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly updateUserInfo: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'EMAIL_INVALID'
    | 'ACCOUNT_ERASED'
    | 'ACCOUNT_CHANGED_MEANWHILE';
  readonly blockAccount: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly unblockAccount: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'ACCOUNT_MERGED'
    | 'ACCOUNT_BLOCK_NOT_YOURS';
  readonly getAccountBlocks: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly beginEmailVerification: StepRefusal
    | 'ACCOUNT_ERASED'
    | 'MAIL_OFF'
    | 'TOO_MANY_MAILS';
  readonly finishEmailVerification: StepRefusal
    | 'EMAIL_CODE_EXPIRED'
    | 'EMAIL_CODE_SPENT'
    | 'EMAIL_CODE_WRONG'
    | 'ACCOUNT_ERASED'
    | 'ACCOUNT_CHANGED_MEANWHILE';
  readonly mergeAccounts: StepRefusal
    | 'MERGE_SAME_ACCOUNT'
    | 'ACCOUNT_NOT_FOUND'
    | 'ACCOUNT_MERGED'
    | 'ACCOUNT_BLOCKED'
    | 'MERGE_SOURCE_NOT_AT_REST'
    | 'MERGE_SOURCE_IDENTITY';
  readonly getTerms: StepRefusal
    | 'TERMS_NOT_FOUND';
  readonly getOwnTermsSignature: StepRefusal
    | 'TERMS_NOT_FOUND'
    | 'ACCOUNT_NOT_FOUND';
  readonly signTerms: StepRefusal
    | 'TERMS_NOT_FOUND'
    | 'ACCOUNT_NOT_FOUND'
    | 'TERMS_VERSION_STALE';
  readonly getTermsSignature: StepRefusal
    | 'TERMS_NOT_FOUND'
    | 'ACCOUNT_NOT_FOUND';
  readonly listOwnConsents: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly revokeConsent: StepRefusal
    | 'CONSENT_NOT_FOUND'
    | 'ACCOUNT_NOT_FOUND';
  readonly listConsents: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly getKYCStatus: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly setAccountKYCState: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly submitKYC: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'ACCOUNT_BLOCKED'
    | 'KYC_FOLLOWS_ENTITY'
    | 'KYC_ALREADY_ACCEPTED'
    | 'KYC_IN_PROGRESS'
    | 'KYC_TAX_FORM_NOT_DUE'
    | 'KYC_CHANGED_MEANWHILE'
    | 'FILE_NOT_BASE64'
    | 'FILE_EMPTY'
    | 'FILE_TOO_LARGE'
    | 'FILE_TYPE_UNKNOWN'
    | 'FILE_TYPE_MISMATCH'
    | 'FILE_ENCRYPTED'
    | 'FILE_ACTIVE_CONTENT'
    | 'FILE_TOO_MANY_PIXELS'
    | 'FILE_DAMAGED';
  readonly getKYCApplication: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'KYC_NOT_FOUND';
  readonly recheckKYC: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'KYC_FOLLOWS_ENTITY'
    | 'KYC_NOT_ACCEPTED';
  readonly getKYCForm: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly getKYCVendorPage: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'KYC_NOT_AT_VENDOR'
    | 'KYC_VENDOR_UNAVAILABLE';
  readonly listKYCCountries: StepRefusal;
  readonly onboardEntity: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'ACCOUNT_IS_AGENT'
    | 'KYC_IN_PROGRESS'
    | 'PRIMARY_CONTACT_TAKEN'
    | 'CONTROL_PRONG_TAKEN'
    | 'TOO_MANY_BENEFICIAL_OWNERS'
    | 'OWNERSHIP_OVER_ALL'
    | 'FILE_NOT_BASE64'
    | 'FILE_EMPTY'
    | 'FILE_TOO_LARGE'
    | 'FILE_TYPE_UNKNOWN'
    | 'FILE_TYPE_MISMATCH'
    | 'FILE_ENCRYPTED'
    | 'FILE_ACTIVE_CONTENT'
    | 'FILE_TOO_MANY_PIXELS'
    | 'FILE_DAMAGED';
  readonly getEntity: StepRefusal
    | 'ENTITY_NOT_FOUND';
  readonly linkEntityAgent: StepRefusal
    | 'ENTITY_AGENT_NOT_FOUND'
    | 'ENTITY_AGENT_VERIFIED';
  readonly sandboxSetEntity: StepRefusal
    | 'ENTITY_NOT_FOUND';
  readonly getEntityForm: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly saveEntityForm: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'ENTITY_AGENT_NOT_FOUND'
    | 'ACCOUNT_IS_AGENT'
    | 'KYC_IN_PROGRESS'
    | 'ENTITY_CLOSED'
    | 'PRIMARY_CONTACT_TAKEN'
    | 'CONTROL_PRONG_TAKEN'
    | 'TOO_MANY_BENEFICIAL_OWNERS'
    | 'OWNERSHIP_OVER_ALL'
    | 'BUSINESS_PEOPLE_LIMIT'
    | 'ENTITY_CHANGED_MEANWHILE';
  readonly addEntityDocument: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'ENTITY_NOT_FOUND'
    | 'ENTITY_AGENT_NOT_FOUND'
    | 'ENTITY_CLOSED'
    | 'TOO_MANY_ENTITY_DOCUMENTS'
    | 'FILE_NOT_BASE64'
    | 'FILE_EMPTY'
    | 'FILE_TOO_LARGE'
    | 'FILE_TYPE_UNKNOWN'
    | 'FILE_TYPE_MISMATCH'
    | 'FILE_ENCRYPTED'
    | 'FILE_ACTIVE_CONTENT'
    | 'FILE_TOO_MANY_PIXELS'
    | 'FILE_DAMAGED';
  readonly removeEntityDocument: StepRefusal
    | 'ENTITY_DOCUMENT_NOT_FOUND'
    | 'ENTITY_CLOSED';
  readonly submitEntityForm: StepRefusal
    | 'ENTITY_NOT_FOUND'
    | 'ACCOUNT_BLOCKED'
    | 'ENTITY_CLOSED'
    | 'ENTITY_NEEDS_MORE';
  readonly createDeposit: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'ACCOUNT_BLOCKED'
    | 'CURRENCY_NOT_ENABLED'
    | 'PAYMENT_METHOD_NOT_FOUND'
    | 'PAYMENT_METHOD_NOT_ACTIVE'
    | 'DEPOSIT_TOO_LARGE'
    | 'PROVIDER_NOT_CONFIGURED'
    | 'PAYMENTS_STOPPED';
  readonly getDeposit: StepRefusal
    | 'DEPOSIT_NOT_FOUND';
  readonly listPaymentMethods: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly listPaymentMethodsUnversioned: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly createPaymentMethodEntry: StepRefusal
    | 'ACCOUNT_BLOCKED'
    | 'RETURN_URL_NOT_ALLOWED'
    | 'PAYMENT_METHOD_LIMIT'
    | 'PAYMENT_METHOD_ENTRY_LIMIT'
    | 'PROVIDER_NOT_CONFIGURED'
    | 'METHOD_ENTRY_UNAVAILABLE'
    | 'ACCOUNT_NOT_FOUND';
  readonly createPaymentMethod: StepRefusal
    | 'TERMS_NOT_SIGNED'
    | 'ENTRY_NOT_FOUND'
    | 'PAYMENT_METHOD_ENTRY_EXPIRED'
    | 'PAYMENT_METHOD_ENTRY_CANCELLED'
    | 'PAYMENT_METHOD_ENTRY_INCOMPLETE'
    | 'PROVIDER_NOT_CONFIGURED'
    | 'METHOD_ENTRY_UNAVAILABLE'
    | 'ACCOUNT_BLOCKED'
    | 'ACCOUNT_NOT_FOUND';
  readonly renamePaymentMethod: StepRefusal
    | 'PAYMENT_METHOD_NOT_FOUND'
    | 'PAYMENT_METHOD_NOT_RENAMABLE'
    | 'PAYMENT_METHOD_NOT_ACTIVE';
  readonly removePaymentMethod: StepRefusal
    | 'PAYMENT_METHOD_NOT_FOUND'
    | 'PAYMENT_METHOD_NOT_REMOVABLE';
  readonly createBankAccount: StepRefusal
    | 'TERMS_NOT_SIGNED'
    | 'ACCOUNT_BLOCKED'
    | 'PAYMENT_METHOD_LIMIT'
    | 'PAYMENT_METHOD_ENTRY_LIMIT'
    | 'ACCOUNT_NOT_FOUND';
  readonly createOneTimePaymentMethod: StepRefusal
    | 'TERMS_NOT_SIGNED'
    | 'ACCOUNT_BLOCKED'
    | 'ACCOUNT_NOT_FOUND';
  readonly getBalances: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'CURRENCY_NOT_ENABLED';
  readonly getWallet: StepRefusal
    | 'WALLET_NOT_FOUND';
  readonly listSellerDebts: StepRefusal;
  readonly createInvoice: StepRefusal
    | 'TERMS_NOT_SIGNED'
    | 'AUTHORIZED_INVOICE_NOT_FOUND'
    | 'AUTHORIZED_INVOICE_KIND_MISMATCH'
    | 'ACCOUNT_NOT_FOUND'
    | 'ACCOUNT_BLOCKED'
    | 'CURRENCY_NOT_ENABLED'
    | 'CURRENCY_MIXED'
    | 'INVOICE_TOTAL_TOO_LARGE'
    | 'RECIPIENTS_NOT_ALLOWED'
    | 'RECIPIENTS_REQUIRED'
    | 'TAX_EXCEEDS_LINE'
    | 'LINE_AMOUNT_MISMATCH'
    | 'RECIPIENT_FEE_AMBIGUOUS'
    | 'WALLET_NOT_FOUND'
    | 'WALLET_CURRENCY_MISMATCH'
    | 'SOURCE_WALLET_NOT_ALLOWED'
    | 'SELF_PAYMENT'
    | 'PAYMENT_METHOD_REQUIRED'
    | 'PAYMENT_METHOD_REPEATED'
    | 'PAYMENT_METHOD_NOT_FOUND'
    | 'PAYMENT_METHOD_NOT_ACTIVE'
    | 'PAYMENT_METHOD_CURRENCY_MISMATCH'
    | 'PAYMENT_AMOUNT_REQUIRED'
    | 'PAYMENT_REMAINDER_AMBIGUOUS'
    | 'PAYMENT_AMOUNTS_MISMATCH'
    | 'AUTHORIZED_INVOICE_USED'
    | 'AUTHORIZED_INVOICE_EXPIRED'
    | 'AUTHORIZED_INVOICE_LIMIT';
  readonly payInvoice: StepRefusal
    | 'TERMS_NOT_SIGNED'
    | 'INVOICE_NOT_FOUND'
    | 'INVOICE_BELONGS_TO_ESCROW'
    | 'INVOICE_SUPERSEDED'
    | 'INVOICE_NOT_OPEN'
    | 'PROVIDER_NOT_CONFIGURED'
    | 'PAYMENTS_STOPPED';
  readonly giveUpInvoicePayment: StepRefusal
    | 'INVOICE_NOT_FOUND'
    | 'INVOICE_NOT_WAITING';
  readonly getInvoice: StepRefusal
    | 'INVOICE_NOT_FOUND';
  readonly createEscrow: StepRefusal
    | 'TERMS_NOT_SIGNED'
    | 'AUTHORIZED_INVOICE_NOT_FOUND'
    | 'AUTHORIZED_INVOICE_KIND_MISMATCH'
    | 'ACCOUNT_NOT_FOUND'
    | 'ACCOUNT_BLOCKED'
    | 'CURRENCY_NOT_ENABLED'
    | 'CURRENCY_MIXED'
    | 'INVOICE_TOTAL_TOO_LARGE'
    | 'RECIPIENTS_NOT_ALLOWED'
    | 'RECIPIENTS_REQUIRED'
    | 'TAX_EXCEEDS_LINE'
    | 'LINE_AMOUNT_MISMATCH'
    | 'RECIPIENT_FEE_AMBIGUOUS'
    | 'WALLET_NOT_FOUND'
    | 'WALLET_CURRENCY_MISMATCH'
    | 'SOURCE_WALLET_NOT_ALLOWED'
    | 'SELF_PAYMENT'
    | 'PAYMENT_METHOD_REQUIRED'
    | 'PAYMENT_METHOD_REPEATED'
    | 'PAYMENT_METHOD_NOT_FOUND'
    | 'PAYMENT_METHOD_NOT_ACTIVE'
    | 'PAYMENT_METHOD_CURRENCY_MISMATCH'
    | 'PAYMENT_AMOUNT_REQUIRED'
    | 'PAYMENT_REMAINDER_AMBIGUOUS'
    | 'PAYMENT_AMOUNTS_MISMATCH'
    | 'AUTHORIZED_INVOICE_USED'
    | 'AUTHORIZED_INVOICE_EXPIRED'
    | 'AUTHORIZED_INVOICE_LIMIT'
    | 'ESCROW_DATE_PASSED'
    | 'ESCROW_DATE_TOO_LATE'
    | 'ESCROW_MILESTONE_TOO_LARGE'
    | 'ESCROW_DATES_CONFLICT'
    | 'ESCROW_MILESTONE_REPEATED';
  readonly payEscrow: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'TERMS_NOT_SIGNED'
    | 'INVOICE_SUPERSEDED'
    | 'ESCROW_PAYMENT_IN_PROGRESS'
    | 'ESCROW_NOT_OPEN'
    | 'PROVIDER_NOT_CONFIGURED'
    | 'PAYMENTS_STOPPED';
  readonly commitEscrow: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'ESCROW_NOT_ESCROWED'
    | 'ESCROW_DISPUTED';
  readonly cancelEscrow: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'ESCROW_NOT_ESCROWED'
    | 'ESCROW_DISPUTED';
  readonly releaseEscrow: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'ESCROW_NOT_ESCROWED'
    | 'ESCROW_DISPUTED'
    | 'ESCROW_PARTS_LIMIT'
    | 'ESCROW_LINE_NOT_FOUND'
    | 'ESCROW_LINE_REPEATED'
    | 'ESCROW_PART_TOO_LARGE'
    | 'ESCROW_MILESTONE_NOT_FOUND'
    | 'ESCROW_MILESTONE_RELEASED';
  readonly returnEscrow: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'ESCROW_NOT_ESCROWED'
    | 'ESCROW_DISPUTED'
    | 'ESCROW_PARTS_LIMIT'
    | 'ESCROW_LINE_NOT_FOUND'
    | 'ESCROW_LINE_REPEATED'
    | 'ESCROW_PART_TOO_LARGE';
  readonly scheduleEscrow: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'ESCROW_NOT_ESCROWED'
    | 'ESCROW_DISPUTED'
    | 'ESCROW_MILESTONE_NOT_FOUND'
    | 'ESCROW_MILESTONE_RELEASED'
    | 'ESCROW_DATE_PASSED'
    | 'ESCROW_DATE_TOO_LATE'
    | 'ESCROW_DATES_CONFLICT'
    | 'ESCROW_MILESTONE_REPEATED';
  readonly deliverEscrow: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'ESCROW_NOT_ESCROWED'
    | 'ESCROW_DISPUTED'
    | 'ESCROW_MILESTONE_NOT_FOUND'
    | 'ESCROW_MILESTONE_RELEASED'
    | 'ESCROW_DELIVERED';
  readonly getEscrow: StepRefusal
    | 'ESCROW_NOT_FOUND';
  readonly getEscrowByInvoice: StepRefusal
    | 'ESCROW_NOT_FOUND';
  readonly authorizeInvoice: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'ACCOUNT_BLOCKED'
    | 'CURRENCY_NOT_ENABLED'
    | 'CURRENCY_MIXED'
    | 'INVOICE_TOTAL_TOO_LARGE'
    | 'RECIPIENTS_NOT_ALLOWED'
    | 'RECIPIENTS_REQUIRED'
    | 'TAX_EXCEEDS_LINE'
    | 'LINE_AMOUNT_MISMATCH'
    | 'RECIPIENT_FEE_AMBIGUOUS'
    | 'WALLET_NOT_FOUND'
    | 'WALLET_CURRENCY_MISMATCH'
    | 'SOURCE_WALLET_NOT_ALLOWED'
    | 'SELF_PAYMENT';
  readonly getAuthorizedInvoice: StepRefusal
    | 'AUTHORIZED_INVOICE_NOT_FOUND'
    | 'AUTHORIZED_INVOICE_EXPIRED';
  readonly refundInvoice: StepRefusal
    | 'INVOICE_NOT_FOUND'
    | 'INVOICE_BELONGS_TO_ESCROW'
    | 'INVOICE_NOT_REFUNDABLE'
    | 'INVOICE_NOTHING_TO_REFUND'
    | 'INVOICE_ALREADY_REFUNDED';
  readonly refundLineItem: StepRefusal
    | 'LINE_ITEM_NOT_FOUND'
    | 'INVOICE_BELONGS_TO_ESCROW'
    | 'INVOICE_NOT_REFUNDABLE'
    | 'INVOICE_NOTHING_TO_REFUND'
    | 'PAYMENT_METHOD_REPEATED'
    | 'PAYMENT_METHOD_NOT_USED'
    | 'REFUND_TOO_LARGE'
    | 'REFUND_METHOD_EXCEEDED';
  readonly getRefund: StepRefusal
    | 'REFUND_NOT_FOUND';
  readonly withdrawRefund: StepRefusal
    | 'REFUND_NOT_FOUND'
    | 'REFUND_NOT_WAITING';
  readonly listInvoiceRefunds: StepRefusal
    | 'INVOICE_NOT_FOUND';
  readonly openDisagreement: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'ESCROW_NOT_ESCROWED'
    | 'DISAGREEMENT_WRONG_SIDE'
    | 'DISAGREEMENT_EXISTS';
  readonly getDisagreement: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'DISAGREEMENT_NOT_FOUND';
  readonly addDisagreementStatement: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'DISAGREEMENT_NOT_FOUND'
    | 'DISAGREEMENT_NOT_OPEN'
    | 'DISAGREEMENT_STRANGER'
    | 'DISAGREEMENT_PERSON_ERASED'
    | 'DISAGREEMENT_TOO_MUCH_EVIDENCE'
    | 'FILE_NOT_BASE64'
    | 'FILE_EMPTY'
    | 'FILE_TOO_LARGE'
    | 'FILE_TYPE_UNKNOWN'
    | 'FILE_TYPE_MISMATCH'
    | 'FILE_ENCRYPTED'
    | 'FILE_ACTIVE_CONTENT'
    | 'FILE_TOO_MANY_PIXELS'
    | 'FILE_DAMAGED';
  readonly getDisagreementStatement: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'DISAGREEMENT_NOT_FOUND'
    | 'STATEMENT_NOT_FOUND';
  readonly proposeSplit: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'DISAGREEMENT_NOT_FOUND'
    | 'DISAGREEMENT_NOT_OPEN'
    | 'DISAGREEMENT_STRANGER'
    | 'DISAGREEMENT_SEVERAL_SELLERS'
    | 'ESCROW_LINE_NOT_FOUND'
    | 'ESCROW_LINE_REPEATED'
    | 'DISAGREEMENT_SPLIT_WRONG'
    | 'DISAGREEMENT_OWN_LINE';
  readonly answerProposal: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'DISAGREEMENT_NOT_FOUND'
    | 'DISAGREEMENT_NOT_OPEN'
    | 'DISAGREEMENT_STRANGER'
    | 'DISAGREEMENT_NO_PROPOSAL'
    | 'DISAGREEMENT_OWN_PROPOSAL'
    | 'DISAGREEMENT_SPLIT_WRONG'
    | 'DISAGREEMENT_OWN_LINE'
    | 'ESCROW_DISPUTED';
  readonly resolveDisagreement: StepRefusal
    | 'ESCROW_NOT_FOUND'
    | 'DISAGREEMENT_NOT_FOUND'
    | 'DISAGREEMENT_NOT_OPEN'
    | 'ESCROW_LINE_NOT_FOUND'
    | 'ESCROW_LINE_REPEATED'
    | 'DISAGREEMENT_SPLIT_WRONG'
    | 'ESCROW_DISPUTED';
  readonly listDisputes: StepRefusal;
  readonly getDispute: StepRefusal
    | 'DISPUTE_NOT_FOUND';
  readonly addDisputeEvidence: StepRefusal
    | 'DISPUTE_NOT_FOUND'
    | 'DISPUTE_NOT_OPEN'
    | 'DISPUTE_OVERDUE'
    | 'DISPUTE_ALREADY_ANSWERED'
    | 'DISPUTE_PERSON_ERASED'
    | 'DISPUTE_TOO_MUCH_EVIDENCE'
    | 'FILE_NOT_BASE64'
    | 'FILE_EMPTY'
    | 'FILE_TOO_LARGE'
    | 'FILE_TYPE_UNKNOWN'
    | 'FILE_TYPE_MISMATCH'
    | 'FILE_ENCRYPTED'
    | 'FILE_ACTIVE_CONTENT'
    | 'FILE_TOO_MANY_PIXELS'
    | 'FILE_DAMAGED';
  readonly submitDispute: StepRefusal
    | 'DISPUTE_NOT_FOUND'
    | 'DISPUTE_NOT_OPEN'
    | 'DISPUTE_OVERDUE'
    | 'DISPUTE_ALREADY_ANSWERED'
    | 'DISPUTE_EVIDENCE_MISSING';
  readonly listSellerReserves: StepRefusal;
  readonly createPayout: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'TERMS_NOT_SIGNED'
    | 'ACCOUNT_BLOCKED'
    | 'PAYOUT_REQUIREMENTS_DUE'
    | 'PAYOUT_KYC_REQUIRED'
    | 'PAYOUT_TAX_UPDATE_REQUIRED'
    | 'PAYMENT_METHOD_NOT_FOUND'
    | 'PAYMENT_METHOD_NOT_ACTIVE'
    | 'PAYOUT_SOURCE_NOT_WALLET'
    | 'PAYOUT_DESTINATION_NOT_ALLOWED'
    | 'PAYOUT_TOO_SMALL'
    | 'PAYOUT_CURRENCY_MISMATCH'
    | 'PAYOUT_RESERVED'
    | 'PAYOUT_INSUFFICIENT_FUNDS'
    | 'PROVIDER_NOT_CONFIGURED';
  readonly listPayouts: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly getPayout: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'PAYOUT_NOT_FOUND';
  readonly getPayoutStatement: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'PAYOUT_NOT_FOUND';
  readonly cancelPayout: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'PAYOUT_NOT_FOUND'
    | 'PAYOUT_NOT_CANCELABLE';
  readonly holdPayout: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'PAYOUT_NOT_FOUND'
    | 'PAYOUT_NOT_HOLDABLE';
  readonly letPayoutGo: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'PAYOUT_NOT_FOUND'
    | 'PAYOUT_NOT_HELD';
  readonly executePayout: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'PAYOUT_NOT_FOUND'
    | 'PAYOUT_NOT_EXECUTABLE'
    | 'PAYOUT_HELD'
    | 'ACCOUNT_BLOCKED'
    | 'PAYOUT_REQUIREMENTS_DUE'
    | 'PAYOUT_KYC_REQUIRED'
    | 'PAYOUT_TAX_UPDATE_REQUIRED'
    | 'PAYMENT_METHOD_NOT_ACTIVE'
    | 'PAYOUT_WAITS_FOR_MONEY';
  readonly quotePayout: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'CURRENCY_NOT_ENABLED'
    | 'PAYMENT_METHOD_NOT_FOUND'
    | 'PAYOUT_DESTINATION_NOT_ALLOWED'
    | 'PAYOUT_TOO_SMALL';
  readonly listPayoutWays: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'CURRENCY_NOT_ENABLED';
  readonly listTransactions: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly getTransaction: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'TRANSACTION_NOT_FOUND';
  readonly getReceipt: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'TRANSACTION_NOT_FOUND'
    | 'RECEIPT_NOT_GIVEN';
  readonly listAccountInvoices: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly getEscrowOfParty: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'ESCROW_NOT_FOUND';
  readonly getReconciliation: StepRefusal;
  readonly resolveReconciliation: StepRefusal
    | 'RECONCILIATION_ITEM_NOT_FOUND'
    | 'DECISION_NOT_POSSIBLE'
    | 'NOTE_REQUIRED'
    | 'ITEM_NOT_OPEN'
    | 'PARKED_DISPUTED'
    | 'PARKED_NOT_AS_AGREED'
    | 'PROCESSOR_SILENT'
    | 'PARKED_TOO_LATE';
  readonly getDepositInstructions: StepRefusal
    | 'WALLET_NOT_FOUND'
    | 'BANK_ACCOUNT_NOT_CONFIGURED';
  readonly listBankTransfers: StepRefusal;
  readonly listPayoutScheduleDefaults: StepRefusal;
  readonly setPayoutScheduleDefault: StepRefusal
    | 'CURRENCY_NOT_ENABLED';
  readonly listPayoutSchedules: StepRefusal
    | 'ACCOUNT_NOT_FOUND';
  readonly setPayoutSchedule: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'CURRENCY_NOT_ENABLED'
    | 'PAYMENT_METHOD_NOT_FOUND'
    | 'PAYMENT_METHOD_NOT_ACTIVE'
    | 'PAYOUT_DESTINATION_NOT_ALLOWED';
  readonly createPayeeLink: StepRefusal
    | 'TERMS_NOT_SIGNED'
    | 'ACCOUNT_BLOCKED'
    | 'RETURN_URL_NOT_ALLOWED'
    | 'PROVIDER_NOT_CONFIGURED'
    | 'PAYEE_NOT_OFFERED'
    | 'PAYEE_UNAVAILABLE'
    | 'ACCOUNT_NOT_FOUND';
  readonly getPayee: StepRefusal
    | 'PAYEE_NOT_FOUND';
  readonly getCoverage: StepRefusal
    | 'BOOKS_TOO_LARGE';
  readonly getPublishedCoverage: StepRefusal
    | 'COVERAGE_NOT_FOUND'
    | 'BOOKS_TOO_LARGE';
  readonly getTrialBalance: StepRefusal
    | 'BOOKS_TOO_LARGE';
  readonly getBalancesAt: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'BOOKS_TOO_LARGE';
  readonly getStatement: StepRefusal
    | 'BOOKS_TOO_LARGE';
  readonly getAccountStatement: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'BOOKS_TOO_LARGE';
  readonly listSellerTotals: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'BOOKS_TOO_LARGE';
  readonly createWebhookEndpoint: StepRefusal
    | 'WEBHOOK_URL_MALFORMED'
    | 'WEBHOOK_URL_SCHEME'
    | 'WEBHOOK_URL_CREDENTIALS'
    | 'WEBHOOK_URL_FRAGMENT'
    | 'WEBHOOK_URL_PORT'
    | 'WEBHOOK_URL_HOST'
    | 'WEBHOOK_URL_ADDRESS'
    | 'WEBHOOK_ENDPOINT_LIMIT';
  readonly listWebhookEndpoints: StepRefusal;
  readonly getWebhookEndpoint: StepRefusal
    | 'WEBHOOK_ENDPOINT_NOT_FOUND';
  readonly changeWebhookEndpoint: StepRefusal
    | 'WEBHOOK_ENDPOINT_NOT_FOUND'
    | 'WEBHOOK_URL_MALFORMED'
    | 'WEBHOOK_URL_SCHEME'
    | 'WEBHOOK_URL_CREDENTIALS'
    | 'WEBHOOK_URL_FRAGMENT'
    | 'WEBHOOK_URL_PORT'
    | 'WEBHOOK_URL_HOST'
    | 'WEBHOOK_URL_ADDRESS';
  readonly deleteWebhookEndpoint: StepRefusal
    | 'WEBHOOK_ENDPOINT_NOT_FOUND';
  readonly rotateWebhookSecret: StepRefusal
    | 'WEBHOOK_ENDPOINT_NOT_FOUND'
    | 'WEBHOOK_SECRET_ROTATING';
  readonly listWebhookDeliveries: StepRefusal
    | 'WEBHOOK_ENDPOINT_NOT_FOUND';
  readonly replayWebhookDeliveries: StepRefusal
    | 'WEBHOOK_ENDPOINT_NOT_FOUND'
    | 'WEBHOOK_ENDPOINT_DISABLED'
    | 'REPLAY_AMBIGUOUS'
    | 'REPLAY_RANGE_TOO_LARGE';
  readonly listEvents: StepRefusal
    | 'EVENTS_EPOCH_CHANGED';
  readonly getEvent: StepRefusal
    | 'EVENT_NOT_FOUND';
  readonly listLifecycles: StepRefusal;
  readonly listErrors: StepRefusal;
  readonly getSettings: StepRefusal;
  readonly changeSettings: StepRefusal
    | 'FILE_NOT_BASE64'
    | 'FILE_EMPTY'
    | 'FILE_TOO_LARGE'
    | 'FILE_TYPE_UNKNOWN'
    | 'FILE_TYPE_MISMATCH'
    | 'FILE_ENCRYPTED'
    | 'FILE_ACTIVE_CONTENT'
    | 'FILE_TOO_MANY_PIXELS'
    | 'FILE_DAMAGED';
  readonly getDisputeSettings: StepRefusal;
  readonly changeDisputeSettings: StepRefusal;
  readonly getPayeeSettings: StepRefusal;
  readonly changePayeeSettings: StepRefusal;
  readonly getCoverageSettings: StepRefusal;
  readonly changeCoverageSettings: StepRefusal;
  readonly getDisagreementSettings: StepRefusal;
  readonly changeDisagreementSettings: StepRefusal;
  readonly getMailSettings: StepRefusal;
  readonly changeMailSettings: StepRefusal
    | 'MAIL_NOT_CONFIGURED';
  readonly sendReceipt: StepRefusal
    | 'ACCOUNT_NOT_FOUND'
    | 'TRANSACTION_NOT_FOUND'
    | 'RECEIPT_NOT_GIVEN'
    | 'MAIL_OFF'
    | 'TOO_MANY_MAILS';
  readonly searchAccounts: StepRefusal;
  readonly searchBusinesses: StepRefusal;
  readonly searchDeposits: StepRefusal;
  readonly searchPaymentAttempts: StepRefusal;
  readonly searchOutboundTransfers: StepRefusal;
  readonly searchInvoices: StepRefusal;
  readonly searchEscrows: StepRefusal;
  readonly searchEscrowDates: StepRefusal;
  readonly searchRefunds: StepRefusal;
  readonly searchDisagreements: StepRefusal;
  readonly searchOpenDisagreements: StepRefusal;
  readonly searchDisputes: StepRefusal;
  readonly searchPayouts: StepRefusal;
  readonly searchOpenItems: StepRefusal;
  readonly searchIncomingTransfers: StepRefusal;
  readonly searchMoneyActs: StepRefusal;
  readonly searchEvents: StepRefusal;
  readonly searchDeliveries: StepRefusal;
  readonly searchMails: StepRefusal;
  readonly searchLedgerAccounts: StepRefusal;
  readonly searchLedgerEntries: StepRefusal;
  readonly searchUnpublishedEvents: StepRefusal;
  readonly sandboxDeposit: StepRefusal
    | 'DEPOSIT_TARGET_UNCLEAR'
    | 'ACCOUNT_NOT_FOUND'
    | 'ACCOUNT_BLOCKED'
    | 'CURRENCY_NOT_ENABLED'
    | 'DEPOSIT_TOO_LARGE';
  readonly sandboxAttachCard: StepRefusal
    | 'SANDBOX_CARDS_ABSENT'
    | 'TEST_CARD_UNKNOWN'
    | 'ACCOUNT_NOT_FOUND'
    | 'ACCOUNT_BLOCKED'
    | 'PROCESSOR_UNAVAILABLE';
  readonly sandboxBankTransfer: StepRefusal
    | 'CURRENCY_NOT_ENABLED';
  readonly sandboxTestCards: StepRefusal;
  readonly sandboxScenarios: StepRefusal;
  readonly sandboxPlayScenario: StepRefusal
    | 'SANDBOX_CARDS_ABSENT'
    | 'SCENARIO_UNKNOWN'
    | 'PAYMENT_METHOD_NOT_FOUND'
    | 'PROCESSOR_UNAVAILABLE';
  readonly sandboxOutsideEvent: StepRefusal
    | 'SANDBOX_CARDS_ABSENT'
    | 'OUTSIDE_EVENT_REFUSED'
    | 'PROCESSOR_UNAVAILABLE';
  readonly sandboxSettlementTerms: StepRefusal
    | 'SANDBOX_CARDS_ABSENT'
    | 'PROCESSOR_UNAVAILABLE';
  readonly sandboxTestPersons: StepRefusal;
  readonly sandboxIdentityEvent: StepRefusal
    | 'SANDBOX_PERSONS_ABSENT'
    | 'IDENTITY_EVENT_REFUSED'
    | 'VENDOR_UNAVAILABLE';
  readonly sandboxCounterparties: StepRefusal;
  readonly sandboxScript: StepRefusal
    | 'COUNTERPARTIES_ABSENT'
    | 'EXCHANGE_UNKNOWN'
    | 'PAYMENT_METHOD_NOT_FOUND'
    | 'SCRIPT_TARGET_UNKNOWN'
    | 'SCRIPT_LIMIT';
  readonly sandboxScripts: StepRefusal;
  readonly sandboxClearScripts: StepRefusal
    | 'COUNTERPARTIES_ABSENT';
  readonly sandboxBook: StepRefusal
    | 'COUNTERPARTY_NOT_FOUND'
    | 'COUNTERPARTIES_ABSENT'
    | 'BOOK_PAGE_UNKNOWN';
  readonly sandboxCreateReceiver: StepRefusal
    | 'COUNTERPARTIES_ABSENT'
    | 'EXCHANGE_UNKNOWN'
    | 'WEBHOOK_ENDPOINT_LIMIT';
  readonly sandboxReceivers: StepRefusal;
  readonly sandboxReceiverRequests: StepRefusal
    | 'COUNTERPARTIES_ABSENT'
    | 'RECEIVER_NOT_FOUND'
    | 'BOOK_PAGE_UNKNOWN';
  readonly sandboxEndReceiver: StepRefusal
    | 'COUNTERPARTIES_ABSENT'
    | 'RECEIVER_NOT_FOUND';
  readonly sandboxMail: StepRefusal;
  readonly sandboxClock: StepRefusal;
  readonly sandboxMoveClock: StepRefusal
    | 'CLOCK_WISH_UNCLEAR'
    | 'CLOCK_BACKWARDS'
    | 'CLOCK_TOO_FAR'
    | 'CLOCK_BUSY';
  readonly sandboxTakeSnapshot: StepRefusal
    | 'SNAPSHOT_LIMIT'
    | 'SNAPSHOT_TOO_LARGE'
    | 'WORLD_BUSY';
  readonly sandboxListSnapshots: StepRefusal;
  readonly sandboxDeleteSnapshot: StepRefusal
    | 'SNAPSHOT_NOT_FOUND';
  readonly sandboxForkWorld: StepRefusal
    | 'SNAPSHOT_NOT_FOUND'
    | 'SNAPSHOT_OUTDATED'
    | 'SNAPSHOT_TOO_LARGE'
    | 'WORLD_LIMIT'
    | 'WORLD_BUSY';
  readonly sandboxListWorlds: StepRefusal;
  readonly sandboxEndWorld: StepRefusal
    | 'WORLD_NOT_FOUND'
    | 'WORLD_IN_USE';
  readonly sandboxRollBack: StepRefusal
    | 'SNAPSHOT_NOT_FOUND'
    | 'SNAPSHOT_OUTDATED'
    | 'WORLD_BUSY';
  readonly sandboxReset: StepRefusal
    | 'WORLD_NOT_BEGUN'
    | 'SNAPSHOT_NOT_FOUND'
    | 'SNAPSHOT_OUTDATED'
    | 'WORLD_BUSY';
  readonly sandboxExplain: StepRefusal
    | 'RESOURCE_NOT_FOUND';
}

/** Codes after which the same request may succeed later. */
export const RETRYABLE = [
  'OVERLOADED',
  'DATABASE_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'WORLD_ENDED',
  'TENANT_MOVING',
  'RESOURCE_BUSY',
  'TERMS_VERSION_STALE',
  'ACCOUNT_CHANGED_MEANWHILE',
  'MERGE_SOURCE_NOT_AT_REST',
  'MERGE_SOURCE_IDENTITY',
  'TERMS_NOT_SIGNED',
  'KYC_VENDOR_UNAVAILABLE',
  'KYC_CHANGED_MEANWHILE',
  'ENTITY_CHANGED_MEANWHILE',
  'PAYMENT_METHOD_ENTRY_INCOMPLETE',
  'PAYMENT_METHOD_ENTRY_LIMIT',
  'METHOD_ENTRY_UNAVAILABLE',
  'PROCESSOR_SILENT',
  'PAYEE_UNAVAILABLE',
  'BOOKS_TOO_LARGE',
  'TOO_MANY_MAILS',
  'PAYMENTS_STOPPED',
  'PROCESSOR_UNAVAILABLE',
  'VENDOR_UNAVAILABLE',
  'CLOCK_BUSY',
  'WORLD_BUSY',
  'REQUEST_TIMEOUT',
  'TOO_MANY_REQUESTS',
  'READ_ONLY',
  'TENANT_STOPPED',
] as const;

/** The message of each event. */
export interface EventMessages {
  /** A person submitted identity information, or the identity state changed. */
  readonly 'kyc-webhook': KYCStatus;
  /** The verification of a business was started, or its status changed. */
  readonly 'kyb-webhook': KybWebhookMessage;
  /** An escrow was paid, failed, committed or cancelled, by a request or a time limit. */
  readonly 'escrow-transaction-update': Escrow;
  /** An invoice finished processing, as success or failed. */
  readonly 'invoice-completed': InvoiceCompletedMessage;
  /** A refund reached the buyer, failed at the processor, or was rejected. */
  readonly 'refund-completed': RefundCompletedMessage;
  /** A payout was paid, failed, was returned by the bank, or was rejected. */
  readonly 'payout-completed': PayoutCompletedMessage;
  /** A deposit succeeded or failed. */
  readonly 'deposit-completed': DepositCompletedMessage;
  /** A cardholder disputed a charge, or a bank debit was returned unpaid. */
  readonly 'dispute-created': Dispute;
  /** The evidence of a dispute was submitted or declined, or the bank is reviewing it. */
  readonly 'dispute-updated': Dispute;
  /** A dispute was won, lost or withdrawn. */
  readonly 'dispute-closed': Dispute;
  /** The deadline of a dispute is near, and no response was submitted. */
  readonly 'dispute-response-due': Dispute;
  /** Buyer and seller of an escrow disagree: it is frozen until that is settled. */
  readonly 'disagreement-opened': Disagreement;
  /** A side of a disagreement stated something or handed in a file. */
  readonly 'disagreement-stated': Disagreement;
  /** A side of a disagreement proposed a split, or declined the one that was proposed. */
  readonly 'disagreement-proposed': Disagreement;
  /** The limit of a disagreement is near: at the limit its default outcome follows. */
  readonly 'disagreement-due': Disagreement;
  /** What was held was divided, or a lost dispute of a charge ended the escrow. */
  readonly 'disagreement-ended': Disagreement;
  /** A payment method was added, renamed or removed. */
  readonly 'payment-method-updated': PaymentMethodUpdatedMessage;
  /** An account was registered; its wallets can be paid into. */
  readonly 'register-account-completed': RegisterAccountCompletedMessage;
  /** A capability of an account was blocked or unblocked. */
  readonly 'account-block-unblock-webhook': AccountBlockUnblockWebhookMessage;
  /** A wallet balance of the integrator fell below a threshold of the tenant's settings. */
  readonly 'wallet-balance-alert': WalletBalanceAlertMessage;
  /** A part of an escrow was released to its sellers or returned to its buyer; more is held. */
  readonly 'escrow-part-moved': Escrow;
  /** Dates of an escrow were set, moved or taken away. */
  readonly 'escrow-schedule-changed': Escrow;
  /** A date of an escrow is near, at which held money is released or returned. */
  readonly 'escrow-date-near': Escrow;
  /** A seller said that a milestone or all of an escrow was delivered; no money moves. */
  readonly 'escrow-delivered': Escrow;
  /** An escrow is close to its holding limit; at the limit it is cancelled and refunded. */
  readonly 'escrow-expiring': Escrow;
  /** The document of an accepted identity expires in 30 days; then a new one is required. */
  readonly 'identity-document-expiring': IdentityDocumentExpiringMessage;
}

export interface SearchUserInfoInput {
  readonly username: string;
}

export interface UpdateUserInfoInput extends UpdateUserInfoBody {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
}

export interface SignTermsInput extends SignTermsBody {
  /** Name of the service, by default `service`. */
  readonly word: string;
}

export interface SetAccountKYCStateInput extends SetAccountKYCStateBody {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
}

export interface GetKYCApplicationInput {
  /** `kyc_` and 26 characters of base32. */
  readonly kyc_id?: string | undefined;
}

export interface RecheckKYCInput extends RecheckKYCBody {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
}

export interface OnboardEntityInput extends OnboardEntityBody {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
}

export interface SandboxSetEntityInput extends SandboxSetEntityBody {
  /** `ent_` and 26 characters of base32. */
  readonly entity_id: string;
}

export interface RenamePaymentMethodInput extends RenamePaymentMethodBody {
  readonly payment_method_id: string;
}

export interface GetBalancesInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
}

export interface ListSellerDebtsInput {
  readonly account_id?: string | undefined;
  readonly dispute_id?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export type ReleaseEscrowInput = ReleaseEscrowBody & {
  readonly escrow_id: string;
};

export interface ReturnEscrowInput extends PartOfEscrow {
  readonly escrow_id: string;
}

export interface ScheduleEscrowInput extends Schedule {
  readonly escrow_id: string;
}

export interface DeliverEscrowInput extends DeliveryReport {
  readonly escrow_id: string;
}

export interface ListInvoiceRefundsInput {
  readonly invoice_id: string;
  readonly status?:
    | 'REFUND-WAITING-FUNDS'
    | 'REFUND-PENDING'
    | 'REFUND-SUCCESS'
    | 'REFUND-FAILED'
    | 'REFUND-REJECTED'
    | undefined;
}

export interface OpenDisagreementInput extends DisagreementWish {
  readonly escrow_id: string;
}

export interface AddDisagreementStatementInput extends StatementWish {
  readonly escrow_id: string;
}

export type ProposeSplitInput = ProposeSplitBody & {
  readonly escrow_id: string;
};

export interface AnswerProposalInput extends ProposalReply {
  readonly escrow_id: string;
}

export type ResolveDisagreementInput = ResolveDisagreementBody & {
  readonly escrow_id: string;
};

export interface ListDisputesInput {
  readonly status?:
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost'
    | 'withdrawn'
    | 'returned'
    | undefined;
  readonly account_id?: string | undefined;
  readonly invoice_id?: string | undefined;
  readonly escrow_id?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface AddDisputeEvidenceInput extends AddDisputeEvidenceBody {
  readonly dispute_id: string;
}

export interface ListSellerReservesInput {
  readonly account_id?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface CreatePayoutInput extends CreatePayoutBody {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
}

export interface ListPayoutsInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface QuotePayoutInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly destination_payment_method_id: string;
}

export interface ListPayoutWaysInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  /** ISO 4217 code. */
  readonly currency: string;
}

export interface ListTransactionsInput {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly statuses?: string | undefined;
  /** `acct_` and 26 characters of base32. */
  readonly account_id?: string | undefined;
}

export interface GetTransactionInput {
  readonly transaction_id: string;
  /** `acct_` and 26 characters of base32. */
  readonly account_id?: string | undefined;
}

export interface GetReceiptInput {
  readonly transaction_id: string;
  /** `acct_` and 26 characters of base32. */
  readonly account_id?: string | undefined;
}

export interface ListAccountInvoicesInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly states?: string | undefined;
  readonly invoice_types?: string | undefined;
  readonly sort?: 'asc' | 'desc' | undefined;
  readonly sort_field?: 'created' | 'updated' | undefined;
  readonly include_recipient_transactions?: 'true' | 'false' | undefined;
}

export interface GetEscrowOfPartyInput {
  readonly escrow_id: string;
  /** `acct_` and 26 characters of base32. */
  readonly account_id?: string | undefined;
}

export interface ResolveReconciliationInput extends ResolveReconciliationBody {
  readonly item_id: string;
}

export interface ListBankTransfersInput {
  readonly account_id?: string | undefined;
  readonly wallet_id?: string | undefined;
  readonly state?:
    | 'proposed'
    | 'unallocated'
    | 'allocating'
    | 'credited'
    | 'covered'
    | 'returning'
    | 'returned'
    | 'duplicate'
    | 'rejected'
    | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface SetPayoutScheduleInput extends SetPayoutScheduleBody {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
}

export interface GetPayeeInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
}

export interface GetTrialBalanceInput {
  /** A time by the clock of the workspace; absent: now. */
  readonly at?: string | undefined;
}

export interface GetBalancesAtInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  /** A time by the clock of the workspace; absent: now. */
  readonly at?: string | undefined;
}

export interface GetStatementInput {
  /** A month in UTC by the clock of the workspace; absent: the present one. */
  readonly month?: string | undefined;
}

export interface GetAccountStatementInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  /** A month in UTC by the clock of the workspace; absent: the present one. */
  readonly month?: string | undefined;
}

export interface ListSellerTotalsInput {
  readonly year: number;
  /** `acct_` and 26 characters of base32. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ChangeWebhookEndpointInput extends ChangeWebhookEndpointBody {
  readonly endpoint_id: string;
}

export interface RotateWebhookSecretInput extends RotateWebhookSecretBody {
  readonly endpoint_id: string;
}

export interface ListWebhookDeliveriesInput {
  readonly endpoint_id: string;
  readonly state?: 'pending' | 'delivered' | 'dead' | undefined;
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

export interface ReplayWebhookDeliveriesInput extends ReplayWebhookDeliveriesBody {
  readonly endpoint_id: string;
}

export interface ListEventsInput {
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
  readonly epoch?: string | undefined;
}

export interface SendReceiptInput extends SendReceiptBody {
  readonly transaction_id: string;
}

export interface SearchAccountsInput {
  readonly blocked?: 'true' | 'false' | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchBusinessesInput {
  readonly account_id?: string | undefined;
  readonly state?:
    | 'INCOMPLETE'
    | 'PROCESSING'
    | 'ACCEPT'
    | 'DENY'
    | 'CANCEL'
    | 'INACTIVE'
    | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchDepositsInput {
  readonly account_id?: string | undefined;
  readonly state?: 'requested' | 'success' | 'failed' | undefined;
  readonly amount?: number | undefined;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchPaymentAttemptsInput {
  readonly resource_id?: string | undefined;
  readonly state?:
    | 'authorizing'
    | 'authorized'
    | 'declined'
    | 'parked'
    | 'challenged'
    | 'reversing'
    | 'capturing'
    | 'captured'
    | 'reversed'
    | undefined;
  readonly amount?: number | undefined;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchOutboundTransfersInput {
  readonly resource_id?: string | undefined;
  readonly state?:
    | 'sending'
    | 'pending'
    | 'paid'
    | 'declined'
    | 'parked'
    | 'returned'
    | 'replaced'
    | 'waiting'
    | 'handed_over'
    | undefined;
  readonly amount?: number | undefined;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchInvoicesInput {
  readonly account_id?: string | undefined;
  readonly state?: 'open' | 'processing' | 'success' | 'failed' | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchEscrowsInput {
  readonly account_id?: string | undefined;
  readonly state?:
    | 'OPEN'
    | 'ESCROWED'
    | 'ESCROW-FAILED'
    | 'COMMITTED'
    | 'CANCELLED'
    | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchEscrowDatesInput {
  readonly account_id?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly due_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly due_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchRefundsInput {
  readonly invoice_id?: string | undefined;
  readonly state?:
    | 'REFUND-WAITING-FUNDS'
    | 'REFUND-PENDING'
    | 'REFUND-SUCCESS'
    | 'REFUND-FAILED'
    | 'REFUND-REJECTED'
    | undefined;
  readonly amount?: number | undefined;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchDisagreementsInput {
  readonly account_id?: string | undefined;
  readonly state?: 'open' | 'resolved' | 'closed' | undefined;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchOpenDisagreementsInput {
  readonly account_id?: string | undefined;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly due_by_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly due_by_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchDisputesInput {
  readonly account_id?: string | undefined;
  readonly resource_id?: string | undefined;
  readonly reference?: string | undefined;
  readonly state?:
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost'
    | 'withdrawn'
    | 'returned'
    | undefined;
  readonly amount?: number | undefined;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchPayoutsInput {
  readonly account_id?: string | undefined;
  readonly state?:
    | 'ESCROW-TRANSFER-INITIATED'
    | 'FUNDS-IN-ESCROW'
    | 'CREDIT-TRANSFER-INITIATED'
    | 'FUNDS-IN-ESCROW-ON-HOLD'
    | 'FAILED'
    | 'SUCCESS'
    | 'SUPPORT-REJECT-TRANSFER-INITIATED'
    | 'SUPPORT-REJECTED'
    | 'SYSTEM-REJECTED'
    | undefined;
  readonly on_hold?: 'true' | 'false' | undefined;
  readonly amount?: number | undefined;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchOpenItemsInput {
  readonly kind?:
    | 'parked_charge'
    | 'parked_remittance'
    | 'difference'
    | 'waiting_line'
    | 'missing_line'
    | 'waiting_refund'
    | 'waiting_reversal'
    | undefined;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchIncomingTransfersInput {
  readonly state?:
    | 'proposed'
    | 'unallocated'
    | 'allocating'
    | 'credited'
    | 'covered'
    | 'returning'
    | 'returned'
    | 'duplicate'
    | 'rejected'
    | undefined;
  readonly amount?: number | undefined;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchMoneyActsInput {
  readonly subject_id?: string | undefined;
  readonly state?:
    | 'proposed'
    | 'agreed'
    | 'running'
    | 'done'
    | 'refused'
    | 'rejected'
    | undefined;
  readonly amount?: number | undefined;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchEventsInput {
  readonly name?:
    | 'kyc-webhook'
    | 'kyb-webhook'
    | 'escrow-transaction-update'
    | 'invoice-completed'
    | 'refund-completed'
    | 'payout-completed'
    | 'deposit-completed'
    | 'dispute-created'
    | 'dispute-updated'
    | 'dispute-closed'
    | 'dispute-response-due'
    | 'disagreement-opened'
    | 'disagreement-stated'
    | 'disagreement-proposed'
    | 'disagreement-due'
    | 'disagreement-ended'
    | 'payment-method-updated'
    | 'register-account-completed'
    | 'account-block-unblock-webhook'
    | 'wallet-balance-alert'
    | 'escrow-part-moved'
    | 'escrow-schedule-changed'
    | 'escrow-date-near'
    | 'escrow-delivered'
    | 'escrow-expiring'
    | 'identity-document-expiring'
    | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchDeliveriesInput {
  readonly endpoint_id?: string | undefined;
  readonly state?: 'pending' | 'delivered' | 'dead' | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchMailsInput {
  readonly account_id?: string | undefined;
  readonly state?: 'pending' | 'sent' | 'none' | 'bounced' | 'refused' | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchLedgerAccountsInput {
  readonly kind?:
    | 'wallet'
    | 'kept_back'
    | 'holding'
    | 'integrator_share'
    | 'tax_collected'
    | 'processor_clearing'
    | 'processor_available'
    | 'in_transit'
    | 'bank'
    | 'opening_balances'
    | 'sandbox_funding'
    | 'escrow'
    | 'refund_pending'
    | 'payout_pending'
    | 'payout_handed_over'
    | 'bank_unallocated'
    | 'payout_fees'
    | 'processor_fees'
    | 'unreturned_fees'
    | 'dispute_fees'
    | 'bank_fees'
    | 'own_payments'
    | 'bank_reversals'
    | 'reversals'
    | 'unexplained'
    | undefined;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchLedgerEntriesInput {
  readonly resource_id?: string | undefined;
  readonly ledger_account_id?: string | undefined;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_from?: string | undefined;
  /** A day such as 2030-01-31, which begins in UTC, or a time. */
  readonly created_before?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SearchUnpublishedEventsInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SandboxBookInput {
  readonly counterparty: string;
  readonly after?: string | undefined;
}

export interface SandboxReceiverRequestsInput {
  readonly receiver_id: string;
  readonly after?: string | undefined;
}

export interface SandboxMailInput {
  /** Only mails to this address. */
  readonly to?: string | undefined;
  readonly limit?: number | undefined;
}

export interface CreateTokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string | undefined;
  readonly status: 'Success';
  readonly message: readonly string[];
  readonly codes: readonly string[];
  readonly payload: IssuedToken;
}

export interface CreateTokenInput {
  readonly grant_type: 'client_credentials' | 'refresh_token';
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly scope?: string | undefined;
  readonly refresh_token?: string | undefined;
}

export interface RevokeTokenInput {
  readonly token: string;
  readonly token_type_hint?: string | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

export type IntrospectTokenAnswer =
  | InactiveToken
  | ActiveToken;

export type AuthorizeUserAnswer =
  | UserLink
  | UserToken;

export interface AuthorizeUserInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id?: string | undefined;
  readonly return_token?: boolean | undefined;
  readonly mechanism?: string | undefined;
  readonly flow?:
    | 'payment-selection'
    | 'checkout'
    | 'tos'
    | 'kyc'
    | 'purchase'
    | 'payout'
    | 'payout-full'
    | 'txnhistory'
    | 'txndetails'
    | 'kyb'
    | 'escrow'
    | undefined;
  readonly scopes?: readonly string[] | string | undefined;
  readonly token_expiration_seconds?: number | undefined;
}

export interface LinkStatus {
  readonly nonce_auth_id: string;
  readonly status: 'unused' | 'used' | 'expired';
}

export interface OpenSessionAnswer {
  readonly flow: string;
  readonly mechanism: string;
  readonly account_id: string;
  readonly integrator: string;
  readonly integrator_name: string;
  readonly authorized_invoice_id: string;
  readonly is_escrow: boolean;
  readonly scopes: readonly string[];
  readonly to_agree: Agreement | null;
  readonly access_token: string;
  readonly expires_in: number;
  readonly resume: string;
}

export interface OpenSessionInput {
  readonly nonce: string;
  readonly flow?:
    | 'payment-selection'
    | 'checkout'
    | 'tos'
    | 'kyc'
    | 'purchase'
    | 'payout'
    | 'payout-full'
    | 'txnhistory'
    | 'txndetails'
    | 'kyb'
    | 'escrow'
    | undefined;
  /** In which the person reads the page, by BCP 47: mails are in it from then on. */
  readonly language?: string | undefined;
  /** A random secret of 32 bytes with which the page can resume its session. */
  readonly resume?: string | undefined;
  readonly agree?: OpenSessionInputAgree | undefined;
}

export interface EndSessionInput {
  readonly nonce: string;
  readonly access_token: string;
}

export interface Account {
  readonly account_id: string;
  readonly username: string;
  readonly email: AccountEmail | null;
  readonly full_name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly street_address_1: string;
  readonly street_address_2: string;
  readonly street_address_3: string;
  readonly city: string;
  readonly state_province: string;
  readonly country_iso: string;
  readonly zip_postal_code: string;
  readonly external_platforms: Readonly<Record<string, unknown>>;
}

export interface RegisterAccountInput {
  readonly username: string;
  readonly email?: RegisterAccountInputEmail | undefined;
  readonly full_name?: string | undefined;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly street_address_1?: string | undefined;
  readonly street_address_2?: string | undefined;
  readonly street_address_3?: string | undefined;
  readonly city?: string | undefined;
  readonly state_province?: string | undefined;
  readonly country_iso?: string | undefined;
  readonly zip_postal_code?: string | undefined;
  /** At most 16384 bytes of JSON. */
  readonly external_platforms?: Readonly<Record<string, unknown>> | undefined;
}

export interface UserInfo {
  readonly account_id: string;
  readonly username: string;
  readonly email: AccountEmail | null;
  readonly is_blocked: boolean;
  readonly blocked_capabilities: Readonly<Record<string, UserInfoBlockedCapability>>;
  readonly integrator: string;
  readonly tags: readonly UserInfoTag[];
  readonly created: string;
}

export interface UpdateUserInfoAnswer {
  readonly account_id: string;
  readonly username?: string | undefined;
  readonly email?: AccountEmail | null | undefined;
  readonly is_blocked?: boolean | undefined;
  readonly blocked_capabilities?:
    | Readonly<Record<string, UserInfoBlockedCapability>>
    | undefined;
  readonly integrator?: string | undefined;
  readonly tags?: readonly UserInfoTag[] | undefined;
  readonly created?: string | undefined;
}

export interface UpdateUserInfoBody {
  readonly email?: RegisterAccountInputEmail | undefined;
  readonly full_name?: string | undefined;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly street_address_1?: string | undefined;
  readonly street_address_2?: string | undefined;
  readonly street_address_3?: string | undefined;
  readonly city?: string | undefined;
  readonly state_province?: string | undefined;
  readonly country_iso?: string | undefined;
  readonly zip_postal_code?: string | undefined;
  /** At most 16384 bytes of JSON. */
  readonly external_platforms?: Readonly<Record<string, unknown>> | undefined;
}

export interface AccountBlocks {
  readonly account_id: string;
  readonly blocks: Readonly<Record<string, UserInfoBlockedCapability>>;
}

export interface BlockAccountInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  /** `login` blocks the whole account. */
  readonly block_capability: 'login';
  /** For example `account_close`. */
  readonly block_reason: string;
  readonly note?: string | undefined;
}

export interface UnblockAccountInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  /** `login` blocks the whole account. */
  readonly block_capability: 'login';
  readonly note?: string | undefined;
}

export interface BeginEmailVerificationAnswer {
  readonly nonce: string;
}

export interface BeginEmailVerificationInput {
  readonly email: string;
}

export interface FinishEmailVerificationAnswer {
  readonly account_id: string;
  readonly email: string;
  readonly is_verified: true;
}

export interface FinishEmailVerificationInput {
  readonly code: string;
  readonly nonce: string;
}

export interface MergeAccountsAnswer {
  readonly source_account_id: string;
  readonly destination_account_id: string;
  /** Amounts that this request moved, in minor units, by currency. */
  readonly balances: readonly MergedBalance[];
}

export interface MergeAccountsInput {
  /** `acct_` and 26 characters of base32. */
  readonly source_account_id: string;
  /** `acct_` and 26 characters of base32. */
  readonly destination_account_id: string;
}

export interface Terms {
  readonly version: number;
  readonly tos_created: string;
  /** Plain text; empty lines separate paragraphs. */
  readonly tos_content: string;
}

export interface OwnTermsSignature {
  readonly signed_tos: boolean;
}

export interface SignTermsBody {
  /** The version that was shown; by default the current one. */
  readonly version?: number | undefined;
}

export interface TermsSignature {
  readonly signed_tos: boolean;
  readonly status: 'Success';
  readonly message: readonly string[];
  readonly codes: readonly string[];
  readonly payload: OwnTermsSignature;
}

export interface ListOwnConsentsAnswer {
  readonly account_id: string;
  readonly consents: readonly Consent[];
}

export interface KYCStatus {
  readonly account_id: string;
  readonly kyc_id: string;
  readonly kyc_requirements: 'NONE' | 'FULL_KYC' | 'TAX_UPDATE';
  readonly pii_level: 'NONE' | 'BASIC' | 'FULL';
  readonly state:
    | 'NODATA'
    | 'NONE'
    | 'PROCESSING'
    | 'MANUAL_REVIEW'
    | 'ACCEPT'
    | 'DENY'
    | 'CANCEL'
    | 'SYSTEM-CANCELLED'
    | 'REVERIFY';
  readonly match_checks: readonly KYCMatchCheck[];
}

export interface SetAccountKYCStateBody {
  readonly state: 'ACCEPT' | 'MANUAL_REVIEW' | 'DENY' | 'CANCEL' | 'NODATA';
  readonly pii_level?: 'BASIC' | 'FULL' | 'DEFAULT' | undefined;
  readonly kyc_requirements?: 'NONE' | 'FULL_KYC' | 'TAX_UPDATE' | '' | undefined;
  readonly document_expires?: string | undefined;
}

export interface SubmitKYCAnswer {
  readonly account_id: string;
  readonly kyc_id: string;
  readonly document_front_id?: string | undefined;
  readonly document_back_id?: string | undefined;
  readonly state:
    | 'NODATA'
    | 'NONE'
    | 'PROCESSING'
    | 'MANUAL_REVIEW'
    | 'ACCEPT'
    | 'DENY'
    | 'CANCEL'
    | 'SYSTEM-CANCELLED'
    | 'REVERIFY';
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
  readonly data_source?: string | undefined;
  readonly form_id?: string | undefined;
  readonly vendor_reference_id?: string | undefined;
  readonly initiator?: 'user' | 'compliance' | undefined;
  readonly integrator: string;
  readonly reasons: readonly KYCApplicationReason[];
  readonly pii_collection_uri?: string | undefined;
}

export interface SubmitKYCInput {
  readonly form?: 'full' | 'tax' | undefined;
  readonly kyc_pii: IdentityData;
  readonly extra_files?: readonly (string | SubmitKYCInputExtraFile)[] | undefined;
}

export interface KYCApplication {
  readonly account_id: string;
  readonly kyc_id: string;
  readonly document_front_id?: string | undefined;
  readonly document_back_id?: string | undefined;
  readonly state:
    | 'NODATA'
    | 'NONE'
    | 'PROCESSING'
    | 'MANUAL_REVIEW'
    | 'ACCEPT'
    | 'DENY'
    | 'CANCEL'
    | 'SYSTEM-CANCELLED'
    | 'REVERIFY';
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
  readonly data_source?: string | undefined;
  readonly form_id?: string | undefined;
  readonly vendor_reference_id?: string | undefined;
  readonly initiator?: 'user' | 'compliance' | undefined;
  readonly integrator: string;
  readonly reasons: readonly KYCApplicationReason[];
  readonly rules_bitch: readonly string[];
  readonly match_checks: readonly KYCMatchCheck[];
}

export interface RecheckKYCBody {
  readonly note?: string | undefined;
}

export interface KYCForm {
  readonly state:
    | 'NODATA'
    | 'NONE'
    | 'PROCESSING'
    | 'MANUAL_REVIEW'
    | 'ACCEPT'
    | 'DENY'
    | 'CANCEL'
    | 'SYSTEM-CANCELLED'
    | 'REVERIFY';
  readonly kyc_id: string;
  readonly country_default: string;
  readonly forms: readonly ('full' | 'tax')[];
  readonly needs:
    | readonly ('name'
    | 'birth'
    | 'address'
    | 'phone'
    | 'tax'
    | 'document_front'
    | 'document_back'
    | 'extra_files')[];
  readonly failed:
    | readonly ('name'
    | 'birth'
    | 'address'
    | 'phone'
    | 'tax'
    | 'document_front'
    | 'document_back'
    | 'extra_files')[];
  readonly reasons: readonly string[];
  readonly reason_codes: readonly string[];
  readonly at_vendor?: true | undefined;
}

export interface IdentityVendorPage {
  readonly url: string;
}

export interface KYCCountry {
  readonly code: string;
  readonly name: string;
  readonly calling_code: string;
  readonly documents: readonly ('PP' | 'DL' | 'ID')[];
  readonly regions: readonly string[];
  readonly address: readonly ('city' | 'region' | 'postal_code')[];
  readonly needs_ssn: boolean;
  readonly needs_document: boolean;
}

export interface OnboardEntityAnswer {
  readonly entity_id: string;
  readonly vendor_response: Readonly<Record<string, unknown>>;
}

export interface OnboardEntityBody {
  readonly entity_name: string;
  readonly user_email?: string | undefined;
  readonly entity_type?:
    | 'sole_proprietorship'
    | 'single_member_llc'
    | 'multi_member_llc'
    | 'partnership'
    | 'corporation'
    | 'public_corporation'
    | 'nonprofit'
    | 'trust'
    | 'government'
    | ''
    | undefined;
  readonly tax_id?: string | undefined;
  readonly naics_numbers?: string | undefined;
  readonly duns_numbers?: string | undefined;
  /** Where it is registered. */
  readonly country?: string | undefined;
  /** Such as GmbH, SARL or Ltd. */
  readonly legal_form?: string | undefined;
  readonly registration_number?: string | undefined;
  /** Who keeps the register, such as a court. */
  readonly register?: string | undefined;
  readonly vat_number?: string | undefined;
  readonly street?: string | undefined;
  readonly street2?: string | undefined;
  readonly city?: string | undefined;
  readonly region?: string | undefined;
  readonly postal_code?: string | undefined;
  readonly jurisdiction?: string | undefined;
  readonly custom_application_id?: string | undefined;
  readonly agents?: readonly OnboardEntityBodyAgent[] | undefined;
  readonly documents?: readonly (string | OnboardEntityBodyAgentDocument)[] | undefined;
}

export interface KYBEntity {
  readonly entity_id: string;
  readonly entity_name: string;
  readonly naics_numbers: string;
  readonly duns_numbers: string;
  readonly account_id: string;
  readonly entity_type:
    | 'sole_proprietorship'
    | 'single_member_llc'
    | 'multi_member_llc'
    | 'partnership'
    | 'corporation'
    | 'public_corporation'
    | 'nonprofit'
    | 'trust'
    | 'government'
    | '';
  readonly country: string;
  readonly legal_form: string;
  readonly registration_number: string;
  readonly register: string;
  readonly vat_number: string;
  readonly street: string;
  readonly street2: string;
  readonly city: string;
  readonly region: string;
  readonly postal_code: string;
  readonly registration_document:
    | 'accepted'
    | 'received'
    | 'unreadable'
    | 'refused'
    | 'missing';
  readonly status: 'INCOMPLETE' | 'PROCESSING' | 'ACCEPT' | 'DENY' | 'CANCEL' | 'INACTIVE';
  readonly created: string;
  readonly updated: string;
  readonly agents: readonly KYBAgent[];
  readonly documents: readonly KYBAgentDocument[];
}

export interface LinkEntityAgentAnswer {
  readonly redirect: string;
}

export interface SandboxSetEntityAnswer {
  readonly entity_id: string;
  readonly status: 'INCOMPLETE' | 'PROCESSING' | 'ACCEPT' | 'DENY' | 'CANCEL' | 'INACTIVE';
}

export interface SandboxSetEntityBody {
  readonly status: 'INCOMPLETE' | 'PROCESSING' | 'ACCEPT' | 'DENY' | 'CANCEL' | 'INACTIVE';
}

export interface EntityForm {
  readonly entity: KYBEntity | null;
  readonly open: boolean;
  readonly country: string;
  readonly entity_types:
    | readonly ('sole_proprietorship'
    | 'single_member_llc'
    | 'multi_member_llc'
    | 'partnership'
    | 'corporation'
    | 'public_corporation'
    | 'nonprofit'
    | 'trust'
    | 'government')[];
  readonly tax_id_given: boolean;
  readonly user_email: string;
  readonly needs:
    | readonly ('entity_type'
    | 'tax_id'
    | 'legal_form'
    | 'registration_number'
    | 'register'
    | 'address'
    | 'control_prong'
    | 'ownership'
    | 'documents')[];
  readonly reasons: readonly EntityFormReason[];
}

export interface SaveEntityFormInput {
  readonly entity_name: string;
  readonly user_email?: string | undefined;
  readonly entity_type?:
    | 'sole_proprietorship'
    | 'single_member_llc'
    | 'multi_member_llc'
    | 'partnership'
    | 'corporation'
    | 'public_corporation'
    | 'nonprofit'
    | 'trust'
    | 'government'
    | ''
    | undefined;
  readonly tax_id?: string | undefined;
  readonly naics_numbers?: string | undefined;
  readonly duns_numbers?: string | undefined;
  /** Where it is registered. */
  readonly country?: string | undefined;
  /** Such as GmbH, SARL or Ltd. */
  readonly legal_form?: string | undefined;
  readonly registration_number?: string | undefined;
  /** Who keeps the register, such as a court. */
  readonly register?: string | undefined;
  readonly vat_number?: string | undefined;
  readonly street?: string | undefined;
  readonly street2?: string | undefined;
  readonly city?: string | undefined;
  readonly region?: string | undefined;
  readonly postal_code?: string | undefined;
  readonly agents?: readonly SaveEntityFormInputAgent[] | undefined;
}

export interface AddEntityDocumentAnswer {
  readonly entity_document_id: string;
}

export interface AddEntityDocumentInput {
  readonly pii_document_name?: string | undefined;
  /** A file of at most 10485760 bytes, as base64 or a data URI of base64. */
  readonly file: string;
  readonly mime_type?: string | undefined;
  /** `agt_` and 26 characters of base32. */
  readonly entity_agent_id?: string | undefined;
}

export interface Deposit {
  readonly deposit_id: string;
  readonly account_id: string;
  readonly state: 'requested' | 'success' | 'failed';
  readonly deposit_payment_method_id: string;
  readonly deposit_provider: 'card' | 'bank' | 'sandbox';
  readonly destination_wallet_id: string;
  readonly request_amount: number;
  readonly request_currency: string;
  readonly received_amount: number;
  readonly received_currency: string;
  readonly fee_amount: number;
  readonly fee_currency: string;
  readonly failure_code: string;
  readonly created: string;
  readonly updated: string;
  readonly authentication_url?: string | undefined;
  /** False: that page refuses to be framed; open it in a window of its own. */
  readonly authentication_framed?: false | undefined;
}

export interface CreateDepositInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  readonly payment_method_id: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units. */
  readonly amount: number;
}

export interface PaymentMethod {
  readonly id: string;
  readonly account_id: string;
  readonly method_class: string;
  readonly display_string: string;
  readonly provider: 'wallet' | 'card' | 'ach' | 'paypal' | 'bank' | 'payee' | 'once';
  readonly psp_reference: string;
  readonly psp_hash_code: string;
  readonly processing_currency: string;
  readonly pm_state: 'ACTIVE' | 'INACTIVE' | 'UNVERIFIED';
  readonly integrator: string;
  readonly created: string;
  readonly updated: string;
  readonly wallet_balance: string;
  readonly payment_method_id: string;
  readonly provider_data: PaymentMethodProviderData | Readonly<Record<string, unknown>>;
  /** The last month in which a card is valid, `YYYY-MM`; absent: not known. */
  readonly expires?: string | undefined;
  /** Its owner made it the default; absent: no. */
  readonly is_default?: true | undefined;
  /** Entered for one checkout, not kept: it pays that sale only; absent: kept. */
  readonly kept?: false | undefined;
}

export interface PaymentMethodEntry {
  readonly entry_id: string;
  readonly kind: 'card' | 'bank' | 'paypal';
  readonly url: string;
  readonly origin: string;
  readonly expires: string;
  /** False: the page refuses to be framed; open it in a window of its own. */
  readonly framed?: false | undefined;
}

export interface CreatePaymentMethodEntryInput {
  readonly kind: 'card' | 'bank' | 'paypal';
  /** For a login (`paypal`) only: the URL to return to; `entry_id` is added. */
  readonly return_url?: string | undefined;
  /** The page that frames the entry; by default the widget. */
  readonly page?: 'widget' | 'hosted' | undefined;
  readonly dir?: 'ltr' | 'rtl' | undefined;
  /** Background color of the surrounding page; by default the tenant's. */
  readonly background_color?: string | undefined;
  readonly primary_color?: string | undefined;
}

export interface CreatePaymentMethodInput {
  readonly entry_id: string;
  /**
   * False, in a checkout only: the card pays this sale, is listed in it alone, and is not
   * kept; by default it is.
   */
  readonly keep?: boolean | undefined;
}

export interface RenamePaymentMethodBody {
  readonly display_string?: string | undefined;
  readonly is_default?: true | undefined;
}

export interface CreateBankAccountInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  readonly iban: string;
  readonly bic?: string | undefined;
  /** The name on the bank account. */
  readonly holder_name: string;
}

export interface CreateOneTimePaymentMethodInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  readonly kind: 'card' | 'ideal' | 'bancontact';
}

export interface Balances {
  readonly account_id: string;
  readonly balances: Readonly<Record<string, Balance>>;
}

export interface Wallet {
  readonly wallet_id: string;
  readonly account_id: string;
  readonly description: string;
  readonly currency: string;
  readonly current_balance: number;
  readonly active: boolean;
  readonly tags: readonly unknown[];
}

export interface ListSellerDebtsAnswer {
  readonly total: number;
  readonly debts: readonly SellerDebt[];
}

export interface Invoice {
  readonly invoice_id: string;
  readonly account_id: string;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly state: 'open' | 'processing' | 'success' | 'failed';
  readonly description: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly summary: InvoiceSummary;
  readonly created: string;
  readonly updated: string;
  readonly payment_methods: Readonly<Record<string, InvoicePaymentMethod>>;
  readonly line_items: Readonly<Record<string, LineItem>>;
  readonly subitems: Readonly<Record<string, Subitem>>;
  readonly failure_code?: string | undefined;
  readonly failure_reason?: string | undefined;
  readonly authentication_url?: string | undefined;
  /** False: that page refuses to be framed; open it in a window of its own. */
  readonly authentication_framed?: false | undefined;
}

export type CreateInvoiceInput =
  | Sale
  | AuthorizedSale;

export interface GivenUpPayment {
  readonly invoice_id: string;
  readonly state: 'processing';
}

export interface Escrow {
  readonly id: string;
  readonly account_id: string;
  readonly escrow_invoice_id: string;
  readonly commit_invoice_id: string;
  readonly cancel_invoice_id: string;
  readonly status: 'OPEN' | 'ESCROWED' | 'ESCROW-FAILED' | 'COMMITTED' | 'CANCELLED';
  readonly integrator?: string | undefined;
  readonly created: string;
  readonly updated: string;
  readonly released_amount?: number | undefined;
  readonly returned_amount?: number | undefined;
  /** What disputes took is not held. */
  readonly held_amount?: number | undefined;
  readonly movements?: readonly EscrowMovement[] | undefined;
  readonly milestones?: readonly Milestone[] | undefined;
  readonly deliveries?: readonly Delivery[] | undefined;
  readonly default_outcome?: 'cancel' | 'commit' | undefined;
  readonly release_at?: string | undefined;
  readonly return_at?: string | undefined;
  readonly holding_ends?: string | undefined;
}

export type CreateEscrowInput =
  | EscrowSale
  | AuthorizedEscrowSale;

export type ReleaseEscrowBody =
  | PartOfEscrow
  | MilestoneOfEscrow;

export interface PartOfEscrow {
  readonly line_items: readonly PartOfEscrowLineItem[];
}

export interface Schedule {
  readonly release_at?: string | undefined;
  readonly return_at?: string | undefined;
  readonly milestones?: readonly ScheduleMilestone[] | undefined;
}

export interface DeliveryReport {
  readonly milestone?: string | undefined;
}

export interface AuthorizeInvoiceAnswer {
  readonly nonce_auth_id?: string | undefined;
  readonly authorized_invoice_id: string;
  readonly redirect: string;
}

export interface AuthorizeInvoiceInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  readonly reference_type?: string | undefined;
  readonly reference_id?: string | undefined;
  readonly description?: string | undefined;
  /** At most 16384 bytes of JSON. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly line_items: readonly SaleLineItem[];
  readonly is_escrow?: boolean | undefined;
  readonly invoice_mechanism: string;
}

export interface AuthorizedInvoice {
  readonly authorized_invoice_id: string;
  readonly account_id: string;
  readonly is_escrow: boolean;
  readonly is_virtual: false;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly line_items: readonly AuthorizedInvoiceLineItem[];
  readonly subtotal?: PartOfTotal | undefined;
  readonly tax?: PartOfTotal | undefined;
  readonly line_items_total: number;
  readonly line_items_currency: string;
  readonly display_amount: string;
  readonly state: 'open' | 'processing' | 'paid';
  readonly invoice_id: string;
  readonly escrow_id: string;
  /** How it can be paid once on the processor's page; absent: not at all. */
  readonly pay_once?: readonly ('card' | 'ideal' | 'bancontact')[] | undefined;
  /** To its buyer's page, once it is paid: the page of the receipt. */
  readonly receipt_url?: string | undefined;
}

export interface Refund {
  readonly refund_id: string;
  readonly invoice_id: string;
  readonly refund_invoice_id: string;
  readonly line_item_id: string;
  readonly status:
    | 'REFUND-WAITING-FUNDS'
    | 'REFUND-PENDING'
    | 'REFUND-SUCCESS'
    | 'REFUND-FAILED'
    | 'REFUND-REJECTED';
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly tax?: Amount | undefined;
  readonly reason: 'billing' | 'fraud' | 'product_related' | 'other';
  readonly sub_reason: string;
  readonly payment_methods: Readonly<Record<string, number>>;
  readonly failure_code: string;
  readonly created: string;
  readonly updated: string;
}

export interface RefundInvoiceInput {
  readonly invoice_id: string;
  readonly reason: 'billing' | 'fraud' | 'product_related' | 'other';
  readonly sub_reason?: string | undefined;
  readonly note?: string | undefined;
}

export interface RefundLineItemInput {
  readonly line_item_id: string;
  /** Minor units. */
  readonly amount: number;
  readonly payment_methods?: readonly string[] | undefined;
  readonly reason: 'billing' | 'fraud' | 'product_related' | 'other';
  readonly sub_reason?: string | undefined;
  readonly note?: string | undefined;
}

export interface ListInvoiceRefundsAnswer {
  readonly invoice_id: string;
  readonly is_fully_refunded: boolean;
  readonly refund_invoice_ids: readonly string[];
  readonly payments: Readonly<Record<string, Amount>>;
  readonly refunds: Readonly<Record<string, Refund>>;
  readonly line_item_refunds: Readonly<Record<string, Amount>>;
  readonly reversals: Readonly<Record<string, Reversal>>;
}

export interface Disagreement {
  readonly disagreement_id: string;
  readonly escrow_id: string;
  readonly escrow_invoice_id: string;
  readonly account_id: string;
  readonly status: 'open' | 'resolved' | 'closed';
  readonly opened_by: 'buyer' | 'seller' | 'tenant';
  readonly reason:
    | 'not_received'
    | 'not_as_described'
    | 'unfinished'
    | 'damaged'
    | 'late'
    | 'other';
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
  /** What happens at `due_by`: all to one side, or `none`: a person decides. */
  readonly default_outcome: 'buyer' | 'sellers' | 'none';
  readonly due_by: string;
  readonly statements: readonly StatementOfDisagreement[];
  readonly proposal?: ProposedSplit | undefined;
  readonly settlement?: SettledSplit | undefined;
  readonly created: string;
  readonly updated: string;
}

export interface DisagreementWish {
  /** A session opens as the side that it is on. */
  readonly opened_by: 'buyer' | 'seller' | 'tenant';
  readonly reason:
    | 'not_received'
    | 'not_as_described'
    | 'unfinished'
    | 'damaged'
    | 'late'
    | 'other';
}

export interface StatementWish {
  /** Whose word it is: the buyer or a seller. A session speaks for itself. */
  readonly account_id?: string | undefined;
  readonly text?: string | undefined;
  /** A data URI of a JPEG, PNG or PDF. Its metadata is removed. */
  readonly file?: string | undefined;
}

export interface Statement {
  readonly statement_id: string;
  readonly side: 'buyer' | 'seller';
  readonly account_id: string;
  readonly file_name: string;
  readonly created: string;
  readonly text: string;
  readonly file: string;
}

export type ProposeSplitBody =
  | ProposalOfSplit
  | ProposalByLine;

export interface ProposalReply {
  /** Whose word it is: the buyer or a seller. A session speaks for itself. */
  readonly account_id?: string | undefined;
  readonly proposal_id: string;
  readonly answer: 'accept' | 'decline';
}

export type ResolveDisagreementBody =
  | SplitOfEscrow
  | SplitByLine;

export interface ListDisputesAnswer {
  readonly total: number;
  readonly disputes: readonly Dispute[];
}

export interface Dispute {
  readonly dispute_id: string;
  readonly account_id: string;
  readonly invoice_id: string;
  readonly escrow_id: string;
  readonly deposit_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly reason: string;
  readonly status:
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost'
    | 'withdrawn'
    | 'returned';
  readonly due_by: string;
  readonly evidence: readonly DisputeEvidence[];
  readonly provider_reference: string;
  readonly created: string;
  readonly updated: string;
}

export interface AddDisputeEvidenceBody {
  readonly kind:
    | 'product_description'
    | 'customer_communication'
    | 'receipt'
    | 'refund_policy'
    | 'service_documentation'
    | 'shipping_documentation'
    | 'shipping_tracking'
    | 'other';
  readonly text?: string | undefined;
  /** A data URI of a JPEG, PNG or PDF. Its metadata is removed. */
  readonly file?: string | undefined;
}

export interface ListSellerReservesAnswer {
  readonly total: number;
  readonly reserves: readonly SellerReserve[];
}

export interface Payout {
  readonly payout_status_id: string;
  readonly credit_id: string;
  readonly account_id: string;
  readonly status:
    | 'ESCROW-TRANSFER-INITIATED'
    | 'FUNDS-IN-ESCROW'
    | 'CREDIT-TRANSFER-INITIATED'
    | 'FUNDS-IN-ESCROW-ON-HOLD'
    | 'FAILED'
    | 'SUCCESS'
    | 'SUPPORT-REJECT-TRANSFER-INITIATED'
    | 'SUPPORT-REJECTED'
    | 'SYSTEM-REJECTED';
  readonly payout_flow: 'STANDARD';
  readonly source_payment_method_id: string;
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly display_fee_amount: string;
  readonly display_net_amount: string;
  readonly credit: PayoutCredit;
  readonly failure_code: string;
  readonly failure_reason: string;
  readonly created: string;
  readonly updated: string;
}

export interface CreatePayoutBody {
  readonly source_payment_method_id: string;
  readonly destination_payment_method_id: string;
  /** Minor units. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
}

export interface PayoutStatement {
  readonly payout_status_id: string;
  readonly account_id: string;
  readonly currency: string;
  /** Left in the wallet by the payout before. */
  readonly opening_balance: number;
  readonly entries: readonly PayoutStatementEntry[];
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  /** What stays: the opening balance and all entries, less the amount. */
  readonly closing_balance: number;
}

export interface QuotePayoutAnswer {
  readonly destination_payment_method_id: string;
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly display_fee_amount: string;
  readonly display_net_amount: string;
}

export interface PayoutWays {
  /** Of the business or the person, ISO 3166-1 alpha-2; empty: not known. */
  readonly country: string;
  readonly currency: string;
  /**
   * `iban`: a bank account by IBAN. On a page of the card processor: `bank`, a US account;
   * `paypal`, a login; `payee`, an account of the seller there. Empty: no way is configured.
   */
  readonly ways: readonly ('iban' | 'bank' | 'paypal' | 'payee')[];
}

export interface ListTransactionsAnswer {
  readonly total: number;
  readonly account_id: string;
  readonly transactions: readonly Transaction[];
}

export type Transaction =
  | TransactionUserPurchase
  | TransactionUserPurchaseRecipient
  | TransactionPayout
  | TransactionRefund;

export interface TransactionReceipt {
  readonly receipt_data: TransactionReceiptReceiptData;
}

export interface EscrowOfParty {
  readonly escrow_id: string;
  readonly account_id: string;
  readonly role: 'buyer' | 'seller';
  readonly status: 'OPEN' | 'ESCROWED' | 'ESCROW-FAILED' | 'COMMITTED' | 'CANCELLED';
  readonly frozen: boolean;
  readonly description: string;
  readonly created: string;
  readonly currency: string;
  readonly total: number;
  readonly total_display: string;
  readonly released: number;
  readonly released_display: string;
  readonly returned: number;
  readonly returned_display: string;
  readonly kept: number;
  readonly kept_display: string;
  readonly held: number;
  readonly held_display: string;
  readonly line_items: readonly SeenLine[];
  readonly milestones: readonly SeenMilestone[];
  readonly movements: readonly SeenMovement[];
  readonly next?: NextOfEscrow | undefined;
  readonly delivered?: string | undefined;
  /** That of buyer and seller; `GET /v2/escrow/{escrow_id}/dispute` shows it. */
  readonly disagreement?: 'open' | 'resolved' | 'closed' | undefined;
}

export interface Reconciliation {
  readonly counts: ReconciliationCount;
  readonly items: readonly ReconciliationItem[];
}

export interface ResolveReconciliationAnswer {
  readonly id: string;
  readonly kind: 'parked_charge' | 'parked_remittance' | 'difference';
  readonly state: string;
}

export interface ResolveReconciliationBody {
  readonly decision: 'give_back' | 'accept' | 'retry' | 'explained';
  readonly note?: string | undefined;
}

export interface DepositInstructions {
  readonly wallet_id: string;
  readonly currency: string;
  readonly account_holder: string;
  readonly bank_name: string;
  /** Empty where the bank has no IBANs. */
  readonly iban: string;
  /** Empty where there is an IBAN. */
  readonly account_number: string;
  /** BIC or routing number. */
  readonly bic: string;
  /** ISO 11649, without blanks. */
  readonly reference: string;
  /** The reference in groups of four. */
  readonly reference_display: string;
}

export interface ListBankTransfersAnswer {
  readonly total: number;
  readonly bank_transfers: readonly BankTransfer[];
}

export interface PayoutSchedule {
  readonly account_id: string;
  readonly currency: string;
  readonly interval: 'manual' | 'daily' | 'weekly';
  readonly weekday:
    | ''
    | 'monday'
    | 'tuesday'
    | 'wednesday'
    | 'thursday'
    | 'friday'
    | 'saturday'
    | 'sunday';
  readonly minimum_amount: number;
  readonly inherited: boolean;
  readonly destination_payment_method_id: string;
  readonly next_payout: string;
  /** `requested`, `too_little`, the code of a refusal, or empty. */
  readonly last_outcome: string;
}

export interface SetPayoutScheduleDefaultInput {
  /** ISO 4217 code. */
  readonly currency: string;
  readonly interval: 'manual' | 'daily' | 'weekly';
  /** Required for `weekly`. */
  readonly weekday?:
    | 'monday'
    | 'tuesday'
    | 'wednesday'
    | 'thursday'
    | 'friday'
    | 'saturday'
    | 'sunday'
    | undefined;
  /** Pays out from this amount on. */
  readonly minimum_amount?: number | undefined;
}

export interface SetPayoutScheduleBody {
  /** ISO 4217 code. */
  readonly currency: string;
  readonly destination_payment_method_id: string;
  /** By default the tenant's. */
  readonly interval?: 'manual' | 'daily' | 'weekly' | undefined;
  /** Required for `weekly`. */
  readonly weekday?:
    | 'monday'
    | 'tuesday'
    | 'wednesday'
    | 'thursday'
    | 'friday'
    | 'saturday'
    | 'sunday'
    | undefined;
  /** Pays out from this amount on. */
  readonly minimum_amount?: number | undefined;
}

export interface PayeeLink {
  readonly account_id: string;
  readonly payment_method_id: string;
  /** `ready`: it takes payouts. `restricted`: the processor requires more. */
  readonly status: 'opening' | 'restricted' | 'ready' | 'closed';
  /** What the processor requires of the seller now, in the processor's words. */
  readonly requirements: readonly string[];
  readonly created: string;
  readonly updated: string;
  readonly url: string;
  readonly expires: string;
}

export interface CreatePayeeLinkInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  /** Of the seller, ISO 3166-1 alpha-2; counts when the account is opened. */
  readonly country?: string | undefined;
  /** Where the page sends the seller when they are done or give up. */
  readonly return_url?: string | undefined;
  /** Where it sends them once the link is not valid: ask for a new one there. */
  readonly refresh_url?: string | undefined;
}

export interface Payee {
  readonly account_id: string;
  readonly payment_method_id: string;
  /** `ready`: it takes payouts. `restricted`: the processor requires more. */
  readonly status: 'opening' | 'restricted' | 'ready' | 'closed';
  /** What the processor requires of the seller now, in the processor's words. */
  readonly requirements: readonly string[];
  readonly created: string;
  readonly updated: string;
}

export interface Coverage {
  readonly integrator: string;
  readonly as_of: string;
  readonly currencies: readonly CoverageCurrency[];
}

export interface TrialBalance {
  readonly as_of: string;
  readonly currencies: readonly TrialBalanceCurrency[];
}

export interface BalancesAtMoment {
  readonly account_id: string;
  readonly as_of: string;
  readonly balances: readonly BalancesAtMomentBalance[];
}

export interface MonthlyStatement {
  /** '' for the tenant's own statement. */
  readonly account_id: string;
  readonly from: string;
  readonly to: string;
  readonly accounts: readonly MonthlyStatementAccount[];
}

export interface SellerTotalsPage {
  readonly year: number;
  readonly sellers: readonly SellerTotalsPageSeller[];
  /** `after` of the next page; '' after the last one. */
  readonly next: string;
}

export interface CreateWebhookEndpointAnswer {
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_names: readonly string[];
  readonly description: string;
  readonly signing: 'v1' | 'v1a';
  readonly public_key: string;
  readonly state: 'enabled' | 'disabled';
  readonly disabled_reason: string;
  readonly rotating_until: string | null;
  readonly created: string;
  readonly updated: string;
  readonly secret: string;
}

export interface CreateWebhookEndpointInput {
  readonly url: string;
  readonly event_names?:
    | readonly ('kyc-webhook'
    | 'kyb-webhook'
    | 'escrow-transaction-update'
    | 'invoice-completed'
    | 'refund-completed'
    | 'payout-completed'
    | 'deposit-completed'
    | 'dispute-created'
    | 'dispute-updated'
    | 'dispute-closed'
    | 'dispute-response-due'
    | 'disagreement-opened'
    | 'disagreement-stated'
    | 'disagreement-proposed'
    | 'disagreement-due'
    | 'disagreement-ended'
    | 'payment-method-updated'
    | 'register-account-completed'
    | 'account-block-unblock-webhook'
    | 'wallet-balance-alert'
    | 'escrow-part-moved'
    | 'escrow-schedule-changed'
    | 'escrow-date-near'
    | 'escrow-delivered'
    | 'escrow-expiring'
    | 'identity-document-expiring')[]
    | undefined;
  readonly description?: string | undefined;
  readonly signing?: 'v1' | 'v1a' | undefined;
}

export interface ListWebhookEndpointsAnswer {
  readonly webhook_endpoints: readonly WebhookEndpoint[];
}

export interface WebhookEndpoint {
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_names: readonly string[];
  readonly description: string;
  readonly signing: 'v1' | 'v1a';
  readonly public_key: string;
  readonly state: 'enabled' | 'disabled';
  readonly disabled_reason: string;
  readonly rotating_until: string | null;
  readonly created: string;
  readonly updated: string;
}

export interface ChangeWebhookEndpointBody {
  readonly url?: string | undefined;
  readonly event_names?:
    | readonly ('kyc-webhook'
    | 'kyb-webhook'
    | 'escrow-transaction-update'
    | 'invoice-completed'
    | 'refund-completed'
    | 'payout-completed'
    | 'deposit-completed'
    | 'dispute-created'
    | 'dispute-updated'
    | 'dispute-closed'
    | 'dispute-response-due'
    | 'disagreement-opened'
    | 'disagreement-stated'
    | 'disagreement-proposed'
    | 'disagreement-due'
    | 'disagreement-ended'
    | 'payment-method-updated'
    | 'register-account-completed'
    | 'account-block-unblock-webhook'
    | 'wallet-balance-alert'
    | 'escrow-part-moved'
    | 'escrow-schedule-changed'
    | 'escrow-date-near'
    | 'escrow-delivered'
    | 'escrow-expiring'
    | 'identity-document-expiring')[]
    | undefined;
  readonly description?: string | undefined;
  readonly state?: 'enabled' | 'disabled' | undefined;
}

export interface RotateWebhookSecretBody {
  readonly overlap_seconds?: number | undefined;
}

export interface ListWebhookDeliveriesAnswer {
  readonly deliveries: readonly WebhookDelivery[];
  readonly next_before: number | null;
}

export interface ReplayWebhookDeliveriesAnswer {
  readonly queued: number;
}

export interface ReplayWebhookDeliveriesBody {
  readonly sequence?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly failed?: true | undefined;
}

export interface ListEventsAnswer {
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly next_after: number;
  readonly epoch: string;
}

export interface Event {
  readonly event: Readonly<Record<string, unknown>>;
  readonly deliveries: readonly EventDelivery[];
}

export interface Lifecycle {
  readonly name: string;
  readonly noun: string;
  readonly states: readonly string[];
  readonly moves: readonly LifecycleMove[];
}

export interface ErrorCatalogue {
  readonly errors: readonly ErrorCode[];
  readonly failures: readonly FailureCode[];
}

export interface Settings {
  readonly name: string;
  readonly registered_origins: readonly string[];
  readonly return_addresses: readonly string[];
  readonly oauth_return_addresses: readonly string[];
  readonly wallet_alerts: readonly SettingsWalletAlert[];
  readonly contact: string;
  readonly language: string;
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly look: SettingsLook;
}

export interface ChangeSettingsInput {
  readonly name?: string | undefined;
  readonly registered_origins?: readonly string[] | undefined;
  readonly return_addresses?: readonly string[] | undefined;
  readonly oauth_return_addresses?: readonly string[] | undefined;
  /**
   * `wallet-balance-alert` is sent when a debit takes the tenant's own wallet of a currency
   * below `warning` or `critical` minor units; with 0 or without an entry none is sent.
   */
  readonly wallet_alerts?: readonly ChangeSettingsInputWalletAlert[] | undefined;
  /** How people reach you, on receipts: an e-mail address or an https page; "": none. */
  readonly contact?: string | undefined;
  /**
   * In which people are spoken to where neither they nor the link say one, by BCP 47; "", the
   * default: that of their browser.
   */
  readonly language?: string | undefined;
  /**
   * What people read in your words, by language and key, in ICU MessageFormat; a language that
   * we do not speak is added. It replaces all that was there.
   */
  readonly texts?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  readonly look?: ChangeSettingsInputLook | undefined;
}

export interface DisputeSettings {
  readonly bearer: 'integrator' | 'seller';
  readonly fee_bearer: 'integrator' | 'seller';
  readonly reserve_percent: number;
  readonly reserve_days: number;
}

export interface ChangeDisputeSettingsInput {
  /**
   * `integrator`, the default; or `seller`: what no reserve covers of a lost dispute becomes a
   * debt of the sellers whom the sale paid, which their next sales repay.
   */
  readonly bearer: 'integrator' | 'seller';
  /**
   * Who bears what the processor keeps for a lost dispute: `integrator`, the default, or
   * `seller`, as a part of the loss.
   */
  readonly fee_bearer?: 'integrator' | 'seller' | undefined;
  /**
   * The share of what new sales pay each seller that is restricted for `reserve_days`, and
   * covers their lost disputes; 0, the default: none. Set both or neither.
   */
  readonly reserve_percent?: number | undefined;
  readonly reserve_days?: number | undefined;
}

export interface PayeeSettings {
  /**
   * True, the default: a seller whom the card processor has verified for payouts is accepted
   * and not verified again. False: they are verified here, too.
   */
  readonly processor_verifies: boolean;
}

export interface CoverageSettings {
  /**
   * True: anybody may read `GET /v1/coverage/{integrator}`, without a token. False, the
   * default: only the tenant reads its coverage.
   */
  readonly published: boolean;
}

export interface DisagreementSettings {
  /** How long a disagreement may stay open. */
  readonly days: number;
  /** What happens then: all to one side, or `none`, the default: a person decides. */
  readonly outcome: 'buyer' | 'sellers' | 'none';
}

export interface MailSettings {
  /** In production it can be true where the installation has a mail server. */
  readonly enabled: boolean;
  readonly from_name: string;
  readonly reply_to: string;
}

export interface ChangeMailSettingsInput {
  readonly enabled: boolean;
  /** The sender as people read it; absent: the tenant's name. */
  readonly from_name?: string | undefined;
  /** Where answers go, and how receipts say that the tenant is reached. */
  readonly reply_to?: string | undefined;
}

export interface SendReceiptBody {
  readonly email_address: string;
  /** Whose receipt it is; a client must say so. */
  readonly account_id?: string | undefined;
}

export interface SearchAccountsAnswer {
  readonly rows: readonly ListedAccounts[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchBusinessesAnswer {
  readonly rows: readonly ListedBusinesses[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchDepositsAnswer {
  readonly rows: readonly ListedDeposits[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchPaymentAttemptsAnswer {
  readonly rows: readonly ListedPaymentAttempts[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchOutboundTransfersAnswer {
  readonly rows: readonly ListedOutboundTransfers[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchInvoicesAnswer {
  readonly rows: readonly ListedInvoices[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchEscrowsAnswer {
  readonly rows: readonly ListedEscrows[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchEscrowDatesAnswer {
  readonly rows: readonly ListedDatesOfEscrows[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchRefundsAnswer {
  readonly rows: readonly ListedRefunds[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchDisagreementsAnswer {
  readonly rows: readonly ListedDisagreements[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchOpenDisagreementsAnswer {
  readonly rows: readonly ListedDisagreementsToDecide[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchDisputesAnswer {
  readonly rows: readonly ListedDisputes[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchPayoutsAnswer {
  readonly rows: readonly ListedPayouts[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchOpenItemsAnswer {
  readonly rows: readonly ListedOpenItemsOfTheProcessor[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchIncomingTransfersAnswer {
  readonly rows: readonly ListedIncomingTransfers[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchMoneyActsAnswer {
  readonly rows: readonly ListedActsOnMoney[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchEventsAnswer {
  readonly rows: readonly ListedEvents[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchDeliveriesAnswer {
  readonly rows: readonly ListedDeliveries[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchMailsAnswer {
  readonly rows: readonly ListedMails[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchLedgerAccountsAnswer {
  readonly rows: readonly ListedLedgerAccounts[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchLedgerEntriesAnswer {
  readonly rows: readonly ListedLedgerEntries[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SearchUnpublishedEventsAnswer {
  readonly rows: readonly ListedUnpublishedEvents[];
  /**
   * The `cursor` of the next page; null where nothing follows. A page may have fewer rows than
   * its limit, or none, and go on.
   */
  readonly next: string | null;
}

export interface SandboxDepositInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id?: string | undefined;
  readonly integrator?: boolean | undefined;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units. */
  readonly amount: number;
}

export interface SandboxAttachCardInput {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  readonly test_card: string;
}

export interface SandboxBankTransfer {
  readonly transfer_id: string;
  readonly state:
    | 'proposed'
    | 'unallocated'
    | 'allocating'
    | 'credited'
    | 'covered'
    | 'returning'
    | 'returned'
    | 'duplicate'
    | 'rejected';
  /** Why no wallet was credited by itself. */
  readonly why:
    | ''
    | 'no_reference'
    | 'reference_mistyped'
    | 'several_references'
    | 'reference_unknown'
    | 'other_currency'
    | 'account_blocked'
    | 'too_large'
    | 'returned_payment'
    | 'recorded_perhaps';
  readonly currency: string;
  readonly amount: number;
  readonly bank_reference: string;
  readonly account_id: string;
  readonly wallet_id: string;
  readonly deposit_id: string;
}

export interface SandboxBankTransferInput {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units. */
  readonly amount: number;
  /** The reference of deposit instructions; a wrong or no text is left to a person. */
  readonly remittance_text?: string | undefined;
}

export interface SandboxTestCardsAnswer {
  readonly name: string;
  readonly brand: string;
  readonly last4: string;
  readonly outcome: string;
}

export interface SandboxScenariosAnswer {
  readonly name: string;
  readonly story: string;
  readonly ends: string;
}

export interface SandboxPlayScenarioInput {
  readonly scenario: string;
  readonly payment_method_id?: string | undefined;
}

export interface SandboxOutsideEventAnswer {
  readonly event:
    | 'settle'
    | 'fail'
    | 'return'
    | 'chargeback'
    | 'dispute_under_review'
    | 'dispute_won'
    | 'dispute_lost'
    | 'dispute_withdrawn';
  readonly id: string;
}

export interface SandboxOutsideEventInput {
  readonly event:
    | 'settle'
    | 'fail'
    | 'return'
    | 'chargeback'
    | 'dispute_under_review'
    | 'dispute_won'
    | 'dispute_lost'
    | 'dispute_withdrawn';
  readonly id: string;
}

export interface SandboxSettlementTerms {
  readonly fee_basis_points: number;
  readonly fee_fixed: number;
  readonly dispute_fee: number;
  /** Whether the dispute fee is returned if the dispute is won; default false. */
  readonly returns_dispute_fee?: boolean | undefined;
  readonly monthly_fee: number;
  readonly delay_days: number;
  /** What is available above it goes to the bank at midnight; absent: nothing does. */
  readonly bank_above?: number | undefined;
}

export interface SandboxTestPersonsAnswer {
  readonly name: string;
  readonly last: string;
  readonly story: string;
  readonly ends: string;
}

export interface SandboxIdentityEventAnswer {
  /** `kyc_` and 26 characters of base32. */
  readonly kyc_id: string;
  readonly event: 'accept' | 'deny' | 'review' | 'ask';
}

export interface SandboxCounterpartiesAnswer {
  readonly counterparties: readonly Counterparty[];
}

export interface WaitingScript {
  readonly script_id: string;
  readonly counterparty: 'processor' | 'vendor' | 'receiver';
  readonly operation: string;
  readonly exchange: string;
  readonly remaining: number;
  readonly on: string | null;
}

export interface SandboxScriptInput {
  readonly counterparty: 'processor' | 'vendor' | 'receiver';
  readonly exchange: string;
  readonly operation?: string | undefined;
  readonly times?: number | undefined;
  readonly on?: string | undefined;
}

export interface SandboxScriptsAnswer {
  readonly scripts: readonly WaitingScript[];
}

export interface SandboxClearScriptsAnswer {
  readonly cleared: number;
}

export interface SandboxBookAnswer {
  readonly counterparty: 'processor' | 'bank' | 'vendor' | 'receiver';
  readonly entries: readonly BookEntry[];
  readonly next: string | null;
}

export interface SandboxCreateReceiverAnswer {
  readonly receiver_id: string;
  readonly url: string;
  readonly endpoint_id: string;
  readonly secret: string;
}

export interface SandboxCreateReceiverInput {
  readonly events?:
    | readonly ('kyc-webhook'
    | 'kyb-webhook'
    | 'escrow-transaction-update'
    | 'invoice-completed'
    | 'refund-completed'
    | 'payout-completed'
    | 'deposit-completed'
    | 'dispute-created'
    | 'dispute-updated'
    | 'dispute-closed'
    | 'dispute-response-due'
    | 'disagreement-opened'
    | 'disagreement-stated'
    | 'disagreement-proposed'
    | 'disagreement-due'
    | 'disagreement-ended'
    | 'payment-method-updated'
    | 'register-account-completed'
    | 'account-block-unblock-webhook'
    | 'wallet-balance-alert'
    | 'escrow-part-moved'
    | 'escrow-schedule-changed'
    | 'escrow-date-near'
    | 'escrow-delivered'
    | 'escrow-expiring'
    | 'identity-document-expiring')[]
    | undefined;
  readonly script?: readonly SandboxCreateReceiverInputScript[] | undefined;
}

export interface SandboxReceiversAnswer {
  readonly receivers: readonly Receiver[];
}

export interface SandboxReceiverRequestsAnswer {
  readonly requests: readonly ReceivedRequest[];
  readonly next: string | null;
}

export interface SandboxMailAnswer {
  readonly mails: readonly CapturedMail[];
}

export interface ClockState {
  readonly now: string;
  readonly offset_seconds: number;
  readonly under_way: number;
  readonly next: DueAction | null;
  readonly due: readonly DueAction[];
}

export interface SandboxMoveClockAnswer {
  readonly before: string;
  readonly now: string;
  readonly steps: readonly DueAction[];
  readonly idle: boolean;
  readonly next: DueAction | null;
}

export interface SandboxMoveClockInput {
  readonly advance_seconds?: number | undefined;
  readonly to?: string | undefined;
  readonly next?: boolean | undefined;
  readonly until_idle?: boolean | undefined;
}

export interface Snapshot {
  readonly snapshot_id: string;
  readonly name: string;
  readonly world_id: string;
  readonly taken_at: string;
  /** Number of accounts, invoices, escrows and other objects. */
  readonly objects: number;
  readonly rows: number;
}

export interface SandboxTakeSnapshotInput {
  readonly name?: string | undefined;
}

export interface SandboxListSnapshotsAnswer {
  readonly snapshots: readonly Snapshot[];
}

export interface SandboxForkWorldAnswer {
  readonly world_id: string;
  readonly name: string;
  readonly client_id: string;
  /** Shown only in this response. */
  readonly client_secret: string;
  readonly scopes: readonly string[];
  /** The snapshot from which it was cloned. */
  readonly born_of: string;
}

export interface SandboxForkWorldInput {
  readonly name?: string | undefined;
  readonly snapshot_id?: string | undefined;
}

export interface SandboxListWorldsAnswer {
  readonly worlds: readonly World[];
}

export interface SandboxRollBackAnswer {
  /** The workspace that the clients use from now on. */
  readonly world_id: string;
  readonly snapshot_id: string;
  readonly now: string;
}

export interface SandboxRollBackInput {
  readonly snapshot_id: string;
}

export interface Explanation {
  readonly id: string;
  readonly kind: string;
  readonly state: string | null;
  /** The current state and the next step, as a sentence. */
  readonly now: string;
  readonly next: readonly NextStep[];
  readonly belongs_to: readonly ResourceReference[];
  readonly timeline: readonly TimelineEntry[];
  /** Number of older entries that are not shown. */
  readonly left_out: number;
}

export interface KybWebhookMessage {
  readonly account_id: string;
  readonly entity_id: string;
  readonly entity_status:
    | 'INCOMPLETE'
    | 'PROCESSING'
    | 'ACCEPT'
    | 'DENY'
    | 'CANCEL'
    | 'INACTIVE';
  readonly vendor_application_id: '';
  readonly custom_application_id: '';
}

export interface InvoiceCompletedMessage {
  readonly invoice_id: string;
  readonly account_id: string;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly state: 'open' | 'processing' | 'success' | 'failed';
  readonly description: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly summary: InvoiceSummary;
  readonly created: string;
  readonly updated: string;
  readonly payment_methods: Readonly<Record<string, InvoicePaymentMethod>>;
  readonly line_items: Readonly<Record<string, LineItem>>;
  readonly subitems: Readonly<Record<string, Subitem>>;
  readonly failure_code?: string | undefined;
  readonly failure_reason?: string | undefined;
}

export interface RefundCompletedMessage {
  readonly account_id: string;
  readonly invoice_id: string;
  readonly payment_invoice_id: string;
  readonly successful_refunds: readonly RefundCompletedMessageSuccessfulRefund[];
  readonly failed_refunds: readonly RefundCompletedMessageSuccessfulRefund[];
  readonly refund: Refund;
}

export interface PayoutCompletedMessage {
  readonly payout_status_id: string;
  readonly credit_id: string;
  readonly account_id: string;
  readonly status:
    | 'ESCROW-TRANSFER-INITIATED'
    | 'FUNDS-IN-ESCROW'
    | 'CREDIT-TRANSFER-INITIATED'
    | 'FUNDS-IN-ESCROW-ON-HOLD'
    | 'FAILED'
    | 'SUCCESS'
    | 'SUPPORT-REJECT-TRANSFER-INITIATED'
    | 'SUPPORT-REJECTED'
    | 'SYSTEM-REJECTED';
  readonly payout_flow: 'STANDARD';
  readonly source_payment_method_id: string;
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly display_fee_amount: string;
  readonly display_net_amount: string;
  readonly credit: PayoutCredit;
  readonly failure_code: string;
  readonly failure_reason: string;
  readonly created: string;
  readonly updated: string;
  readonly payout_status:
    | 'ESCROW-TRANSFER-INITIATED'
    | 'FUNDS-IN-ESCROW'
    | 'CREDIT-TRANSFER-INITIATED'
    | 'FUNDS-IN-ESCROW-ON-HOLD'
    | 'FAILED'
    | 'SUCCESS'
    | 'SUPPORT-REJECT-TRANSFER-INITIATED'
    | 'SUPPORT-REJECTED'
    | 'SYSTEM-REJECTED';
}

export interface DepositCompletedMessage {
  readonly deposit_id: string;
  readonly account_id: string;
  readonly state: 'requested' | 'success' | 'failed';
  readonly deposit_payment_method_id: string;
  readonly deposit_provider: 'card' | 'bank' | 'sandbox';
  readonly destination_wallet_id: string;
  readonly request_amount: number;
  readonly request_currency: string;
  readonly received_amount: number;
  readonly received_currency: string;
  readonly fee_amount: number;
  readonly fee_currency: string;
  readonly failure_code: string;
  readonly created: string;
  readonly updated: string;
}

export interface PaymentMethodUpdatedMessage {
  readonly account_id: string;
  readonly payment_method_id: string;
  readonly state: 'ACTIVE' | 'INACTIVE' | 'UNVERIFIED';
}

export interface RegisterAccountCompletedMessage {
  readonly account_id: string;
  readonly integrator: string;
  readonly created: string;
}

export interface AccountBlockUnblockWebhookMessage {
  readonly account_id: string;
  readonly is_blocked: boolean;
  readonly blocks: Readonly<Record<string, UserInfoBlockedCapability>>;
}

export interface WalletBalanceAlertMessage {
  readonly wallet_id: string;
  readonly description: string;
  readonly balance: number;
  readonly warning: boolean;
  readonly critical: boolean;
}

export interface IdentityDocumentExpiringMessage {
  readonly account_id: string;
  readonly kyc_id: string;
  readonly state: 'ACCEPT';
  readonly reverify_at: string;
}

export interface IssuedToken {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string | undefined;
}

export interface InactiveToken {
  readonly active: false;
}

export interface ActiveToken {
  readonly active: true;
  readonly scope: string;
  readonly client_id: string;
  readonly token_type: string;
  readonly exp: number;
  readonly iat: number;
  readonly nbf?: number | undefined;
  readonly sub: string;
  readonly aud?: string | undefined;
  readonly iss?: string | undefined;
  readonly jti?: string | undefined;
  readonly account_id?: string | undefined;
}

export interface UserLink {
  readonly redirect: string;
  readonly nonce_auth_id: string;
}

export interface UserToken {
  readonly token: TokenPair;
}

export interface Agreement {
  readonly sale: SaleSummary | null;
  readonly terms: AgreementTerms | null;
  readonly consent: readonly ScopeSentence[];
}

export interface OpenSessionInputAgree {
  readonly terms_version?: number | undefined;
  readonly consent: true;
}

export interface AccountEmail {
  readonly email_id: string;
  readonly address: string;
  readonly email_types: readonly string[];
  readonly is_verified: boolean;
}

export interface RegisterAccountInputEmail {
  readonly address: string;
  readonly requires_verification?: boolean | undefined;
}

export interface UserInfoBlockedCapability {
  readonly account_id: string;
  readonly block_id: string;
  readonly capability: string;
  readonly issuer: string;
  readonly reason: string;
}

export interface UserInfoTag {
  readonly tag_id: string;
  readonly account_id: string;
  /** `account`: the tag refers to another account. */
  readonly resource_type: string;
  readonly resource_id: string;
  /** `account_merge`. */
  readonly namespace: string;
  /** `merged_to` or `merged_from`. */
  readonly tag: string;
  /** `ACTIVE`: a merge cannot be undone. */
  readonly status: string;
  readonly integrator: string;
  readonly created: string;
  readonly updated: string;
}

export interface MergedBalance {
  readonly currency: string;
  readonly amount: number;
}

export interface Consent {
  readonly consent_id: string;
  readonly client_id: string;
  readonly given_by: 'person' | 'integrator';
  readonly scopes: readonly ScopeSentence[];
  readonly given: string;
}

export interface KYCMatchCheck {
  readonly kyc_match_check_id: string;
  readonly matched_account_id: string;
  readonly matched_kyc_id: string;
  readonly match_score: number;
}

export interface KYCApplicationReason {
  readonly code:
    | 'DOCUMENT_FRONT_UNREADABLE'
    | 'DOCUMENT_BACK_UNREADABLE'
    | 'DOCUMENT_EXPIRED'
    | 'DOCUMENT_NOT_ACCEPTED'
    | 'DOCUMENT_COUNTRY_DIFFERS'
    | 'PROOF_OF_ADDRESS_NEEDED'
    | 'NAME_DIFFERS'
    | 'BIRTH_DATE_DIFFERS'
    | 'ADDRESS_NOT_CONFIRMED'
    | 'PHONE_NOT_CONFIRMED'
    | 'TAX_NUMBER_NOT_CONFIRMED'
    | 'UNDERAGE'
    | 'INFORMATION_INCOMPLETE'
    | 'NOT_VERIFIED';
  readonly sentence: string;
}

export interface IdentityData {
  readonly first?: string | undefined;
  readonly middle?: string | undefined;
  readonly last?: string | undefined;
  readonly date_of_birth?: string | undefined;
  readonly street?: string | undefined;
  readonly street2?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly zip?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  readonly phone_code?: string | undefined;
  readonly phone_number?: string | undefined;
  readonly ssn?: string | undefined;
  readonly ssn_last4?: string | undefined;
  readonly signature?: string | undefined;
  readonly use_1099?: boolean | undefined;
  readonly document_type?: 'PP' | 'DL' | 'ID' | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly document_country?: string | undefined;
  /** A file of at most 3145728 bytes, as base64 or a data URI of base64. */
  readonly document_front?: string | undefined;
  /** A file of at most 3145728 bytes, as base64 or a data URI of base64. */
  readonly document_back?: string | undefined;
}

export interface SubmitKYCInputExtraFile {
  readonly file_name: string;
  readonly file_ext: string;
  readonly file_mime_type: string;
  /** A file of at most 20971520 bytes, as base64 or a data URI of base64. */
  readonly file_contents: string;
}

export interface OnboardEntityBodyAgent {
  readonly agent_name: string;
  /** Where the person is mailed their link, once the business is submitted. */
  readonly agent_email?: string | undefined;
  readonly roles: readonly ('primary_contact' | 'control_prong' | 'beneficial_owner')[];
  /** What an owner owns: 25-50, 50-75, 75-100, or a percentage. */
  readonly ownership?: string | undefined;
  readonly documents?: readonly (string | OnboardEntityBodyAgentDocument)[] | undefined;
}

export interface OnboardEntityBodyAgentDocument {
  readonly pii_document_name?: string | undefined;
  /** A file of at most 10485760 bytes, as base64 or a data URI of base64. */
  readonly file: string;
  readonly mime_type?: string | undefined;
}

export interface KYBAgent {
  readonly entity_agent_id: string;
  readonly entity_id: string;
  readonly agent_name: string;
  readonly account_id: string;
  readonly status: 'INCOMPLETE' | 'PROCESSING' | 'ACCEPT' | 'DENY' | 'CANCEL' | 'INACTIVE';
  readonly kyc_status:
    | 'NODATA'
    | 'NONE'
    | 'PROCESSING'
    | 'MANUAL_REVIEW'
    | 'ACCEPT'
    | 'DENY'
    | 'CANCEL'
    | 'SYSTEM-CANCELLED'
    | 'REVERIFY';
  readonly roles: readonly ('primary_contact' | 'control_prong' | 'beneficial_owner')[];
  readonly ownership: string;
  readonly created: string;
  readonly updated: string;
  readonly documents: readonly KYBAgentDocument[];
}

export interface KYBAgentDocument {
  readonly entity_document_id: string;
  readonly entity_id: string;
  readonly entity_agent_id: string;
  readonly pii_document_name: string;
  readonly pii_document_id: string;
  readonly mime_type: string;
  readonly status: 'accepted' | 'received' | 'unreadable' | 'refused';
  readonly reason: KYBAgentDocumentReason | null;
  readonly created: string;
  readonly updated: string;
}

export interface EntityFormReason {
  readonly code:
    | 'DOCUMENT_UNREADABLE'
    | 'DOCUMENT_MISSING'
    | 'DOCUMENT_EXPIRED'
    | 'DOCUMENT_UNSUITABLE'
    | 'NAME_DIFFERS'
    | 'TAX_NUMBER_NOT_CONFIRMED'
    | 'REGISTRATION_NOT_FOUND'
    | 'OWNERS_UNCLEAR'
    | 'AGENT_NOT_VERIFIED'
    | 'INFORMATION_INCOMPLETE'
    | 'NOT_VERIFIED';
  readonly sentence: string;
}

export interface SaveEntityFormInputAgent {
  /** `agt_` and 26 characters of base32. */
  readonly entity_agent_id?: string | undefined;
  readonly agent_name: string;
  /** Where the person is mailed their link, once the business is submitted. */
  readonly agent_email?: string | undefined;
  readonly roles: readonly ('primary_contact' | 'control_prong' | 'beneficial_owner')[];
  /** What an owner owns: 25-50, 50-75, 75-100, or a percentage. */
  readonly ownership?: string | undefined;
}

export interface PaymentMethodProviderData {
  readonly wallet_id: string;
  readonly wallet_balance: string;
  readonly balance: number;
}

export interface Balance {
  readonly spendable: BalanceAmount;
  readonly spendable_balance: BalanceAmount;
  readonly kept_back: BalanceAmount;
  readonly reserve?: BalanceAmount | undefined;
}

export interface SellerDebt {
  readonly debt_id: string;
  readonly dispute_id: string;
  readonly account_id: string;
  readonly wallet_id: string;
  readonly amount: number;
  readonly repaid: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly status: 'open' | 'repaid';
  readonly created: string;
}

export interface InvoiceSummary {
  readonly total_amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly subtotal?: PartOfTotal | undefined;
  readonly tax?: PartOfTotal | undefined;
}

export interface InvoicePaymentMethod {
  readonly payment_method_id: string;
  readonly authorized_amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly subitems: Readonly<Record<string, Subitem>>;
}

export interface LineItem {
  readonly line_item_id: string;
  readonly product_sku: string;
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly transaction_type: 'user_to_user' | 'user_to_integrator';
  readonly description: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly tax?: Tax | undefined;
  readonly subitems: Readonly<Record<string, Subitem>>;
}

export interface Subitem {
  readonly subitem_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly subitem_type:
    | 'user_recipient'
    | 'payment'
    | 'integrator_share'
    | 'fee'
    | 'tax'
    | 'refund';
  readonly description: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly source_account_id: string;
  readonly source_payment_method_id: string;
  readonly source_wallet_id: string;
  readonly destination_account_id: string;
  readonly destination_payment_method_id: string;
  readonly destination_wallet_id: string;
}

export interface Sale {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  readonly reference_type?: string | undefined;
  readonly reference_id?: string | undefined;
  readonly description?: string | undefined;
  /** At most 16384 bytes of JSON. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly payment_methods?: readonly SalePaymentMethod[] | undefined;
  readonly line_items: readonly SaleLineItem[];
}

export interface AuthorizedSale {
  readonly authorized_invoice_id: string;
  readonly payment_methods?: readonly SalePaymentMethod[] | undefined;
}

export interface EscrowMovement {
  /** To sellers and integrator, to the integrator alone, or to the buyer. */
  readonly kind: 'release' | 'keep' | 'return';
  readonly amount: number;
  readonly invoice_id: string;
  readonly milestone?: string | undefined;
  readonly created: string;
}

export interface Milestone {
  readonly name: string;
  readonly amount: number;
  readonly status: 'pending' | 'released';
  readonly release_at?: string | undefined;
}

export interface Delivery {
  readonly milestone?: string | undefined;
  /** The seller who said it. */
  readonly account_id?: string | undefined;
  readonly created: string;
}

export interface EscrowSale {
  /** `acct_` and 26 characters of base32. */
  readonly account_id: string;
  readonly reference_type?: string | undefined;
  readonly reference_id?: string | undefined;
  readonly description?: string | undefined;
  /** At most 16384 bytes of JSON. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly payment_methods?: readonly SalePaymentMethod[] | undefined;
  readonly line_items: readonly SaleLineItem[];
  /** All that is held is committed then. */
  readonly release_at?: string | undefined;
  /** All that is held is returned then. */
  readonly return_at?: string | undefined;
  /** What happens at the holding limit. Absent: cancel. */
  readonly default_outcome?: 'cancel' | 'commit' | undefined;
  readonly milestones?: readonly MilestoneWish[] | undefined;
}

export interface AuthorizedEscrowSale {
  readonly authorized_invoice_id: string;
  readonly payment_methods?: readonly SalePaymentMethod[] | undefined;
  /** All that is held is committed then. */
  readonly release_at?: string | undefined;
  /** All that is held is returned then. */
  readonly return_at?: string | undefined;
  /** What happens at the holding limit. Absent: cancel. */
  readonly default_outcome?: 'cancel' | 'commit' | undefined;
  readonly milestones?: readonly MilestoneWish[] | undefined;
}

export interface MilestoneOfEscrow {
  readonly milestone: string;
}

export interface PartOfEscrowLineItem {
  readonly line_item_id: string;
  /** Absent: all that is held of it. */
  readonly amount?: number | undefined;
}

export interface ScheduleMilestone {
  readonly name: string;
  readonly release_at: string | null;
}

export interface SaleLineItem {
  /** Minor units. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly transaction_type: 'user_to_user' | 'user_to_integrator';
  readonly product_sku?: string | undefined;
  readonly reference_type?: string | undefined;
  readonly reference_id?: string | undefined;
  readonly description?: string | undefined;
  /** At most 16384 bytes of JSON. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly tax?: StatedTax | undefined;
  readonly recipients?: readonly SaleLineItemRecipient[] | undefined;
}

export interface AuthorizedInvoiceLineItem {
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly transaction_type: 'user_to_user' | 'user_to_integrator';
  readonly product_sku: string;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly tax?: Tax | undefined;
  readonly recipients: readonly SaleLineItemRecipient[];
}

export interface PartOfTotal {
  readonly total_amount: number;
  readonly currency: string;
  readonly display_amount: string;
}

export interface Amount {
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
}

export interface Reversal {
  readonly reversal_id: string;
  readonly payment_method_id: string;
  readonly kind: 'chargeback' | 'return';
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly status: 'received' | 'escrowed' | 'covered' | 'given_back';
  readonly created: string;
  readonly updated: string;
}

export interface StatementOfDisagreement {
  readonly statement_id: string;
  readonly side: 'buyer' | 'seller';
  readonly account_id: string;
  readonly file_name: string;
  readonly created: string;
}

export interface ProposedSplit {
  readonly proposal_id: string;
  readonly side: 'buyer' | 'seller';
  /** Minor units. */
  readonly to_sellers: number;
  /** Minor units. */
  readonly to_buyer: number;
  /** Minor units. */
  readonly to_integrator: number;
  readonly created: string;
}

export interface SettledSplit {
  readonly by: 'tenant' | 'agreement' | 'default';
  /** Minor units. */
  readonly to_sellers: number;
  /** Minor units. */
  readonly to_buyer: number;
  /** Minor units. */
  readonly to_integrator: number;
}

export interface ProposalOfSplit {
  /** Whose word it is: the buyer or a seller. A session speaks for itself. */
  readonly account_id?: string | undefined;
  /** Minor units. */
  readonly to_sellers: number;
  /** Minor units. */
  readonly to_buyer: number;
  /** Minor units. */
  readonly to_integrator: number;
}

export interface ProposalByLine {
  /** Whose word it is: the buyer or a seller. A session speaks for itself. */
  readonly account_id?: string | undefined;
  readonly line_items: readonly ProposalByLineLineItem[];
}

export interface SplitOfEscrow {
  /** Minor units. */
  readonly to_sellers: number;
  /** Minor units. */
  readonly to_buyer: number;
  /** Minor units. */
  readonly to_integrator: number;
}

export interface SplitByLine {
  readonly line_items: readonly ProposalByLineLineItem[];
}

export interface DisputeEvidence {
  readonly evidence_id: string;
  readonly kind:
    | 'product_description'
    | 'customer_communication'
    | 'receipt'
    | 'refund_policy'
    | 'service_documentation'
    | 'shipping_documentation'
    | 'shipping_tracking'
    | 'other';
  readonly file_name: string;
  readonly status: 'collected' | 'submitted' | 'declined';
  readonly added: string;
}

export interface SellerReserve {
  readonly account_id: string;
  readonly wallet_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly releases: readonly SellerReserveRelease[];
}

export interface PayoutCredit {
  readonly destination_payment_method_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly status: 'CREATED' | 'CANCELED' | 'EXECUTED' | 'EXECUTE-FAILED';
}

export interface PayoutStatementEntry {
  readonly kind: 'sale' | 'purchase' | 'refund' | 'deposit' | 'payout' | 'other';
  readonly resource_id: string;
  /** Positive: into the wallet, after fees of the sale. */
  readonly amount: number;
  readonly display_amount: string;
  readonly created: string;
}

export interface TransactionUserPurchase {
  readonly transaction_id: string;
  readonly transaction_id_type:
    | 'invoicing.invoice_v2.invoice_id'
    | 'invoicing.payout_status.id';
  readonly transaction_status: 'pending' | 'processed' | 'payout-failed' | 'error';
  readonly account_id: string;
  readonly transaction_date: string;
  readonly transaction_description: string;
  readonly transaction_type: 'user_purchase' | 'user_purchase_escrow';
  readonly transaction_role: 'buyer';
  readonly transaction_data: PurchaseData;
}

export interface TransactionUserPurchaseRecipient {
  readonly transaction_id: string;
  readonly transaction_id_type:
    | 'invoicing.invoice_v2.invoice_id'
    | 'invoicing.payout_status.id';
  readonly transaction_status: 'pending' | 'processed' | 'payout-failed' | 'error';
  readonly account_id: string;
  readonly transaction_date: string;
  readonly transaction_description: string;
  readonly transaction_type: 'user_purchase_recipient';
  readonly transaction_role: 'seller';
  readonly transaction_data: SaleData;
}

export interface TransactionPayout {
  readonly transaction_id: string;
  readonly transaction_id_type:
    | 'invoicing.invoice_v2.invoice_id'
    | 'invoicing.payout_status.id';
  readonly transaction_status: 'pending' | 'processed' | 'payout-failed' | 'error';
  readonly account_id: string;
  readonly transaction_date: string;
  readonly transaction_description: string;
  readonly transaction_type: 'payout';
  readonly transaction_role: 'user';
  readonly transaction_data: PayoutData;
}

export interface TransactionRefund {
  readonly transaction_id: string;
  readonly transaction_id_type:
    | 'invoicing.invoice_v2.invoice_id'
    | 'invoicing.payout_status.id';
  readonly transaction_status: 'pending' | 'processed' | 'payout-failed' | 'error';
  readonly account_id: string;
  readonly transaction_date: string;
  readonly transaction_description: string;
  readonly transaction_type: 'refund';
  readonly transaction_role: 'buyer';
  readonly transaction_data: RefundData;
}

export interface TransactionReceiptReceiptData {
  readonly template_id: 'purchase' | 'escrow' | 'sale' | 'payout' | 'refund';
  readonly attributes: TransactionReceiptReceiptDataAttribute;
}

export interface SeenLine {
  readonly line_item_id: string;
  readonly description: string;
  readonly amount: number;
  readonly amount_display: string;
  readonly held: number;
  readonly held_display: string;
}

export interface SeenMilestone {
  readonly name: string;
  readonly status: 'pending' | 'released';
  readonly amount: number;
  readonly amount_display: string;
  readonly release_at?: string | undefined;
  readonly delivered?: string | undefined;
}

export interface SeenMovement {
  readonly kind: 'release' | 'keep' | 'return';
  readonly amount: number;
  readonly amount_display: string;
  readonly milestone?: string | undefined;
  readonly created: string;
}

export interface NextOfEscrow {
  readonly kind: 'release' | 'return';
  readonly at: string;
  readonly milestone?: string | undefined;
  readonly amount: number;
  readonly amount_display: string;
}

export interface ReconciliationCount {
  readonly parked_charge: number;
  readonly parked_remittance: number;
  readonly difference: number;
  readonly waiting_line: number;
  readonly missing_line: number;
  readonly waiting_refund: number;
  readonly waiting_reversal: number;
}

export interface ReconciliationItem {
  readonly id: string;
  readonly kind:
    | 'parked_charge'
    | 'parked_remittance'
    | 'difference'
    | 'waiting_line'
    | 'missing_line'
    | 'waiting_refund'
    | 'waiting_reversal';
  readonly why: string;
  readonly purpose: string;
  readonly resource_id: string;
  readonly currency: string;
  readonly amount: number;
  readonly statement_amount: number | null;
  readonly statement_currency: string | null;
  readonly processor_reference: string;
  readonly age_seconds: number;
  readonly decisions: readonly ('give_back' | 'accept' | 'retry' | 'explained')[];
}

export interface BankTransfer {
  readonly transfer_id: string;
  readonly state:
    | 'proposed'
    | 'unallocated'
    | 'allocating'
    | 'credited'
    | 'covered'
    | 'returning'
    | 'returned'
    | 'duplicate'
    | 'rejected';
  /** Why no wallet was credited by itself. */
  readonly why:
    | ''
    | 'no_reference'
    | 'reference_mistyped'
    | 'several_references'
    | 'reference_unknown'
    | 'other_currency'
    | 'account_blocked'
    | 'too_large'
    | 'returned_payment'
    | 'recorded_perhaps';
  readonly currency: string;
  readonly amount: number;
  readonly display_amount: string;
  /** A day, as YYYY-MM-DD. */
  readonly value_date: string;
  /** The bank's own. */
  readonly bank_reference: string;
  /** False while an operator alone has said so. */
  readonly on_statement: boolean;
  readonly account_id: string;
  readonly wallet_id: string;
  readonly deposit_id: string;
  readonly created: string;
  readonly updated: string;
}

export interface CoverageCurrency {
  readonly currency: string;
  readonly held: CoverageCurrencyHeld;
  readonly owed: CoverageCurrencyOwed;
  /** True where at least as much is held as is owed. */
  readonly covered: boolean;
}

export interface TrialBalanceCurrency {
  readonly currency: string;
  readonly accounts: readonly TrialBalanceCurrencyAccount[];
  readonly total: TrialBalanceCurrencyTotal;
}

export interface BalancesAtMomentBalance {
  readonly currency: string;
  /** Minor units in the wallet. */
  readonly wallet: number;
  /** Minor units earned, and not in the wallet yet. */
  readonly restricted: number;
}

export interface MonthlyStatementAccount {
  readonly kind: string;
  readonly currency: string;
  /** Minor units; negative where debits exceed credits. */
  readonly opening: number;
  readonly movements: readonly StatementMovement[];
  /** The opening balance, less debits, plus credits. */
  readonly closing: number;
}

export interface SellerTotalsPageSeller {
  readonly account_id: string;
  readonly currency: string;
  /** How many sales paid the seller. */
  readonly sales: number;
  /** What they paid, before fees. Minor units. */
  readonly gross: number;
  /** What was withheld as fees. Minor units. */
  readonly fees: number;
  /** The seller's share, rounded down, of refunds in that time. Minor units. */
  readonly refunds: number;
  readonly quarters: readonly SellerTotalsPageSellerQuarter[];
  readonly months: readonly SellerTotalsPageSellerQuarter[];
}

export interface WebhookDelivery {
  readonly sequence: number;
  readonly event_id: string;
  readonly event_name: string;
  readonly state: 'pending' | 'delivered' | 'dead';
  readonly attempts: number;
  readonly next_attempt: string | null;
  readonly last_status: number | null;
  readonly last_reason: string;
}

export interface EventDelivery {
  readonly endpoint_id: string;
  readonly state: 'pending' | 'delivered' | 'dead';
  readonly next_attempt: string | null;
  readonly attempts: readonly EventDeliveryAttempt[];
}

export interface LifecycleMove {
  readonly from: string | null;
  readonly on: string;
  readonly to: string;
  readonly by: string;
  readonly posts: readonly string[];
  readonly emits: string | null;
  readonly why: string;
  readonly source: string;
}

export interface ErrorCode {
  readonly code: string;
  readonly statuses: readonly number[];
  readonly sentence: string;
  readonly who_can_act: string;
  readonly retry: boolean;
  readonly source: string;
}

export interface FailureCode {
  readonly failure_code: string;
  readonly failure_reason: string;
}

export interface SettingsWalletAlert {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units. */
  readonly warning: number;
  /** Minor units. */
  readonly critical: number;
}

export interface SettingsLook {
  readonly background_color: string;
  readonly primary_color: string;
  readonly logo: string;
  readonly preview_text: string;
}

export interface ChangeSettingsInputWalletAlert {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units. */
  readonly warning: number;
  /** Minor units. */
  readonly critical?: number | undefined;
}

export interface ChangeSettingsInputLook {
  readonly background_color?: string | undefined;
  readonly primary_color?: string | undefined;
  /** A data URI of a PNG or JPEG of at most 65536 bytes; "" for none. */
  readonly logo?: string | undefined;
  readonly preview_text?: string | undefined;
}

export interface ListedAccounts {
  readonly id: string;
  readonly blocked: boolean;
  readonly merged_to: string | null;
  readonly created: string;
  readonly updated: string;
}

export interface ListedBusinesses {
  readonly id: string;
  readonly account_id: string;
  readonly state: 'INCOMPLETE' | 'PROCESSING' | 'ACCEPT' | 'DENY' | 'CANCEL' | 'INACTIVE';
  readonly created: string;
  readonly updated: string;
}

export interface ListedDeposits {
  readonly id: string;
  readonly account_id: string | null;
  readonly wallet_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly state: 'requested' | 'success' | 'failed';
  readonly failure_code: string | null;
  readonly created: string;
  readonly updated: string;
}

export interface ListedPaymentAttempts {
  readonly id: string;
  readonly resource_id: string;
  readonly purpose: 'invoice' | 'escrow' | 'deposit';
  readonly payment_method_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly state:
    | 'authorizing'
    | 'authorized'
    | 'declined'
    | 'parked'
    | 'challenged'
    | 'reversing'
    | 'capturing'
    | 'captured'
    | 'reversed';
  readonly failure_code: string | null;
  readonly processor_reference: string | null;
  readonly updated: string;
}

export interface ListedOutboundTransfers {
  readonly id: string;
  readonly resource_id: string;
  readonly purpose: 'escrow_cancel' | 'refund' | 'payout' | 'double_capture';
  readonly payment_method_id: string;
  readonly rail: 'processor' | 'file';
  readonly amount: number;
  readonly currency: string;
  readonly state:
    | 'sending'
    | 'pending'
    | 'paid'
    | 'declined'
    | 'parked'
    | 'returned'
    | 'replaced'
    | 'waiting'
    | 'handed_over';
  readonly failure_code: string | null;
  readonly processor_reference: string | null;
  readonly updated: string;
}

export interface ListedInvoices {
  readonly id: string;
  readonly account_id: string;
  readonly seller_account_id: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly kind: 'sale' | 'escrow' | 'commit' | 'cancel' | 'refund';
  readonly state: 'open' | 'processing' | 'success' | 'failed';
  readonly failure_code: string | null;
  readonly created: string;
  readonly updated: string;
}

export interface ListedEscrows {
  readonly id: string;
  readonly invoice_id: string;
  readonly account_id: string;
  readonly seller_account_id: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly state: 'OPEN' | 'ESCROWED' | 'ESCROW-FAILED' | 'COMMITTED' | 'CANCELLED';
  readonly disputed: boolean;
  readonly due: string | null;
  readonly created: string;
  readonly updated: string;
}

export interface ListedDatesOfEscrows {
  readonly due: string;
  readonly id: string;
  readonly milestone_at: string | null;
  readonly release_at: string | null;
  readonly return_at: string | null;
  readonly holding_ends: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly account_id: string;
}

export interface ListedRefunds {
  readonly id: string;
  readonly invoice_id: string;
  readonly refund_invoice_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: 'billing' | 'fraud' | 'product_related' | 'other';
  readonly state:
    | 'REFUND-WAITING-FUNDS'
    | 'REFUND-PENDING'
    | 'REFUND-SUCCESS'
    | 'REFUND-FAILED'
    | 'REFUND-REJECTED';
  readonly created: string;
  readonly updated: string;
}

export interface ListedDisagreements {
  readonly id: string;
  readonly escrow_id: string;
  readonly account_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly opened_by: string;
  readonly reason: string;
  readonly state: 'open' | 'resolved' | 'closed';
  readonly due_by: string;
  readonly created: string;
  readonly updated: string;
}

export interface ListedDisagreementsToDecide {
  readonly due_by: string;
  readonly escrow_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly opened_by: string;
  readonly reason: string;
  readonly default_outcome: string;
  readonly account_id: string;
  readonly id: string;
  readonly created: string;
}

export interface ListedDisputes {
  readonly id: string;
  readonly account_id: string;
  readonly resource_id: string;
  readonly escrow_id: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
  readonly reference: string;
  readonly state: 'needs_response' | 'under_review' | 'won' | 'lost' | 'withdrawn' | 'returned';
  readonly due_by: string | null;
  readonly created: string;
  readonly updated: string;
}

export interface ListedPayouts {
  readonly id: string;
  readonly account_id: string;
  readonly amount: number;
  readonly fee_amount: number;
  readonly currency: string;
  readonly state:
    | 'ESCROW-TRANSFER-INITIATED'
    | 'FUNDS-IN-ESCROW'
    | 'CREDIT-TRANSFER-INITIATED'
    | 'FUNDS-IN-ESCROW-ON-HOLD'
    | 'FAILED'
    | 'SUCCESS'
    | 'SUPPORT-REJECT-TRANSFER-INITIATED'
    | 'SUPPORT-REJECTED'
    | 'SYSTEM-REJECTED';
  readonly failure_code: string | null;
  readonly due: string | null;
  readonly created: string;
  readonly updated: string;
}

export interface ListedOpenItemsOfTheProcessor {
  readonly id: string;
  readonly kind:
    | 'parked_charge'
    | 'parked_remittance'
    | 'difference'
    | 'waiting_line'
    | 'missing_line'
    | 'waiting_refund'
    | 'waiting_reversal';
  readonly why: string;
  readonly purpose: string;
  readonly resource_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reference: string;
  readonly age_seconds: number;
}

export interface ListedIncomingTransfers {
  readonly id: string;
  readonly wallet_id: string | null;
  readonly bank_reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly value_date: string;
  readonly why: string | null;
  readonly state:
    | 'proposed'
    | 'unallocated'
    | 'allocating'
    | 'credited'
    | 'covered'
    | 'returning'
    | 'returned'
    | 'duplicate'
    | 'rejected';
  readonly created: string;
  readonly updated: string;
}

export interface ListedActsOnMoney {
  readonly id: string;
  readonly act: string;
  readonly subject_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly state: 'proposed' | 'agreed' | 'running' | 'done' | 'refused' | 'rejected';
  readonly code: string;
  readonly created: string;
  readonly updated: string;
}

export interface ListedEvents {
  readonly event_id: string;
  readonly sequence: number;
  readonly name: string;
  readonly resource_id: string;
  readonly at: string;
}

export interface ListedDeliveries {
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly sequence: number;
  readonly name: string;
  readonly resource_id: string;
  readonly state: 'pending' | 'delivered' | 'dead';
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_reason: string | null;
  readonly at: string;
}

export interface ListedMails {
  readonly id: string;
  readonly kind: string;
  readonly account_id: string;
  readonly transaction_id: string | null;
  readonly state: 'pending' | 'sent' | 'none' | 'bounced' | 'refused';
  readonly tries: number;
  readonly reason: string | null;
  readonly at: string;
}

export interface ListedLedgerAccounts {
  readonly id: string;
  readonly kind:
    | 'wallet'
    | 'kept_back'
    | 'holding'
    | 'integrator_share'
    | 'tax_collected'
    | 'processor_clearing'
    | 'processor_available'
    | 'in_transit'
    | 'bank'
    | 'opening_balances'
    | 'sandbox_funding'
    | 'escrow'
    | 'refund_pending'
    | 'payout_pending'
    | 'payout_handed_over'
    | 'bank_unallocated'
    | 'payout_fees'
    | 'processor_fees'
    | 'unreturned_fees'
    | 'dispute_fees'
    | 'bank_fees'
    | 'own_payments'
    | 'bank_reversals'
    | 'reversals'
    | 'unexplained';
  readonly currency: string;
  readonly balance: number | null;
}

export interface ListedLedgerEntries {
  readonly resource_id: string;
  readonly version: number;
  readonly line: number;
  readonly ledger_account_id: string;
  readonly kind:
    | 'wallet'
    | 'kept_back'
    | 'holding'
    | 'integrator_share'
    | 'tax_collected'
    | 'processor_clearing'
    | 'processor_available'
    | 'in_transit'
    | 'bank'
    | 'opening_balances'
    | 'sandbox_funding'
    | 'escrow'
    | 'refund_pending'
    | 'payout_pending'
    | 'payout_handed_over'
    | 'bank_unallocated'
    | 'payout_fees'
    | 'processor_fees'
    | 'unreturned_fees'
    | 'dispute_fees'
    | 'bank_fees'
    | 'own_payments'
    | 'bank_reversals'
    | 'reversals'
    | 'unexplained';
  readonly amount: number;
  readonly currency: string;
  readonly balance_after: number | null;
  readonly at: string | null;
}

export interface ListedUnpublishedEvents {
  readonly event_id: string;
  readonly name: string;
  readonly resource_id: string;
  readonly at: string;
}

export interface Counterparty {
  readonly name: 'processor' | 'bank' | 'vendor' | 'receiver';
  readonly story: string;
  readonly scenarios: readonly Scenario[];
  readonly exchanges: readonly CounterpartyExchange[];
}

export type BookEntry =
  | BookedPayment
  | StatementRow
  | IdentityCheck
  | ReceivedDelivery;

export interface SandboxCreateReceiverInputScript {
  readonly exchange: string;
  readonly times?: number | undefined;
}

export interface Receiver {
  readonly receiver_id: string;
  readonly url: string;
  readonly endpoint_id: string;
  readonly requests: number;
  readonly created: string;
}

export interface ReceivedRequest {
  readonly number: number;
  readonly receiver_id: string;
  readonly at: string;
  readonly event_id: string;
  readonly exchange: string;
  readonly status: number | null;
  readonly verified: ReceivedDeliveryVerified;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CapturedMail {
  readonly mail_id: string;
  readonly account_id: string;
  readonly to: string;
  readonly from_name: string;
  readonly reply_to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly message_id: string;
  readonly sent_at: string;
}

export interface DueAction {
  readonly at: string;
  readonly what: string;
  readonly id: string;
}

export interface World {
  readonly world_id: string;
  readonly name: string;
  /** True for the workspace of the calling client. */
  readonly current: boolean;
  readonly main: boolean;
  readonly now: string;
  readonly client_ids: readonly string[];
  /** The snapshot to which a reset returns. */
  readonly snapshot_id: string | null;
  readonly created: string;
}

export interface NextStep {
  readonly what: string;
  readonly by: string;
  /** The time in real time, where it is known. */
  readonly at: string | null;
  readonly text: string;
}

export interface ResourceReference {
  readonly kind: string;
  readonly id: string;
}

export type TimelineEntry =
  | TimelineEntryRequest
  | TimelineEntryTransition
  | TimelineEntryExchange
  | TimelineEntryPosting
  | TimelineEntryEvent
  | TimelineEntryDelivery
  | TimelineEntryAttempt
  | TimelineEntryOperator
  | TimelineEntryRecord;

export interface RefundCompletedMessageSuccessfulRefund {
  readonly refund_id: string;
  readonly amount: string;
  readonly currency: string;
}

export interface TokenPair {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly refresh_token: string;
  readonly expiry: string;
}

export interface SaleSummary {
  readonly is_escrow: boolean;
  readonly description: string;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly display_amount: string;
  readonly subtotal?: PartOfTotal | undefined;
  readonly tax?: PartOfTotal | undefined;
  readonly line_items: readonly SaleSummaryLineItem[];
}

export interface AgreementTerms {
  readonly version: number;
  readonly created: string;
  readonly content: string;
}

export interface ScopeSentence {
  readonly scope: string;
  readonly sentence: string;
}

export interface KYBAgentDocumentReason {
  readonly code:
    | 'DOCUMENT_UNREADABLE'
    | 'DOCUMENT_EXPIRED'
    | 'NAME_DIFFERS'
    | 'DOCUMENT_UNSUITABLE';
  readonly sentence: string;
}

export interface BalanceAmount {
  readonly balance: number;
  readonly display: string;
}

export interface Tax {
  readonly amount: number;
  readonly display_amount: string;
  /** True: the amount of the line item holds it. */
  readonly inclusive: boolean;
  readonly description: string;
}

export interface SalePaymentMethod {
  readonly payment_method_id: string;
  /** Minor units. */
  readonly amount?: number | undefined;
}

export interface MilestoneWish {
  readonly name: string;
  /** Minor units, shared among the line items in proportion to their amounts. */
  readonly amount?: number | undefined;
  readonly line_items?: readonly MilestoneWishLineItem[] | undefined;
  readonly release_at?: string | undefined;
}

export interface StatedTax {
  /** Minor units, in the currency of the line item. */
  readonly amount: number;
  /** True: the amount of the line item holds it. Absent: it is added to that. */
  readonly inclusive?: boolean | undefined;
  readonly description?: string | undefined;
}

export interface SaleLineItemRecipient {
  /** Minor units. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency?: string | undefined;
  readonly source_wallet_id?: string | undefined;
  readonly destination_wallet_id?: string | undefined;
  /** `acct_` and 26 characters of base32. */
  readonly destination_account_id?: string | undefined;
  readonly reference_type?: string | undefined;
  readonly reference_id?: string | undefined;
  readonly description?: string | undefined;
  /** At most 16384 bytes of JSON. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly fee_percentage?: string | number | undefined;
  /** Minor units. */
  readonly fee_amount?: number | undefined;
  readonly fee_description?: string | undefined;
}

export interface ProposalByLineLineItem {
  readonly line_item_id: string;
  /** Minor units. */
  readonly to_sellers: number;
  /** Minor units. */
  readonly to_buyer: number;
  /** Minor units. */
  readonly to_integrator: number;
}

export interface SellerReserveRelease {
  readonly due: string;
  readonly amount: number;
}

export interface PurchaseData {
  readonly invoice_id: string;
  readonly account_id: string;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly state: 'open' | 'processing' | 'success' | 'failed';
  readonly description: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly summary: InvoiceSummary;
  readonly created: string;
  readonly updated: string;
  readonly payment_methods: Readonly<Record<string, InvoicePaymentMethod>>;
  readonly line_items: Readonly<Record<string, LineItem>>;
  readonly subitems: Readonly<Record<string, Subitem>>;
  readonly failure_code?: string | undefined;
  readonly failure_reason?: string | undefined;
  readonly escrow?: Escrow | undefined;
}

export interface SaleData {
  readonly recipient_account_id: string;
  readonly currency: string;
  readonly total_received: number;
  readonly total_received_display: string;
  readonly total_received_less_fees: number;
  readonly total_received_less_fees_display: string;
  readonly total_fees_paid: number;
  readonly total_fees_paid_display: string;
  readonly recipient_items: readonly SaleDataRecipientItem[];
  readonly escrow_status: string;
}

export interface PayoutData {
  readonly currency: string;
  readonly payout_total: number;
  readonly payout_total_display: string;
  readonly payout_fee: number;
  readonly payout_fee_display: string;
  readonly payout_amount_less_fee: number;
  readonly payout_amount_less_fee_display: string;
  readonly source_payment_method: PayoutDataSourcePaymentMethod;
  readonly destination_payment_method: PayoutDataSourcePaymentMethod;
  readonly payout: Payout;
}

export interface RefundData {
  readonly currency: string;
  readonly subtotal: number;
  readonly subtotal_display: string;
  readonly tax_total: number;
  readonly tax_total_display: string;
  readonly total: number;
  readonly total_display: string;
  readonly original_invoice_id: string;
  readonly original_reference_type: string;
  readonly original_reference_id: string;
  readonly original_date: string;
  readonly partial_refund_line_item_id: string;
  readonly refund_line_items: readonly RefundDataRefundLineItem[];
  readonly refund_payment_methods: readonly RefundDataRefundPaymentMethod[];
}

export interface TransactionReceiptReceiptDataAttribute {
  readonly number: string;
  readonly state: 'done' | 'held' | 'open' | 'failed';
  readonly date: string;
  readonly currency: string;
  readonly lines: readonly ReceiptRow[];
  readonly subtotal: number;
  readonly subtotal_display: string;
  readonly tax: number;
  readonly tax_display: string;
  readonly fee: number;
  readonly fee_display: string;
  readonly total: number;
  readonly total_display: string;
  readonly payment_methods: readonly ReceiptRow[];
  /** Sellers that are verified businesses; private persons are not named. */
  readonly sellers: readonly string[];
  readonly shop: TransactionReceiptReceiptDataAttributeShop;
  /** Its page, which anybody who has the address can open. */
  readonly url: string;
}

export interface CoverageCurrencyHeld {
  /** At the card processor, pending or available. */
  readonly processor: number;
  /** Sent by the processor to the bank account and not yet arrived. */
  readonly in_transit: number;
  /** On the bank account, by its statements. */
  readonly bank: number;
  /** Moved in with accounts, and not yet arrived at the bank. */
  readonly elsewhere: number;
  /** Invented, in a sandbox. */
  readonly sandbox: number;
  /** All of it. */
  readonly total: number;
}

export interface CoverageCurrencyOwed {
  /** In people's wallets. */
  readonly wallets: number;
  /** Earned, and not in the wallet yet. */
  readonly restricted: number;
  /** In open escrows. */
  readonly escrows: number;
  /** On its way to somebody: payments, refunds and payouts that are not done. */
  readonly in_transit: number;
  /** All of it. */
  readonly total: number;
}

export interface TrialBalanceCurrencyAccount {
  readonly kind: string;
  /** Minor units: more debits than credits. */
  readonly debit: number;
  /** Minor units: more credits than debits. */
  readonly credit: number;
}

export interface TrialBalanceCurrencyTotal {
  /** Minor units: more debits than credits. */
  readonly debit: number;
  /** Minor units: more credits than debits. */
  readonly credit: number;
}

export interface StatementMovement {
  /** The lifecycle that moved it. */
  readonly resource: string;
  /** Its move. */
  readonly event: string;
  /** Ledger entries. */
  readonly count: number;
  /** Minor units taken out. */
  readonly debit: number;
  /** Minor units brought in. */
  readonly credit: number;
}

export interface SellerTotalsPageSellerQuarter {
  /** How many sales paid the seller. */
  readonly sales: number;
  /** What they paid, before fees. Minor units. */
  readonly gross: number;
  /** What was withheld as fees. Minor units. */
  readonly fees: number;
  /** The seller's share, rounded down, of refunds in that time. Minor units. */
  readonly refunds: number;
}

export interface EventDeliveryAttempt {
  readonly number: number;
  readonly at: string;
  readonly status: number | null;
  readonly reason: string;
  readonly duration_ms: number;
  readonly answer_bytes: number;
  readonly excerpt: string;
}

export interface Scenario {
  readonly name: string;
  readonly kind:
    | 'scenario'
    | 'card'
    | 'account'
    | 'event'
    | 'person'
    | 'decision'
    | 'exchange'
    | 'behaviour';
  readonly story: string;
  readonly steps: readonly ScenarioStep[];
  readonly ends: string;
  readonly outcome: ScenarioOutcome;
  readonly needs: string | null;
  readonly how: ScenarioHow;
  readonly page: string;
}

export interface CounterpartyExchange {
  readonly name: string;
  readonly story: string;
  readonly operations: readonly string[];
}

export interface BookedPayment {
  readonly kind: 'charge' | 'remittance' | 'question';
  readonly key: string;
  readonly state: string;
  readonly reference: string | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly captured_amount: number | null;
  readonly captured_currency: string | null;
  readonly captures: number | null;
  readonly refunded: number | null;
  readonly taken_back: string | null;
  readonly remitted_as: string | null;
  readonly failure_code: string | null;
  readonly exchanges: readonly ProviderCall[];
}

export interface StatementRow {
  readonly line: number;
  readonly key: string;
  readonly kind: string;
  readonly reference: string;
  readonly part: number;
  readonly amount: number;
  readonly currency: string;
  readonly at: string;
}

export interface IdentityCheck {
  readonly kind: 'check';
  readonly key: string;
  readonly person: string | null;
  readonly state: string;
  readonly reference: string | null;
  readonly reasons: readonly string[];
  readonly rules: readonly string[];
  readonly exchanges: readonly ProviderCall[];
}

export interface ReceivedDelivery {
  readonly number: number;
  readonly receiver_id: string;
  readonly at: string;
  readonly event_id: string;
  readonly exchange: string;
  readonly status: number | null;
  readonly verified: ReceivedDeliveryVerified;
}

export interface ReceivedDeliveryVerified {
  readonly signed: boolean;
  readonly fresh: boolean;
  readonly authentic: boolean;
  readonly token: boolean;
}

export interface TimelineEntryRequest {
  readonly kind: 'request';
  /** Time of the workspace's clock. */
  readonly at: string;
  /** The same moment in real time. */
  readonly real_at: string;
  readonly text: string;
  readonly request_id: string;
  readonly operation: string;
  readonly caller: TimelineEntryRequestCaller;
  readonly status: number;
  readonly took_ms: number;
  readonly idempotency: 'none' | 'first' | 'replay';
  readonly refusal: ExplainedRefusal | null;
  readonly about: ResourceReference | null;
  /** State of the resource at the request; null if none applies. */
  readonly state: string | null;
  /** Events that are allowed in that state. */
  readonly allowed: readonly string[];
}

export interface TimelineEntryTransition {
  readonly kind: 'transition';
  /** Time of the workspace's clock. */
  readonly at: string;
  /** The same moment in real time. */
  readonly real_at: string;
  readonly text: string;
  readonly about: ResourceReference;
  readonly on: string;
  readonly from: string | null;
  readonly to: string;
  readonly version: number;
  readonly actor: string;
  readonly by: string | null;
  readonly why: string;
  readonly cites: string;
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
}

export interface TimelineEntryExchange {
  readonly kind: 'exchange';
  /** Time of the workspace's clock. */
  readonly at: string;
  /** The same moment in real time. */
  readonly real_at: string;
  readonly text: string;
  readonly about: ResourceReference;
  readonly counterparty: 'processor' | 'vendor';
  readonly operation: string;
  readonly times: number;
  readonly last_at: string;
  /** Current record of the provider; null if there is none. */
  readonly book: string | null;
  readonly failure_code: string | null;
  readonly reference: string | null;
  readonly amount: number | null;
  readonly currency: string | null;
}

export interface TimelineEntryPosting {
  readonly kind: 'posting';
  /** Time of the workspace's clock. */
  readonly at: string;
  /** The same moment in real time. */
  readonly real_at: string;
  readonly text: string;
  readonly about: ResourceReference;
  readonly version: number;
  readonly line: number;
  /** Type of the account in the chart of accounts. */
  readonly ledger_account: string;
  readonly wallet_id: string | null;
  readonly account_id: string | null;
  /** Minor units, signed. */
  readonly amount: number;
  readonly currency: string;
  readonly balance_after: number | null;
}

export interface TimelineEntryEvent {
  readonly kind: 'event';
  /** Time of the workspace's clock. */
  readonly at: string;
  /** The same moment in real time. */
  readonly real_at: string;
  readonly text: string;
  readonly about: ResourceReference;
  readonly version: number;
  readonly event_id: string;
  readonly name: string;
  /** Null until the event has its sequence number. */
  readonly sequence: number | null;
}

export interface TimelineEntryDelivery {
  readonly kind: 'delivery';
  /** Time of the workspace's clock. */
  readonly at: string;
  /** The same moment in real time. */
  readonly real_at: string;
  readonly text: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly sequence: number;
  readonly state: 'pending' | 'delivered' | 'dead';
  readonly tries: number;
  readonly next_try: string | null;
  readonly status: number | null;
  readonly reason: string | null;
}

export interface TimelineEntryAttempt {
  readonly kind: 'attempt';
  /** Time of the workspace's clock. */
  readonly at: string;
  /** The same moment in real time. */
  readonly real_at: string;
  readonly text: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly sequence: number;
  readonly number: number;
  readonly status: number | null;
  readonly reason: string | null;
  readonly took_ms: number;
}

export interface TimelineEntryOperator {
  readonly kind: 'operator';
  /** Time of the workspace's clock. */
  readonly at: string;
  /** The same moment in real time. */
  readonly real_at: string;
  readonly text: string;
  readonly about: ResourceReference;
  readonly act: string;
  readonly actor: string;
}

export interface TimelineEntryRecord {
  readonly kind: 'record';
  /** Time of the workspace's clock. */
  readonly at: string;
  /** The same moment in real time. */
  readonly real_at: string;
  readonly text: string;
  readonly about: ResourceReference;
  readonly what: string;
  readonly state: string | null;
}

export interface SaleSummaryLineItem {
  readonly description: string;
  readonly product_sku: string;
  readonly display_amount: string;
}

export interface MilestoneWishLineItem {
  /** Its place, from 0. */
  readonly line_item: number;
  /** Minor units. */
  readonly amount: number;
}

export interface SaleDataRecipientItem {
  readonly line_item_id: string;
  readonly product_sku: string;
  readonly description: string;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly amount_received: number;
  readonly amount_received_display: string;
  readonly amount_received_less_fees: number;
  readonly amount_received_less_fees_display: string;
  readonly amount_fees_paid: number;
  readonly amount_fees_paid_display: string;
  readonly payment_method_id: string;
  readonly payment_method_display_string: string;
  readonly fees: readonly SaleDataRecipientItemFee[];
}

export interface PayoutDataSourcePaymentMethod {
  readonly payment_method_id: string;
  readonly payment_method_display_string: string;
}

export interface RefundDataRefundLineItem {
  readonly line_item_id: string;
  readonly product_sku: string;
  readonly description: string;
  readonly amount: number;
  readonly amount_display: string;
}

export interface RefundDataRefundPaymentMethod {
  readonly payment_method_id: string;
  readonly payment_method_display_string: string;
  readonly amount: number;
  readonly amount_display: string;
}

export interface ReceiptRow {
  readonly name: string;
  readonly amount: number;
  readonly amount_display: string;
}

export interface TransactionReceiptReceiptDataAttributeShop {
  readonly name: string;
  /** An address or a page; '' where none is known. */
  readonly contact: string;
}

export interface ScenarioStep {
  readonly asked: string;
  readonly answered: string;
}

export interface ScenarioOutcome {
  readonly of: 'payment' | 'payout' | 'application' | 'delivery';
  readonly state: string;
  readonly code: string | null;
  readonly moved: readonly string[] | null;
  readonly tries: number | null;
}

export interface ScenarioHow {
  readonly host: 'invoicing' | 'pii';
  readonly operation: string;
  readonly method: 'POST';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly curl: string;
  readonly sdk: string;
}

export interface ProviderCall {
  readonly operation: string;
  readonly times: number;
  readonly first_at: string;
  readonly last_at: string;
}

export interface TimelineEntryRequestCaller {
  readonly kind: 'client' | 'user' | 'session';
  readonly client_id: string;
  readonly account_id: string | null;
}

export interface ExplainedRefusal {
  readonly code: string;
  readonly sentence: string;
  readonly cites: string;
  readonly act: string;
  readonly retry: boolean;
}

export interface SaleDataRecipientItemFee {
  readonly amount: number;
  readonly amount_display: string;
  readonly description: string;
}

/** Card numbers of the sandbox by name. */
export const TEST_CARDS = {
  visa: '4111111111111111',
  visa_4242: '4242424242424242',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  discover: '6011111111111117',
  diners: '30569309025904',
  jcb: '3530111333300000',
  unionpay: '6253111111111114',
  maestro: '6759641111111119',
  card_declined: '4000000000000002',
  mastercard_declined: '5105105105105100',
  amex_declined: '371449635398431',
  discover_declined: '6011000990139424',
  jcb_declined: '3566002020360505',
  generic_error: '4000000000000028',
  insufficient_funds: '4000000000009995',
  card_expired: '4000000000000069',
  incorrect_cvc: '4000000000000127',
  processing_error: '4000000000000119',
  authentication_required: '4000002500003155',
  limit_exceeded: '4000000000006975',
  three_d_secure: '4000002760003184',
  capture_declined: '4000000000001018',
  timeout_before_effect: '4000000000002016',
  timeout_after_effect: '4000000000002024',
  capture_timeout_before_effect: '4000000000002032',
  capture_timeout_after_effect: '4000000000002040',
  slow: '4000000000003014',
  refund_declined: '4000000000004012',
  refund_timeout_before_effect: '4000000000004020',
  refund_timeout_after_effect: '4000000000004038',
} as const;

/** The routing number of the test bank, and its account numbers by name. */
export const TEST_ROUTING = '110000000';
export const TEST_BANKS = {
  bank: '000123456789',
  bank_settled: '000123451116',
  bank_slow: '000123452227',
  bank_closed: '000123453335',
  bank_returned: '000123454443',
} as const;

/** Who can log in at the sandbox's wallet. */
export const TEST_LOGINS = [
  'paypal',
  'paypal_refused',
] as const;
