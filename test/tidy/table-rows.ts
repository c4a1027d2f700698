// The rows of the table law: who owns each table, who else writes it and for what purpose, and who
// reads it in SQL. A row that the sources do not need any more fails the test, like a missing one.
import { COPIED } from '../../src/sandbox/workspace/tables.ts';

/** The tables of each part. Only the owner writes, in SQL or by a definition for the engine. */
export const OWNERS: Readonly<Record<string, readonly string[]>> = {
  db: ['heartbeat', 'node', 'generation'],
  engine: ['machine_move', 'step', 'history', 'idempotency'],
  ledger: ['ledger_account', 'balance', 'posting', 'integrator_balance', 'integrator_credit'],
  outbox: ['outbox', 'event', 'seal'],
  'installation.ts': ['installation'],
  'people/account': ['account', 'account_person', 'account_block'],
  'tell/audit': ['audit_entry', 'audit_pending', 'audit_block', 'audit_line', 'audit_key',
    'audit_proof'],
  'people/business': ['entity', 'entity_agent', 'entity_document'],
  'sandbox/clock': ['clock_move'],
  'people/consent': ['consent'],
  'money/act': ['money_act'],
  'money/bank': [
    ...['bank_account', 'bank_statement', 'bank_entry', 'incoming_transfer', 'bank_booking'],
  ],
  'money/dispute': [
    ...['dispute', 'dispute_evidence', 'dispute_answer', 'dispute_answer_job'],
  ],
  'money/disagreement': ['disagreement', 'disagreement_statement'],
  'money/evidence': ['dispute_content'],
  'money/escrow': ['escrow', 'escrow_seller'],
  'tell/explain': ['request_note'],
  'people/identity': [
    ...['kyc', 'kyc_moved', 'kyc_application', 'kyc_document', 'identity_check', 'identity_job'],
    ...['identity_notice_seen', 'watch_list'],
  ],
  'people/screening': [
    ...['screening_list', 'screening_entry', 'screening_sighting', 'screening_run'],
    'screening_hit',
  ],
  'money/invoice': ['invoice', 'invoice_document', 'authorized_invoice'],
  'people/matching': [
    ...['match_person', 'match_key', 'match_check', 'match_job', 'match_count', 'match_uncount'],
    ...['match_estimate', 'match_weights'],
  ],
  'access/oauth': ['client', 'signing_key', 'refresh_token', 'revoked_token', 'link'],
  idempotent: ['kept_secret'],
  'access/operator': [
    ...['operator', 'operator_session', 'operator_throttle', 'operator_proposal'],
    ...['operator_device', 'operator_mail'],
  ],
  'money/payout': ['payout'],
  'money/payout-schedule': ['payout_schedule'],
  'money/payee': ['payee', 'payee_job'],
  'money/payout-file': ['payout_file', 'payout_file_item'],
  'money/reconciliation': [
    ...['processor_notice_seen', 'statement_cursor', 'statement_line', 'difference'],
  ],
  'money/refund': ['refunded_amounts', 'refund', 'reversal'],
  'money/reserve': ['reserve', 'reserve_hold'],
  'people/review': [
    ...['operator_account', 'review_proposal', 'review_note', 'review_claim', 'review_view'],
  ],
  'tenant/provider': ['provider_connection', 'former_connection'],
  'tenant/imports': ['imported', 'opening', 'opening_line'],
  'tenant/settings': ['tenant_setting'],
  'tenant/stop': ['stop'],
  'tenant/reporting': ['reporting_role'],
  'tenant/move': ['tenant_move'],
  'tenant/tenant': ['tenant', 'workspace', 'workspace_currency', 'cache_invalidation'],
  'people/terms': ['terms_version', 'terms_signature'],
  'people/retention': ['legal_hold', 'erasure_job'],
  'money/wallet': [
    ...['wallet', 'payment_method', 'deposit', 'method_entry', 'payout_destination'],
    ...['attempt', 'attempt_job', 'transfer', 'transfer_job', 'wallet_debt', 'debt_repayment'],
  ],
  'money/treasury': ['settlement', 'funds', 'funds_hold'],
  'tell/webhook': [
    ...['webhook_endpoint', 'webhook_secret', 'delivery', 'delivery_attempt', 'event_epoch'],
  ],
  'people/email-check': ['email_check'],
  'tell/mail': ['mail', 'mail_cursor', 'mail_bounce'],
  'sandbox/mail': ['captured_mail'],
  'sandbox/workspace': ['snapshot'],
  'sandbox/simulators': [
    ...['processor_card', 'processor_charge', 'processor_entry', 'processor_transfer'],
    'processor_answer',
    ...['processor_statement', 'processor_exchange', 'processor_script', 'processor_notice'],
    ...['processor_due', 'vendor_check', 'vendor_exchange', 'vendor_script', 'vendor_notice'],
    ...['vendor_due', 'receiver', 'receiver_exchange', 'receiver_script', 'receiver_request'],
    ...['sandbox_wait', 'processor_terms'],
  ],
};

/** Parts, tables of others and the reason: each of the parts needs each of the tables. */
export interface Allowance {
  readonly parts: readonly string[];
  readonly tables: readonly string[];
  readonly why: string;
}

/** Tables with a job or a lease in real time, which the sandbox's clock moves. */
const QUEUES = [
  ...['attempt_job', 'transfer_job', 'dispute_answer_job', 'identity_job', 'erasure_job'],
  ...['payee_job', 'statement_cursor', 'mail'],
  ...['processor_due', 'processor_notice', 'vendor_due', 'vendor_notice'],
];

/** Who writes what is not theirs: whole-workspace acts of the sandbox, each held by a test. */
export const WRITES: readonly Allowance[] = [
  {
    parts: ['sandbox/workspace'],
    tables: COPIED.map((table) => table.name),
    why: 'A clone gets the rows of a snapshot, table by table.',
  },
  {
    parts: ['sandbox/clock'],
    tables: QUEUES,
    why: 'Advancing the clock brings forward what waits in real time.',
  },
  {
    parts: ['sandbox/clock'],
    tables: ['delivery', 'operator_mail', 'sandbox_wait'],
    why: 'A first start frees what a killed process had leased.',
  },
  {
    parts: ['sandbox/clock', 'sandbox/workspace'],
    tables: ['workspace'],
    why: 'The workspace row holds the clock and the snapshot of resets.',
  },
  {
    parts: ['access/oauth'],
    tables: ['installation'],
    why: 'The first start fixes the issuer of the tokens.',
  },
  {
    parts: ['idempotent'],
    tables: ['idempotency'],
    why: 'A change without a command keeps its answer under the same keys.',
  },
  {
    parts: ['money/payout-file'],
    tables: ['bank_entry'],
    why: 'A row of a statement that settled a payout is marked so.',
  },
  {
    parts: ['tenant/move'],
    tables: ['workspace', 'link', 'refresh_token', 'operator'],
    why: 'A move carries rows of every table, and ends the workspace that it leaves.',
  },
];

/** Who reads what is not theirs in SQL. */
export const READS: readonly Allowance[] = [
  {
    parts: ['tenant/stop'],
    tables: ['workspace', 'tenant_move'],
    why: 'What is stopped for a tenant is stopped in its workspaces, and so is one that moves.',
  },
  {
    parts: ['tenant/stop'],
    tables: ['provider_connection'],
    why: 'What is stopped at a provider is stopped in the workspaces that it works for.',
  },
  {
    parts: ['access/session-exchange'],
    tables: ['workspace', 'authorized_invoice'],
    why: 'The tenant whose link a mistyped address was, so that its page has the look of it.',
  },
  {
    parts: ['outbox'],
    tables: ['history'],
    why: 'A record as it was at a version is composed from the step to that version.',
  },
  {
    parts: [
      ...['cli', 'console', 'tell/audit', 'sandbox/clock', 'people/consent', 'money/evidence'],
      ...['money/escrow', 'money/history', 'people/identity', 'money/invoice'],
      ...['access/oauth', 'access/operator', 'money/reconciliation', 'money/refund'],
      ...['people/review', 'tenant/provider', 'tenant/settings', 'people/terms'],
      'people/retention',
      ...['money/wallet', 'tell/webhook', 'sandbox/workspace', 'engine', 'outbox'],
      ...['money/bank', 'money/treasury', 'money/payout-file', 'money/payout-schedule'],
      ...['people/screening', 'seen', 'ledger'],
      ...['tenant/move', 'sandbox/simulators', 'tell/mail'],
      'people/email-check',
    ],
    tables: ['workspace'],
    why: 'The offset of its clock, its lineage, and whether it is archived.',
  },
  {
    parts: [
      'access/oauth',
      'access/operator',
      'people/review',
      'tenant/settings',
      'sandbox/workspace',
    ],
    tables: ['tenant'],
    why: 'Whose workspace it is, and the name that pages show.',
  },
  {
    parts: ['access/operator', 'people/review'],
    tables: ['tenant_setting'],
    why: 'The name of the tenant as its operators see it.',
  },
  {
    parts: ['tell/mail'],
    tables: ['account_person', 'tenant_setting'],
    why: 'Workspaces with people to mail are found in one statement, and who has an address.',
  },
  {
    parts: [
      ...['people/credit-eligibility', 'people/review', 'money/bank', 'money/reconciliation'],
      ...['money/wallet', 'ledger'],
    ],
    tables: ['workspace_currency'],
    why: 'The currencies of the workspace with their digits.',
  },
  {
    parts: ['money/wallet'],
    tables: ['kyc'],
    why: 'Accounts without a wallet in a new currency, locked until they have one.',
  },
  {
    parts: ['cli'],
    tables: ['account', 'client'],
    why: 'The commands for one person and for one client.',
  },
  {
    parts: ['money/books'],
    tables: [
      ...['account', 'balance', 'debt_repayment', 'invoice_document', 'ledger_account'],
      ...['posting', 'refund', 'history', 'wallet'],
    ],
    why: 'The books as an accountant reads them.',
  },
  {
    parts: ['ledger'],
    tables: ['history'],
    why: 'When a ledger entry was made is told by its step.',
  },
  {
    parts: ['money/wallet', 'tell/webhook'],
    tables: ['history'],
    why: 'The request that a call to the outside is for.',
  },
  {
    parts: ['tenant/imports'],
    tables: ['account', 'balance', 'ledger_account', 'posting', 'history', 'wallet', 'workspace'],
    why: 'The lines of a file find their wallets at once; its laws compare them with the books.',
  },
  {
    parts: ['sandbox/seeding.ts'],
    tables: ['wallet'],
    why: 'Whether a first start has to fill the example wallets.',
  },
  {
    parts: ['people/credit-eligibility'],
    tables: ['account', 'balance', 'kyc', 'wallet'],
    why: 'Its law compares what accrues with the identity of the account.',
  },
  {
    parts: ['tenant/move'],
    tables: [
      ...['audit_block', 'client', 'delivery', 'installation', 'link', 'node', 'operator_account'],
      ...['refresh_token', 'terms_signature', 'terms_version'],
    ],
    why: 'A move carries rows of every table, and waits for nodes and deliveries.',
  },
  {
    parts: ['tenant/export'],
    tables: ['audit_block', 'balance', 'ledger_account', 'posting', 'history'],
    why: 'An export has the books and the history that moved them.',
  },
  {
    parts: ['tell/audit'],
    tables: ['tenant_move'],
    why: 'The chain of a tenant that was moved goes on where it is now.',
  },
  {
    parts: ['tell/audit'],
    tables: ['event', 'kyc', 'history'],
    why: 'Its chain covers each step and event; its law follows the acts of operators.',
  },
  {
    parts: ['people/business'],
    tables: ['event', 'kyc_moved', 'outbox', 'history'],
    why: 'Its laws compare each state with its steps and announcements.',
  },
  {
    parts: ['people/business'],
    tables: ['kyc'],
    why: 'The people of a business are verified where persons are.',
  },
  {
    parts: ['people/business'],
    tables: ['client', 'workspace'],
    why: 'An invitation is of the client that submitted the business, and names the tenant.',
  },
  {
    parts: ['money/bank'],
    tables: [
      ...['deposit', 'funds', 'ledger_account', 'payout_file', 'posting', 'history', 'transfer'],
      'wallet',
    ],
    why: 'A transfer is shown with its wallet and deposit; its laws compare it with the books.',
  },
  {
    parts: ['money/payout-file'],
    tables: ['ledger_account', 'payout', 'posting', 'history', 'transfer'],
    why: 'A file is made of transfers; its laws compare them with steps and money.',
  },
  {
    parts: ['money/payout-file'],
    tables: ['account', 'kyc', 'payment_method', 'payout_destination'],
    why: 'Whom a file pays, and whether they may still be paid.',
  },
  {
    parts: ['money/payout-file'],
    tables: ['bank_entry'],
    why: 'What statements say of the payouts in a file.',
  },
  {
    parts: ['money/payee'],
    tables: ['payment_method', 'history'],
    why: 'The token of an account at the processor, and what its laws compare it with.',
  },
  {
    parts: ['money/payout-schedule'],
    tables: ['balance', 'wallet'],
    why: 'The wallet that a schedule empties.',
  },
  {
    parts: ['money/act'],
    tables: ['posting'],
    why: 'Its law compares what balanced the books with them.',
  },
  {
    parts: ['money/disagreement'],
    tables: ['escrow', 'invoice_document', 'history'],
    why: 'Its laws compare each with its escrow and steps; a document names both sides.',
  },
  {
    parts: ['money/evidence'],
    tables: ['disagreement', 'disagreement_statement', 'dispute', 'dispute_evidence'],
    why: 'What no piece names, or names no more, is deleted.',
  },
  {
    parts: ['money/dispute'],
    tables: ['escrow', 'event', 'outbox', 'reversal', 'history'],
    why: 'Its laws compare each state with steps, events and money.',
  },
  {
    parts: ['money/escrow'],
    tables: ['event', 'ledger_account', 'outbox', 'posting', 'reversal', 'history'],
    why: 'Its laws compare each state with steps, events and money.',
  },
  {
    parts: ['money/payout'],
    tables: [
      ...['event', 'history', 'invoice_document', 'ledger_account', 'outbox', 'posting'],
      'transfer',
    ],
    why: 'Its laws and statements compare each state with steps, events and money.',
  },
  {
    parts: ['money/reserve'],
    tables: ['balance', 'dispute', 'invoice', 'invoice_document', 'posting', 'history', 'wallet'],
    why: 'Its laws compare each reserve with steps, sales, disputes and money.',
  },
  {
    parts: ['people/credit-eligibility', 'money/wallet'],
    tables: ['reserve'],
    why: 'How much of restricted funds is in reserve.',
  },
  {
    parts: ['tenant/tenant'],
    tables: ['tenant_setting'],
    why: 'What of new sales is put in reserve, beside the currencies.',
  },
  {
    parts: ['money/refund'],
    tables: [
      ...['attempt', 'escrow', 'event', 'invoice', 'invoice_document', 'ledger_account'],
      ...['outbox', 'posting', 'history'],
    ],
    why:
      'Its laws compare each state with steps, events and money; a refund is shown with its ' +
      'invoice.',
  },
  {
    parts: ['people/identity'],
    tables: ['event', 'outbox', 'history'],
    why: 'Its laws compare each state with steps and events.',
  },
  {
    parts: ['money/treasury'],
    tables: ['ledger_account', 'posting', 'statement_line'],
    why: 'Where money lies is a sum of the books, and its laws compare it with the statement.',
  },
  {
    parts: ['money/reconciliation'],
    tables: [
      ...['attempt', 'deposit', 'dispute', 'invoice', 'ledger_account', 'posting', 'refund'],
      ...['transfer', 'reversal', 'history', 'settlement', 'funds'],
    ],
    why: 'It compares the whole of the books with the statement of the processor.',
  },
  {
    parts: ['people/account-merge'],
    tables: ['account', 'account_block'],
    why: 'Its law checks that a merged account is closed.',
  },
  {
    parts: ['people/matching'],
    tables: ['account_person', 'erasure_job', 'kyc_application', 'tenant_setting'],
    why: 'Persons are compared within one statement; an erased one leaves nothing behind; '
      + 'the tenant has chosen what is listed.',
  },
  {
    parts: ['people/identity'],
    tables: ['account', 'account_person'],
    why: 'A submission and the data that it is checked against are read together.',
  },
  {
    parts: ['money/escrow'],
    tables: ['invoice_document'],
    why: 'An escrow is shown with the line items of its invoice.',
  },
  {
    parts: ['money/invoice'],
    tables: ['attempt', 'event', 'ledger_account', 'outbox', 'posting', 'transfer', 'history'],
    why: 'Its laws compare each state with steps, events and money; an invoice shows its attempt.',
  },
  {
    parts: ['money/history'],
    tables: [
      ...['escrow_seller', 'invoice', 'invoice_document', 'payment_method', 'payout'],
      ...['posting', 'refund', 'wallet'],
    ],
    why: 'One page of history joins and sorts all movements of an account.',
  },
  {
    parts: ['people/consent'],
    tables: ['account'],
    why: 'A consent is of an account that exists.',
  },
  {
    parts: ['access/oauth'],
    tables: ['account', 'consent'],
    why: 'A grant checks account and consent in the statement that issues the token.',
  },
  {
    parts: ['access/oauth'],
    tables: ['installation'],
    why: 'The issuer of the tokens.',
  },
  {
    parts: ['idempotent'],
    tables: ['idempotency'],
    why: 'A change without a command keeps its answer under the same keys.',
  },
  {
    parts: ['sandbox/counterparty', 'sandbox/control'],
    tables: ['payment_method'],
    why: 'The card or bank account that a test stands behind.',
  },
  {
    parts: ['sandbox/control'],
    tables: ['attempt', 'dispute', 'identity_check', 'refund', 'transfer', 'reversal'],
    why: 'A test acts as the outside world on an object of the workspace.',
  },
  {
    parts: ['money/payout'],
    tables: ['payment_method'],
    why: 'A payout is shown with its bank account.',
  },
  {
    parts: ['money/wallet'],
    tables: ['provider_connection'],
    why: 'A payment is asked for at the connection that was there when a worker first took it.',
  },
  {
    parts: ['money/wallet'],
    tables: ['account'],
    why: 'A deposit and a card entry are of an account that exists.',
  },
  {
    parts: ['money/wallet'],
    tables: ['balance', 'integrator_balance', 'integrator_credit'],
    why: 'A wallet is shown with its balance.',
  },
  {
    parts: ['money/wallet'],
    tables: ['invoice', 'invoice_document', 'posting'],
    why: 'Its law compares what a sale repaid with what it credited.',
  },
  {
    parts: ['tell/webhook', 'tell/mail'],
    tables: ['event', 'seal'],
    why: 'Deliveries and mails are made of the sealed stream, up to its end.',
  },
  {
    parts: ['people/review'],
    tables: [
      ...['balance', 'entity', 'entity_agent', 'kyc', 'kyc_application', 'kyc_document'],
      ...['match_check', 'operator', 'screening_hit', 'history', 'wallet'],
    ],
    why: 'The queue sorts cases of several modules in one statement; a case shows its parts.',
  },
  {
    parts: ['people/screening'],
    tables: ['entity', 'kyc_application', 'history'],
    why: 'Its laws compare each hit with its application or business and its steps.',
  },
  {
    parts: ['people/retention'],
    tables: [
      ...['account', 'account_block', 'account_person', 'balance', 'identity_check'],
      ...['kyc', 'wallet'],
    ],
    why: 'What is kept how long depends on the last activity of an account.',
  },
  {
    parts: ['people/retention'],
    tables: [
      ...['attempt', 'deposit', 'entity_agent', 'escrow', 'escrow_seller', 'invoice'],
      ...['invoice_document', 'opening', 'opening_line', 'payout', 'refund', 'reversal'],
    ],
    why: 'Nobody is erased while money of theirs is in progress.',
  },
  {
    parts: ['sandbox/workspace'],
    tables: ['client', 'delivery', 'processor_charge'],
    why: 'What a clone keeps and what it must rename.',
  },
  {
    parts: ['sandbox/clock'],
    tables: [
      ...['attempt', 'attempt_job', 'authorized_invoice', 'delivery', 'entity'],
      ...['dispute_answer', 'dispute_answer_job'],
      ...['erasure_job', 'escrow', 'event', 'identity_check', 'identity_job', 'kyc'],
      ...['kyc_moved', 'link', 'method_entry', 'outbox', 'payout', 'processor_due'],
      ...['processor_notice', 'transfer', 'transfer_job', 'sandbox_wait'],
      ...['statement_cursor', 'statement_line', 'vendor_due', 'vendor_notice'],
      ...['webhook_endpoint', 'settlement', 'payout_schedule', 'dispute', 'reserve'],
      'disagreement',
    ],
    why: 'The one list of what waits for its time.',
  },
  {
    parts: ['sandbox/clock'],
    tables: ['processor_statement'],
    why: 'Time stands still until the statement is read to its end.',
  },
  {
    parts: ['tell/explain'],
    tables: [
      ...['account', 'account_block', 'attempt', 'authorized_invoice', 'consent', 'deposit'],
      ...['difference', 'disagreement', 'dispute', 'entity', 'entity_agent', 'entity_document'],
      ...['escrow', 'identity_check', 'invoice', 'kyc', 'kyc_application', 'kyc_document', 'link'],
      ...['incoming_transfer', 'method_entry', 'money_act', 'opening', 'payment_method'],
      ...['payout', 'payout_file', 'payout_file_item', 'refund', 'reversal', 'review_proposal'],
      ...['statement_line', 'transfer', 'wallet', 'wallet_debt', 'reserve'],
    ],
    why: 'An id of any kind is found among all of them.',
  },
  {
    parts: ['tell/explain'],
    tables: [
      ...['attempt_job', 'dispute_answer_job', 'identity_job', 'operator', 'transfer_job'],
      'webhook_endpoint',
    ],
    why: 'What an object waits for now, and for whom.',
  },
  {
    parts: ['tell/explain'],
    tables: [
      ...['audit_entry', 'clock_move', 'delivery', 'delivery_attempt', 'event'],
      ...['idempotency', 'ledger_account', 'outbox', 'posting', 'review_note', 'history'],
    ],
    why: 'The timeline of an object: steps, money, requests and deliveries.',
  },
  {
    parts: ['tell/explain'],
    tables: [
      ...['processor_charge', 'processor_exchange', 'processor_transfer', 'vendor_check'],
      'vendor_exchange',
    ],
    why: 'The calls to the simulated providers.',
  },
];
