// Has statement rows booked where funds are open: finds those that are not booked yet and says what
// each is about. The first row with a fee, a date or our own money opens the funds of its currency.
// [G-91]
import { prepared, type Database } from '../../../db/index.ts';
import { OWN_KINDS } from '../../../providers/processor/port.ts';
import type { Services } from '../../context.ts';
import { BOOKED_AT_ONCE, bookStatementRow, type StatementFacts } from '../treasury/index.ts';

interface Parts {
  readonly services: Pick<Services, 'engine'>;
  readonly db: Database;
  readonly fault: (error: unknown) => void;
}

/** Rows that are booked in one round. */
const ROUND = 500;

/** SQL: kinds of rows about our own money at the processor. */
export const OWN = OWN_KINDS.map((kind) => `'${kind}'`).join(', ');
const AT_ONCE = BOOKED_AT_ONCE.map((kind) => `'${kind}'`).join(', ');

/** SQL: an earlier row of our own money says the same. */
export const OWN_TOLD_BEFORE = `exists (select from statement_line e
  where e.workspace = l.workspace and e.reference = l.reference and e.kind = l.kind
    and e.kind in (${OWN}) and e.part = l.part and e.line < l.line)`;

/** SQL: currencies of workspace $1 whose statement rows are booked. */
const OPEN = `select f.currency from funds f where f.workspace = $1 and f.place = 'processor'
  union select o.currency from statement_line o
    join workspace_currency c on c.workspace = o.workspace and c.currency = o.currency
    where o.workspace = $1 and not o.booked
      and (o.fee <> 0 or o.available_at is not null or o.kind in (${OWN}))`;

/** SQL: rows that may be booked, in the order of the statement. */
const UNBOOKED = `select l.id, l.kind, l.reference, l.amount, l.currency, l.fee, l.available_at,
    l.verdict = 'difference' as overdue,
    case l.kind when 'capture' then l.subject
      when 'refund' then coalesce(r.target::uuid, l.subject) end as charge_id,
    case when l.kind = 'payout' then l.subject end as transfer_id
  from statement_line l
  left join transfer r on r.workspace = l.workspace and r.id = l.subject and r.kind = 'refund'
  where l.workspace = $1 and not l.booked and l.currency = any($2)
    and (l.verdict = 'matched' or l.kind in (${AT_ONCE}) or exists (select from difference d
      where d.workspace = $1 and d.id = l.id and d.state = 'explained'))
    and not ${OWN_TOLD_BEFORE}
  order by l.kind = 'provider_payout', l.line limit ${ROUND}`;

/**
 * Books what can be booked of a workspace's statement; true where a row of our own money was among
 * it. A transfer to our bank that is not covered stays until it is, or was found to exceed what is
 * available; a row that fails stays for the next pass.
 */
export async function bookSettlements(
  { db, services, fault }: Parts,
  workspace: number,
): Promise<boolean> {
  const open = await db.query<{ currency: string }>({
    name: 'open_currencies',
    text: OPEN,
    values: [workspace],
  });
  if (open.length === 0) return false;
  const book = async (row: StatementFacts): Promise<boolean> => {
    const submission = { workspace, actor: 'processor' };
    return (await services.engine.run(bookStatementRow, row, submission)).payload === true;
  };
  for (let own = false; ; ) {
    const rows = await db.query<StatementFacts>({
      name: 'unbooked_lines',
      text: UNBOOKED,
      values: [workspace, open.map(({ currency }) => currency)],
    });
    const isOwn = ({ kind }: StatementFacts): boolean => OWN_KINDS.some((one) => one === kind);
    // Captures and refunds share a batch; transfers to our bank need what they made available.
    const [ours, others] = [rows.filter(isOwn), rows.filter((row) => !isOwn(row))];
    const done = await Promise.all(others.map((row) => book(row).catch(fault)));
    const booked = others.filter((_, at) => done[at] === true);
    for (const row of ours) if ((await book(row).catch(fault)) === true) booked.push(row);
    await noteBooked(db, workspace, booked);
    own ||= booked.some(isOwn);
    if (rows.length < ROUND || booked.length === 0) return own;
  }
}

async function noteBooked(
  db: Database,
  workspace: number,
  rows: readonly StatementFacts[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(prepared('note_booked_lines')`update statement_line l set booked = true
    from unnest(${rows.map(() => workspace)}::int4[],
      ${rows.map(({ id }) => id)}::uuid[]) as n (workspace, id)
    where l.workspace = n.workspace and l.id = n.id and not l.booked`);
}
