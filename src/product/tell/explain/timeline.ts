// Merges all sources into one timeline, in the order of the workspace's time; bounded, keeping the
// newest. Without a lifecycle are acts of people and operators, from the audit, records that were
// only created, and calls to the card processor and the identity vendor, read from the simulators'
// own tables. No text that a person wrote is shown.
import type { Queryable } from '../../../db/index.ts';
import type { Machine } from '../../../core/machine.ts';
import { postings, transitions } from './lifecycle.ts';
import { nextOf, nowText, standingOf } from './current-state.ts';
import { escrowStanding } from './escrow.ts';
import { atReal, atVirtual, found, kindsOf, MOST_ENTRIES, thingOf } from './source.ts';
import type { Counted, Found, Question } from './source.ts';
import { requests } from './requests.ts';
import type { Entry, Explanation } from './schema.ts';
import { ownersOf, partsOf, spelled, subjectOf } from './resource.ts';
import { deliveries, events, tries } from './deliveries.ts';
import { WorkspaceTime } from './workspace-time.ts';
import type { Instant } from '../../../core/time.ts';
import { ACTS, type Act } from '../audit/index.ts';
import { displayAmount } from '../../../core/currency.ts';

interface ActRow extends Counted {
  readonly subject: string;
  readonly uuid: string | null;
  readonly act: string;
  readonly actor: string;
  readonly at: Instant;
}

/** Audit entries about the resources, and acts of reviews, whose notes stay sealed. */
async function acts(q: Question): Promise<Found> {
  const spellings = q.ids.map((id) => thingOf(q, id).id);
  const rows = await q.db.query<ActRow>({
    name: 'explain_acts',
    text: `select a.*, count(*) over () as total from (
        select subject, null::uuid as uuid, act, actor, at from audit_entry
          where workspace = $1 and subject = any ($3)
        union all select '', subject_id, 'review_' || act, 'operator:' || operator_id, created
          from review_note where workspace = $1 and (subject_id = any ($2) or account_id = any ($2))
      ) a order by at desc limit ${MOST_ENTRIES}`,
    values: [q.workspace, q.ids, [...new Set([...q.ids, ...spellings])]],
  });
  return found(rows, (row) => actOf(q, row));
}

function actOf(q: Question, { act, actor, at, subject, uuid }: ActRow): Entry {
  const id = uuid ?? q.ids.find((one) => [one, thingOf(q, one).id].includes(subject)) ?? '';
  const about = thingOf(q, id);
  const what = ACTS[act as Act] ?? `in the review of the ${about.kind}`;
  return { kind: 'operator', ...atVirtual(q, at), about, act, actor, text: `${act}: ${what}` };
}

interface RecordRow extends Counted {
  readonly id: string;
  readonly kind: string;
  readonly what: string;
  readonly state: string | null;
  /** True where `at` is real time, not the workspace's. */
  readonly real: boolean;
  readonly at: Instant;
}

const mine = 't.workspace = $1 and (t.id = any ($2) or t.account_id = any ($2))';

/** SQL of one kind of record. `what` is an SQL text, `at` a column, `when` the condition. */
const made = (
  table: string,
  what: string,
  more: { at?: string; state?: string; real?: true; when?: string; id?: string } = {},
): string => `select t.id, '${table}' as kind, ${what} as what,
    ${more.state ?? 'null::text'} as state, ${more.real === true} as real,
    ${more.at ?? 't.created'} as at
  from ${table} t where ${more.id === undefined ? mine : `t.workspace = $1 and ${more.id}`}
    and ${more.when ?? 'true'}`;

const ITSELF = { id: 't.id = any ($2)' } as const;
const END = { ...ITSELF, at: 't.expires' } as const;

const RECORDS = [
  made('wallet', `'opened in ' || t.currency`),
  made('payment_method', `'added'`, { state: 't.pm_state' }),
  made('kyc_application', `'made'`, { state: 't.state' }),
  made('link', `'made'`, { ...ITSELF, real: true }),
  made('link', `'opened'`, { ...END, at: 't.used_at', when: 't.used_at is not null' }),
  made('link', `'expires'`, END),
  made('authorized_invoice', `'made'`, { ...ITSELF, real: true }),
  made('authorized_invoice', `'expires'`, END),
  made('method_entry', `'begun'`, {
    id: '(t.id = any ($2) or t.payment_method_id = any ($2))',
  }),
  made('consent', `'given'`, { at: 't.given' }),
  made('consent', `'revoked'`, { at: 't.revoked', when: 't.revoked is not null' }),
  made('webhook_endpoint', `'made'`, { ...ITSELF, state: 't.state' }),
  made('kyc_document', `'kept'`, { ...ITSELF, real: true }),
  made('entity_document', `'kept'`, { ...ITSELF, real: true }),
].join(' union all ');

/** Records that were created or used, or end at a known time. */
async function records(q: Question): Promise<Found> {
  const rows = await q.db.query<RecordRow>({
    name: 'explain_records',
    text: `select r.*, count(*) over () as total from (${RECORDS}) r
      order by r.at desc limit ${MOST_ENTRIES}`,
    values: [q.workspace, q.ids],
  });
  return found(rows, (row) => recordOf(q, row));
}

function recordOf(q: Question, { id, kind, what, state, real, at }: RecordRow): Entry {
  const times = real ? atReal(q, at) : atVirtual(q, at);
  const now = state === null ? '' : ` (${state})`;
  const text = `${kind.replaceAll('_', ' ')} ${what}${now}`;
  return { kind: 'record', ...times, about: spelled(kind, id), what, state, text };
}

interface ExchangeRow extends Counted {
  readonly counterparty: 'processor' | 'vendor';
  readonly id: string;
  readonly operation: string;
  readonly times: number;
  readonly first_at: Instant;
  readonly last_at: Instant;
  readonly book: string | null;
  readonly failure_code: string | null;
  readonly reference: string | null;
  readonly amount: bigint | null;
  readonly currency: string | null;
}

const BOOKS = `select 'processor' as counterparty, x.key::uuid as id, x.operation, x.times,
    x.first_at, x.last_at, coalesce(c.state, r.state) as book,
    coalesce(c.failure_code, r.failure_code) as failure_code,
    coalesce(c.reference, r.reference) as reference, coalesce(c.amount, r.amount) as amount,
    coalesce(c.currency, r.currency) as currency
  from processor_exchange x
  left join processor_charge c on c.workspace = x.workspace and c.key = x.key
    and x.operation not in ('remit', 'look_remittance')
  left join processor_transfer r on r.workspace = x.workspace and r.key = x.key
    and x.operation in ('remit', 'look_remittance')
  where x.workspace = $1 and x.key = any ($2::text[])
  union all select 'vendor', x.key::uuid, x.operation, x.times, x.first_at, x.last_at, c.state,
    null, c.reference, null, null
  from vendor_exchange x
  left join vendor_check c on c.workspace = x.workspace and c.key = x.key
  where x.workspace = $1 and x.key = any ($2::text[])`;

/** Each kind of call under each key, at the time of the first one. */
async function exchanges(q: Question): Promise<Found> {
  const rows = await q.db.query<ExchangeRow>({
    name: 'explain_exchanges',
    text: `select b.*, count(*) over () as total from (${BOOKS}) b
      order by b.first_at desc limit ${MOST_ENTRIES}`,
    values: [q.workspace, q.ids],
  });
  return found(rows, (row) => exchangeOf(q, row));
}

function exchangeOf(q: Question, row: ExchangeRow): Entry {
  const { counterparty, operation, times, book, failure_code, reference, currency } = row;
  const last_at = q.time.virtualOf(row.last_at);
  const again = times === 1 ? 'once' : `${times} times, last at ${last_at.slice(11, 23)}`;
  const money =
    row.amount === null || currency === null ? '' : ` for ${displayAmount(row.amount, currency)}`;
  const code = failure_code === null ? '' : `, ${failure_code}`;
  const held = book === null ? 'no record there' : `recorded there as ${book}${code}`;
  return {
    ...{ kind: 'exchange', ...atReal(q, row.first_at), about: thingOf(q, row.id), counterparty },
    ...{ operation, times, last_at, book, failure_code, reference, currency },
    amount: row.amount === null ? null : Number(row.amount),
    text: `${counterparty} call ${operation}${money}, ${again}; ${held}`,
  };
}

const SOURCES = [
  ...[requests, transitions, postings, exchanges, records],
  ...[events, deliveries, tries, acts],
];

/** The order at one moment: what was requested, what moved, the money, what was announced. */
const ORDER: readonly Entry['kind'][] = [
  ...(['request', 'operator', 'transition', 'posting', 'record', 'exchange'] as const),
  ...(['event', 'delivery', 'attempt'] as const),
];

type Transition = Extract<Entry, { kind: 'transition' }>;

const commitOf = ({ at, about }: Transition): string => `${at} ${about.id}`;

/** Machines of provider calls: they move the resource that they were begun for. */
const OUTSIDE: ReadonlySet<string> = new Set(['attempt', 'transfer', 'identity_check']);

/**
 * The order within one transaction: first what a provider answered, then the younger resource,
 * which moved the older; what was created follows its cause.
 */
function between(a: Transition, b: Transition, born: ReadonlySet<string>): number {
  if (a.about.id === b.about.id) return a.version - b.version;
  const births = Number(born.has(commitOf(a))) - Number(born.has(commitOf(b)));
  const asked = Number(OUTSIDE.has(b.about.kind)) - Number(OUTSIDE.has(a.about.kind));
  return births || asked || (a.about.id > b.about.id ? -1 : 1);
}

function placeOf(entry: Entry): number {
  if (entry.kind === 'posting') return entry.line;
  return 'sequence' in entry ? (entry.sequence ?? Number.MAX_SAFE_INTEGER) : 0;
}

function ordered(entries: readonly Entry[]): readonly Entry[] {
  const births = entries.filter((one) => one.kind === 'transition' && one.from === null);
  const born = new Set(births.map((one) => commitOf(one as Transition)));
  return entries.toSorted((a, b) => {
    if (a.at !== b.at) return a.at < b.at ? -1 : 1;
    if (a.kind === 'transition' && b.kind === 'transition') return between(a, b, born);
    return ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || placeOf(a) - placeOf(b);
  });
}

/** The explanation of an id; null where it is unknown in this workspace. */
export async function explain(
  db: Queryable,
  workspace: number,
  id: string,
  lifecycles: readonly Machine[],
): Promise<Explanation | null> {
  const subject = await subjectOf(db, workspace, id);
  if (subject === null) return null;
  const [ids, owners, time] = [
    await partsOf(db, subject),
    await ownersOf(db, subject),
    await WorkspaceTime.read(db, workspace),
  ];
  const kinds = await kindsOf(db, workspace, ids);
  const machines = new Map(lifecycles.map((machine) => [machine.name, machine]));
  const q: Question = { db, workspace, subject, ids, kinds, machines, time };
  const found = await Promise.all(SOURCES.map((source) => source(q)));
  const timeline = ordered(found.flatMap(({ entries }) => entries)).slice(-MOST_ENTRIES);
  const standing = await standingOf(q);
  const escrow = await escrowStanding(q);
  const next = await nextOf(q, standing, timeline, escrow);
  const total = found.reduce((sum, one) => sum + one.total, 0);
  return {
    id: subject.sequence === null ? spelled(subject.kind, subject.uuid).id : id,
    kind: subject.kind,
    state: standing.state,
    now: nowText(subject.kind, standing, next, escrow?.money),
    next: [...next],
    belongs_to: [...owners],
    timeline,
    left_out: total - timeline.length,
  };
}
