// The one list of what waits for its time in a workspace: where its rows are, by which time, and
// who acts then. Nothing in the system may wait without being listed here.
import type { WirePrefix } from '../../core/ids.ts';
import { ASK_AGAIN_SECONDS, PATIENCE_SECONDS } from '../../product/money/reconciliation/index.ts';
import { CHALLENGE_SECONDS } from '../../product/money/wallet/index.ts';
import { checkEnds } from '../../product/people/identity/index.ts';

/**
 * `work`: in progress, ends by itself. `limit`: the clock ends it unless somebody did before.
 * `end`: from then on answers differ, and nothing acts.
 */
export type DueKind = 'work' | 'limit' | 'end';

/** One kind of due items. */
export interface DueSource {
  /** Its name on the wire. */
  readonly what: string;
  readonly kind: DueKind;
  /** The prefix of its ids on the wire; absent: none. */
  readonly prefix?: WirePrefix;
  /** SQL of `at`, by the workspace's clock, and `id`, for workspace `w`; past rows do no harm. */
  readonly rows: string;
  /** SQL of the ids of those due or in progress in workspace `$1`; absent: nothing acts. */
  readonly busy?: string;
}

/** SQL: real time as the workspace's time. */
const virtual = (column: string): string => `${column} + w.clock_offset as at`;

type Sql = Pick<DueSource, 'rows' | 'busy'>;

/** Jobs of the loops: `name` is theirs, `of` the table of what they are for. */
function jobs(name: string, of: string, key: string, id: string, states: string): Sql {
  return {
    rows: `select ${virtual('j.due')}, a.${id} as id from ${name}_job j
      join ${of} a on a.workspace = j.workspace and a.id = j.${key}
      where j.workspace = w.workspace and j.lease is null and j.pause is distinct from 'pending'
        and a.state in (${states})`,
    busy: `select j.${key}::text as id from ${name}_job j where j.workspace = $1
      and (j.due <= clock_timestamp()
        or (j.lease is not null and j.leased_until > clock_timestamp()))
      and not exists (select from sandbox_wait s where j.lease is not null
        and s.workspace = j.workspace and s.key = j.${key}::text
        and s.until > clock_timestamp())`,
  };
}

/** Delayed events of a simulator that fulfil a condition. */
const events = (book: string, which = 'true'): Sql => ({
  rows: `select ${virtual('d.due')}, d.key as id from ${book}_due d
    where d.workspace = w.workspace and ${which}`,
  busy: `select key as id from ${book}_due
    where workspace = $1 and due <= clock_timestamp() and ${which}`,
});

/** Webhooks of a simulator. */
const notices = (book: string): Sql => ({
  rows: `select ${virtual('n.due')}, n.key as id from ${book}_notice n
    where n.workspace = w.workspace and n.remaining > 0 and n.tries < 10 and not n.posting`,
  busy: `select key as id from ${book}_notice where workspace = $1 and remaining > 0 and tries < 10
    and (posting or due <= clock_timestamp())`,
});

/** Deadlines by the workspace's own clock. */
const due = (table: string, where = 'true'): Sql => ({
  rows: `select d.due as at, d.id from ${table} d
    where d.workspace = w.workspace and d.due is not null and ${where}`,
  busy: `select id::text from ${table} where workspace = $1 and due <= workspace_now($1)
    and ${where}`,
});

function source(what: string, kind: DueKind, sql: Sql, prefix?: WirePrefix): DueSource {
  return { what, kind, ...(prefix === undefined ? {} : { prefix }), ...sql };
}

/** In the order of the documentation. Polls that may find nothing are not listed. */
export const SOURCES: readonly DueSource[] = [
  source('payment', 'work',
    jobs('attempt', 'attempt', 'attempt_id', 'resource_id',
      `'authorizing', 'capturing', 'reversing'`)),
  source('remittance', 'work',
    jobs('transfer', 'transfer', 'transfer_id', 'resource_id', `'sending', 'pending'`)),
  source('dispute_answer', 'work',
    jobs('dispute_answer', 'dispute_answer', 'answer_id', 'dispute_id', `'sending'`)),
  source('identity_check', 'work',
    jobs('identity', 'identity_check', 'check_id', 'application_id',
      `'asking', 'waiting', 'pending'`),
    'kyc'),
  source('answer', 'work', {
    rows: `select ${virtual('s.until')}, s.key as id from sandbox_wait s
      where s.workspace = w.workspace
      and (s.effect or (select true from attempt_job j where j.workspace = w.workspace
          and j.attempt_id::text = s.key and j.lease is not null limit 1)
        or (select true from transfer_job j where j.workspace = w.workspace
          and j.transfer_id::text = s.key and j.lease is not null limit 1)
        or (select true from dispute_answer_job j where j.workspace = w.workspace
          and j.answer_id::text = s.key and j.lease is not null limit 1)
        or (select true from identity_job j where j.workspace = w.workspace
          and j.check_id::text = s.key and j.lease is not null limit 1))`,
    // What a dead process left behind holds up nothing.
    busy: `select key as id from sandbox_wait where workspace = $1 and effect
      and until between clock_timestamp() - interval '5 s' and clock_timestamp()`,
  }),
  source('bank_event', 'work', events('processor', `event <> 'dispute_expired'`)),
  source('identity_event', 'work', events('vendor')),
  source('bank_notice', 'work', notices('processor')),
  source('identity_notice', 'work', notices('vendor')),
  source('statement_line', 'work', {
    rows: `select least(coalesce(l.asked, l.seen) + interval '${ASK_AGAIN_SECONDS} s',
        l.seen + interval '${PATIENCE_SECONDS} s') as at, l.id
      from statement_line l where l.workspace = w.workspace and l.verdict = 'waiting'`,
  }),
  source('delivery', 'work', {
    rows: `select ${virtual('d.due')}, v.event_id as id from delivery d
      join webhook_endpoint e on e.workspace = d.workspace and e.id = d.endpoint_id
      and e.state = 'enabled'
      join event v on v.workspace = d.workspace and v.sequence = d.sequence
      where d.workspace = w.workspace and d.state = 'pending' and d.lease is null
        and not exists (select from delivery p where p.workspace = d.workspace
        and p.state = 'pending'
          and p.endpoint_id = d.endpoint_id and p.resource_id = d.resource_id
          and p.sequence < d.sequence)`,
    busy: `select v.event_id::text as id from delivery d
      join webhook_endpoint e on e.workspace = d.workspace and e.id = d.endpoint_id
      and e.state = 'enabled'
      join event v on v.workspace = d.workspace and v.sequence = d.sequence
      where d.workspace = $1 and d.state = 'pending'
        and (d.lease is not null or d.due <= clock_timestamp())`,
  }),
  source('erasure', 'work', {
    rows: `select ${virtual('j.due')}, j.id from erasure_job j where j.workspace = w.workspace`,
    busy: `select id::text from erasure_job where workspace = $1 and due <= clock_timestamp()`,
  }, 'acct'),
  source('payment_confirmation', 'limit', {
    rows: `select a.updated + interval '${CHALLENGE_SECONDS} s' as at, a.resource_id as id
      from attempt_job j join attempt a on a.workspace = j.workspace and a.id = j.attempt_id
      where j.workspace = w.workspace and a.state = 'challenged'`,
  }),
  source('dispute_deadline', 'limit', events('processor', `event = 'dispute_expired'`)),
  source('escrow', 'limit', due('escrow'), 'esc'),
  source('disagreement', 'limit', due('disagreement')),
  source('dispute', 'limit', due('dispute')),
  source('reserve', 'work', due('reserve')),
  source('settlement', 'work', due('settlement')),
  source('payout', 'limit', due('payout')),
  source('payout_schedule', 'limit', due('payout_schedule')),
  source('identity_review', 'limit', due('kyc', `state = 'MANUAL_REVIEW'`), 'acct'),
  source('identity_vendor', 'limit', {
    rows: `select ${checkEnds('a')} as at, a.application_id as id from identity_check a
      where a.workspace = w.workspace and a.outcome is null`,
    busy: `select a.application_id::text as id from identity_check a where a.workspace = $1
      and a.outcome is null and ${checkEnds('a')} <= workspace_now($1)`,
  }, 'kyc'),
  source('identity_document', 'limit', due('kyc', `state = 'ACCEPT'`), 'acct'),
  source('business_form', 'limit', due('entity'), 'ent'),
  source('link', 'end', {
    rows: `select l.expires as at, l.id from link l
      where l.workspace = w.workspace and l.used_at is null`,
  }),
  source('session', 'end', {
    rows: `select l.used_at + make_interval(secs => l.session_seconds) as at, l.id from link l
      where l.workspace = w.workspace and l.used_at is not null and l.ended_at is null`,
  }),
  source('authorized_invoice', 'end', {
    rows: `select a.expires as at, a.id from authorized_invoice a where a.workspace = w.workspace
      and a.latest_invoice_id is null`,
  }),
  source('payment_method_entry', 'end', {
    rows: `select m.expires as at, m.id from method_entry m
      where m.workspace = w.workspace and m.payment_method_id is null`,
  }),
];

/** SQL by name of what is due or in progress in workspace `$1`, as `id`; polls included. */
export const UNDER_WAY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SOURCES.flatMap(({ what, busy }) => (busy ? [[what, busy]] : []))),
  statement: `select workspace::text as id from statement_cursor where workspace = $1
    and (due <= clock_timestamp() or leased_until > clock_timestamp())`,
  event: 'select event_id::text as id from outbox where workspace = $1',
  business_people: 'select account_id::text as id from kyc_moved where workspace = $1',
};
