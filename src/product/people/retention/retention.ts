// The classes of data with their retention periods, by the workspace's clock, and how each ends.
// What is removed is audited with its count; a legal hold keeps what a case needs. [PD6]
import type { Transaction } from '../../../db/index.ts';
import { Refusal } from '../../../core/refusal.ts';
import { audit } from '../../tell/audit/index.ts';
import { endedEvidence } from '../../money/evidence/index.ts';
import { endedDocuments } from '../identity/index.ts';
import { erasePerson, type EraseParts } from './erase.ts';

/**
 * A class of data that ends here; tokens and links end in their own modules, stored answers and
 * deliveries with their generation.
 */
export interface RetentionClass {
  /** Its name in log and audit. */
  readonly name: string;
  /** An SQL interval. */
  readonly keeps: string;
  /** Ends some of it and gives how much. Run it until it gives 0. */
  run(parts: EraseParts): Promise<number>;
}

const NOW = '(clock_timestamp() + w.clock_offset)';

/** SQL: no legal hold on the person of an application. */
const UNHELD = `not exists (select from legal_hold h where h.workspace = a.workspace
  and h.id = a.account_id)`;

function swept(name: string, keeps: string, text: (keeps: string) => string): RetentionClass {
  const run = ({ db }: EraseParts): Promise<number> =>
    db.transaction(async (tx) => {
      const removed = await tx.execute(text(keeps));
      if (removed > 0) await note(tx, name, removed);
      return removed;
    });
  return { name, keeps, run };
}

function note(tx: Transaction, name: string, removed: number): Promise<void> {
  const detail = { class: name, removed };
  return audit(tx, { workspace: 0, actor: 'system', act: 'retention_applied', detail });
}

/** The reason of the block that closes an account, after which it has no activity. [G-20] */
const CLOSED = 'account_close';

/** SQL: accounts closed and without activity for this long, by id. */
const CLOSED_ACCOUNTS = (keeps: string): string => `select a.workspace, a.id from workspace w
  join account_block b on b.workspace = w.workspace and b.state = 'ACTIVE'
  and b.reason = '${CLOSED}'
    and b.updated < ${NOW} - interval '${keeps}'
  join account a on a.workspace = b.workspace and a.id = b.account_id
    and a.updated < ${NOW} - interval '${keeps}'
  join kyc k on k.workspace = a.workspace and k.id = a.id
  and k.updated < ${NOW} - interval '${keeps}'
  join account_person p on p.workspace = a.workspace and p.id = a.id and p.sealed <> ''
  where w.ended is null and (a.workspace, a.id) > ($1::int, $2::uuid)
    and not exists (select from legal_hold h where h.workspace = a.workspace and h.id = a.id)
    and not exists (select from wallet v join balance l on l.workspace = v.workspace
        and l.id in (v.id, v.kept_back_id)
      where v.workspace = a.workspace and v.account_id = a.id
        and (l.amount > 0 or l.updated >= ${NOW} - interval '${keeps}'))
  order by a.workspace, a.id limit 50`;

/** Erases closed accounts, all in one run; one that must be kept is tried again in the next. */
async function eraseClosed(parts: EraseParts, keeps: string): Promise<number> {
  let after: readonly [number, string] = [0, '00000000-0000-0000-0000-000000000000'];
  for (;;) {
    const rows = await parts.db.query<{ workspace: number; id: string }>({
      text: CLOSED_ACCOUNTS(keeps),
      values: after,
    });
    const last = rows.at(-1);
    if (last === undefined) return 0;
    after = [last.workspace, last.id];
    for (const { workspace, id: account } of rows) {
      try {
        await erasePerson(parts, { workspace, account, reason: 'retention', actor: 'system' });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
    }
  }
}

const YEARS = '5 years';

export const RETENTION: readonly RetentionClass[] = [
  {
    name: 'identity of closed accounts',
    keeps: YEARS,
    run: (parts) => eraseClosed(parts, YEARS),
  },
  swept('documents of denied and cancelled applications', '30 days', (keeps) =>
    endedDocuments(keeps, UNHELD),
  ),
  // Card networks hear a case again for about a year after its end.
  swept('evidence of disputes that ended', '18 months', (keeps) => endedEvidence(keeps, UNHELD)),
];
