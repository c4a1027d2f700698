// The vendor simulator's checks: begun once per key, decided, decided again, erased. Each change is
// one statement, so a check and its webhook are never half written. Of a person only a keyed digest
// is stored.
import { hash } from 'node:crypto';
import { prepared, raw } from '../../../db/index.ts';
import type { Database, Queryable, Transaction } from '../../../db/index.ts';
import { canonicalJson } from '../../../core/json.ts';
import { purposeOf } from '../../../core/labels.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import type { IdentityEvent } from '../../ports/persons.ts';
import { NO_NOTICE, OUTSIDE_NOTICE, told, type NoticeRequest } from '../processor/notice-rows.ts';
import { DECISIONS, treatmentNamed, type Treatment, type Verdict } from './persons.ts';
import { RULES, type CheckAnswer, type CheckBody } from './protocol.ts';
import { refusals } from './refusals.ts';

/** A check row. */
interface Check {
  readonly digest: string | null;
  readonly person: string | null;
  readonly reference: string | null;
  readonly state: 'pending' | Verdict['state'] | 'forgotten';
  readonly reasons: readonly string[];
  readonly rules: readonly string[];
}

const COLUMNS = 'digest, person, reference, state, reasons, rules';

/** Digest of what was submitted; meaningless without the key, and different for each check. */
export function digestOf(keys: Keys, workspace: number, key: string, body: CheckBody): string {
  const files = body.files.map(({ role, mime, content }) => {
    const short = typeof content === 'string';
    return [role, mime, short ? `sha256:${hash('sha256', content)}` : content.digest];
  });
  return keys.mac(
    purposeOf('vendorDigest'),
    canonicalJson([keys.lineageOf(workspace), key, body.person, files]),
  );
}

async function checkOf(db: Queryable, workspace: number, key: string): Promise<Check | null> {
  const rows = await db.query<Check>(prepared('vendor_check_of')`
    select ${raw(COLUMNS)} from vendor_check where workspace = ${workspace} and key = ${key}`);
  return rows[0] ?? null;
}

/** A check, as far as it may be stored. */
export interface Begun {
  readonly workspace: number;
  readonly key: string;
  readonly digest: string;
  readonly reference: string;
  readonly treatment: Treatment;
}

/**
 * Begins a check; the first one under the key stays. Refuses another person under the same key, and
 * an erased key.
 */
export async function begin(
  db: Database,
  begun: Begun,
  request: NoticeRequest,
): Promise<CheckAnswer> {
  const { workspace, key, digest, reference, treatment } = begun;
  const { name, verdict, later = [] } = treatment;
  const rows = await db.query<Check>({
    name: 'vendor_begin',
    text: `with hit as (
        insert into vendor_check (workspace, key, digest, person, reference, state, reasons, rules)
        values ($1, $2, $6, $7, $8, $9, $10, $11)
        on conflict (workspace, key) do nothing
        returning workspace, key, ${COLUMNS}
      ), later as (
        insert into vendor_due (workspace, key, event, due)
        select workspace, key, event, clock_timestamp() + after * interval '1 millisecond'
        from hit cross join unnest($12::text[], $13::int[]) as planned (event, after)
      ), ${told('vendor')}
      select ${COLUMNS} from hit`,
    values: [
      ...[workspace, key, ...request, digest, name, reference],
      ...decided(verdict),
      ...[later.map(({ event }) => event), later.map(({ afterMs }) => afterMs)],
    ],
  });
  const check = rows[0] ?? (await checkOf(db, workspace, key));
  if (check === null || check.state === 'forgotten') throw refuse(refusals.CHECK_FORGOTTEN);
  if (check.digest !== digest) throw refuse(refusals.CHECK_KEY_REUSED);
  return shown(key, check);
}

/** State, reasons and rules as columns. */
function decided(verdict: Verdict | 'pending'): [string, readonly string[], readonly string[]] {
  if (verdict === 'pending') return ['pending', [], []];
  const { state, reasons, failed } = verdict;
  const digit = state === 'review' ? 1 : 2;
  return [state, reasons, RULES.map((rule) => `${rule}:${failed.includes(rule) ? digit : 0}`)];
}

/** A check as the wire shows it. */
function shown(key: string, check: Check | null): CheckAnswer {
  if (check === null || check.state === 'forgotten') return { state: 'absent', key };
  const { state, reasons, rules } = check;
  const reference = check.reference ?? '';
  if (state === 'pending') return { state, key, reference };
  return { state, key, reference, reasons: [...reasons], rules: [...rules] };
}

/** Retrieves a key. */
export async function look(db: Database, workspace: number, key: string): Promise<CheckAnswer> {
  return shown(key, await checkOf(db, workspace, key));
}

/** Erases for good everything under a key but the key itself, also a key never used. [PD3] */
export async function forget(db: Database, workspace: number, key: string): Promise<object> {
  await db.execute(prepared('vendor_forget')`
    with exchanges as (delete from vendor_exchange where workspace = ${workspace} and key = ${key}),
    notices as (delete from vendor_notice where workspace = $1 and key = $2),
    due as (delete from vendor_due where workspace = $1 and key = $2)
    insert into vendor_check as c (workspace, key, state) values ($1, $2, 'forgotten')
    on conflict (workspace, key) do update
    set digest = null, person = null, reference = null, state = 'forgotten', reasons = '{}',
      rules = '{}', updated = $now
    where c.state <> 'forgotten'`);
  return { state: 'forgotten', key };
}

/** Has the vendor decide, now or again; false if it has decided so or does not know the key. */
export async function happen(
  db: Pick<Transaction, 'execute'>,
  workspace: number,
  key: string,
  event: IdentityEvent,
  request: NoticeRequest = OUTSIDE_NOTICE,
): Promise<boolean> {
  const changed = await db.execute({
    name: 'vendor_happen',
    text: `with hit as (
        update vendor_check set state = $6, reasons = $7, rules = $8, updated = $now
        where workspace = $1 and key = $2 and state not in ('forgotten', $6)
        returning workspace, key
      ), ${told('vendor')}
      select from hit`,
    values: [workspace, key, ...request, ...decided(DECISIONS[event])],
  });
  return changed === 1;
}

/** Has the vendor decide as planned for the person, with a webhook or without. */
export async function happenAsPlanned(
  tx: Transaction,
  workspace: number,
  key: string,
  event: IdentityEvent,
): Promise<void> {
  const check = await checkOf(tx, workspace, key);
  const { later = [] } = treatmentNamed(check?.person ?? '');
  const untold = later.some((one) => one.event === event && one.told === false);
  await happen(tx, workspace, key, event, untold ? NO_NOTICE : OUTSIDE_NOTICE);
}
