// What a schema may not do to the programs of the last release, which serve on it until each node
// is replaced: nothing that they know goes away or refuses what was right, but for rows with a
// reason.

/** What changed although the last release knows it, and why its programs stand that. */
export const REASONS: Readonly<Record<string, string>> = {
  'column idempotency created': 'null only where none of them serves',
  'column step actor': 'null only where they are turned back until none of them serves',
  'column step event': 'the same',
  'column step from_state': 'the same',
  'column step machine': 'the same',
  'column step to_state': 'the same',
  'constraint deposit deposit_transfer': 'of a column that they leave empty',
  'constraint entity entity_course_check': 'more courses are allowed',
  'constraint escrow escrow_course':
    'of a column that they leave empty; they must not move a row where it is set',
  'constraint idempotency idempotency_pkey': 'gone only where none of them serves',
  'constraint identity_check identity_check_check': 'one more open state is allowed',
  'constraint kyc kyc_document_expires': 'of a column that they leave empty',
  'constraint link link_workspace_account_id_fkey': 'lets in what it refused',
  'constraint link link_workspace_fkey': 'lets in what it refused',
  'constraint method_entry method_entry_workspace_payment_method_id_key': 'lets in what it refused',
  'constraint payment_method payment_method_provider_check': 'more providers are allowed',
  'constraint processor_due processor_due_event_check': 'more events are allowed',
  'constraint processor_exchange processor_exchange_operation_check': 'more operations are allowed',
  'constraint processor_script processor_script_operation_check': 'more operations are allowed',
  'constraint processor_statement processor_statement_kind_check': 'more kinds are allowed',
  'constraint refresh_token refresh_token_workspace_account_id_fkey': 'lets in what it refused',
  'constraint refresh_token refresh_token_workspace_fkey': 'lets in what it refused',
  'constraint review_proposal review_proposal_subject_check': 'one more subject is allowed',
  'constraint statement_line statement_line_kind_check': 'more kinds are allowed',
  'constraint step step_acted': 'holds where the new columns are empty',
  'constraint step step_named': 'holds where the new columns are empty',
  'constraint transfer transfer_rail_state': 'only of states that they do not know',
  'function check_authorized_invoice': 'does the same, for both forms of terms',
  'function check_balances': 'does the same, by either index',
  'function check_heads': 'does the same, for both forms of steps',
  'function check_postings': 'does the same, for both forms of steps, by either index',
  'function check_statement_line': 'guards new columns too',
  'function check_steps': 'does the same, for both forms of steps',
  'function end_access': 'does the same, at one moment for all its rows',
  'function note_escrow_sellers': 'does the same, for both forms of terms',
  'function refuse_early_delete': 'guards new tables too',
  'index deposit deposit_of_transfer': 'of a column that they leave empty',
  'index idempotency idempotency_pkey': 'gone only where none of them serves',
  'index idempotency idempotency_workspace_hashtext_hashtextextended_idx':
    'there only where none of them serves, and holds what the primary key held',
  'index method_entry method_entry_workspace_payment_method_id_key': 'lets in what it refused',
  'index posting posting_chain':
    'by hashes only where none of them serves, and holds what it held',
  'trigger escrow escrow_parts':
    'of a column that they leave empty, and of freezes that they end as it wants',
  'trigger idempotency idempotency_past_key': 'what it refuses the primary key refused before',
  'trigger match_person match_person_uncount':
    'notes a new column of rows that they delete, and refuses nothing',
  'trigger processor_notice_seen processor_notice_seen_past': 'skips what is there, as they ask',
  'trigger processor_statement processor_statement_terms': 'fills new columns, and refuses nothing',
  'trigger step step_audited': 'seals more steps, and refuses nothing',
  'trigger transfer transfer_rejected': 'only in a state that they do not know',
};

const UNBINDING = /^(?:comment|statistics) |^index CREATE INDEX |^constraint .* NOT NULL \w+$/;
const NAMES = [
  /^function CREATE OR REPLACE FUNCTION public\.(?<name>\w+)/,
  /^trigger CREATE (?:CONSTRAINT )?TRIGGER (?<name>\w+) .*? ON public\.(?<table>\w+)/,
  /^index CREATE UNIQUE INDEX (?<name>\w+) ON public\.(?<table>\w+)/,
  /^table (?<table>\w+)/,
  /^column (?<table>\w+) (?<name>\w+)/,
  /^(?:constraint|sequence|type) (?<table>\w+)(?: (?<name>\w+))?/,
];

/** A line of a catalogue, read. */
interface Thing {
  readonly kind: string;
  readonly table: string;
  readonly name: string;
  readonly line: string;
}

/** What of a catalogue can be in a writer's way. A column's place among the others cannot. */
function read(catalogue: readonly string[]): Thing[] {
  const lines = catalogue.filter((line) => !UNBINDING.test(line));
  return lines.map((text) => {
    const line = text.replace(/^(column \w+) \d+ /, '$1 ');
    const groups = NAMES.map((pattern) => pattern.exec(line)).find((one) => one !== null)?.groups;
    const [kind = ''] = line.split(' ', 1);
    return { kind, table: groups?.['table'] ?? '', name: groups?.['name'] ?? '', line };
  });
}

/** True where a new part of a known table can refuse a row that names only what was known. */
function refuses({ kind, line }: Thing, columns: ReadonlySet<string>): boolean {
  if (kind === 'column') return / not null/.test(line) && !/ default /.test(line);
  if (kind === 'trigger') return true;
  if (kind !== 'constraint' && kind !== 'index') return false;
  // What names new columns alone holds for their defaults: it held for the rows that are there.
  const [, about = ''] = /(?:\(|CHECK )(.*)$/.exec(line) ?? [];
  return (about.match(/\w+/g) ?? []).some((word) => columns.has(word));
}

/** What a new schema takes from those who know the old one, or asks of them, in a few words. */
export function narrowings(before: readonly string[], after: readonly string[]): string[] {
  const [known, now] = [read(before), read(after)];
  const [old, fresh] = [known, now].map((all) => new Set(all.map(({ line }) => line)));
  const gone = known.filter(({ line }) => fresh?.has(line) === false);
  const tables = new Set(known.filter(({ kind }) => kind === 'table').map(({ table }) => table));
  const stricter = now.filter((thing) => {
    if (!tables.has(thing.table) || old?.has(thing.line) === true) return false;
    const own = known.filter(({ kind, table }) => kind === 'column' && table === thing.table);
    return refuses(thing, new Set(own.map(({ name }) => name)));
  });
  const words = [...gone, ...stricter].map(({ kind, table, name }) => `${kind} ${table} ${name}`);
  return [...new Set(words.map((text) => text.replaceAll(/ +/g, ' ').trim()))].toSorted();
}
