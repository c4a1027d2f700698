// Timeline entries for lifecycles and money: each step with the machine's row that allowed it, and
// its ledger entries.
import { displayAmount } from '../../../core/currency.ts';
import { accountId } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import { findMove } from '../../../core/machine.ts';
import type { StepRow } from '../../../engine/index.ts';
import type { Said } from '../../money/disagreement/index.ts';
import { escrowCurrencies, movedAt, type Course } from '../../money/escrow/index.ts';
import {
  atVirtual,
  found,
  MOST_ENTRIES,
  thingOf,
  type Counted,
  type Found,
  type Question,
} from './source.ts';
import type { Entry } from './schema.ts';

type CountedStep = Counted & Omit<StepRow, 'workspace'>;

/** Every step of the resources. */
export async function transitions(q: Question): Promise<Found> {
  const rows = await q.db.query<CountedStep>({
    name: 'explain_steps',
    text: `select resource_id, version, machine, from_state, event, to_state, at, actor, detail,
        count(*) over () as total
      from history where workspace = $1 and resource_id = any ($2)
      order by at desc, resource_id, version desc limit ${MOST_ENTRIES}`,
    values: [q.workspace, q.ids],
  });
  const currencies = await currenciesOf(q, rows);
  return found(rows, (row) => transitionOf(q, row, currencies.get(row.resource_id)));
}

/** The currency of each escrow, disagreement and dispute that has a step with facts. */
async function currenciesOf(
  { db, workspace }: Question,
  rows: readonly CountedStep[],
): Promise<ReadonlyMap<string, string>> {
  const told = rows.filter(({ detail }) => detail !== null);
  const of = (...machines: readonly string[]): string[] => [
    ...new Set(told.filter((row) => machines.includes(row.machine)).map((row) => row.resource_id)),
  ];
  const [escrows, others] = [of('escrow'), of('disagreement', 'dispute')];
  const known = escrows.length === 0 ? [] : await escrowCurrencies(db, workspace, escrows);
  if (others.length === 0) return new Map(known);
  const more = await db.query<{ id: string; currency: string }>({
    name: 'explain_currencies',
    text: `select id, currency from disagreement where workspace = $1 and id = any ($2)
      union all select id, currency from dispute where workspace = $1 and id = any ($2)`,
    values: [workspace, others],
  });
  return new Map([...known, ...more.map(({ id, currency }) => [id, currency] as const)]);
}

function transitionOf(q: Question, row: CountedStep, currency: string | undefined): Entry {
  const from = row.from_state === '' ? null : row.from_state;
  const machine = q.machines.get(row.machine);
  const move = machine && findMove(machine, from, row.event, row.to_state);
  const about = thingOf(q, row.resource_id);
  const facts = factsOf(row, currency);
  const why = move?.why ?? '';
  const cites = move?.cites ?? '';
  const told = Object.entries(facts).map(([name, value]) => `${name} ${String(value)}`);
  const shown = told.length === 0 ? '' : ` (${told.join(', ')})`;
  const noun = machine?.noun ?? about.kind;
  const moved = from === null ? row.to_state : `${from} -> ${row.to_state}`;
  const text = `${noun}: ${moved} on ${row.event}${shown}. ${why}`;
  return {
    ...{ kind: 'transition', ...atVirtual(q, row.at), text, about, on: row.event, from, why },
    ...{ cites, to: row.to_state, version: row.version, actor: row.actor, facts },
    by: move?.by ?? null,
  };
}

type Fact = string | number | boolean | null;

/**
 * The facts of a step that are single values; by rule codes and ids only. Where the resource has a
 * currency, its numbers are amounts of it.
 */
function factsOf(
  { machine, event, detail, at }: CountedStep,
  currency: string | undefined,
): Record<string, Fact> {
  if (detail === null) return {};
  const said = JSON.parse(detail) as Record<string, unknown>;
  const facts =
    machine === 'escrow' && 'parts' in said ? movedAt(said as unknown as Course, at)
    : machine === 'disagreement' ? dividedBy(said as unknown as Said, event)
    : said;
  const shown = (value: unknown): unknown =>
    typeof value === 'number' && currency !== undefined ? displayAmount(value, currency) : value;
  const all = Object.entries(facts ?? {}).map(([name, value]) => [name, shown(value)] as const);
  return Object.fromEntries(
    all.filter((pair): pair is [string, Fact] => typeof pair[1] !== 'object' || pair[1] === null),
  );
}

/** The split that a step of a disagreement is about. */
function dividedBy({ proposal, settlement }: Said, event: string): object | null {
  const split = event === 'propose' ? proposal : settlement;
  if (split === null) return null;
  const { to_sellers, to_buyer, to_integrator } = split;
  return { to_sellers, to_buyer, to_integrator };
}

interface PostingRow extends Counted {
  readonly resource_id: string;
  readonly version: number;
  readonly line: number;
  readonly at: Instant;
  readonly kind: string;
  readonly wallet_id: string | null;
  readonly account_id: string | null;
  readonly currency: string;
  readonly amount: bigint;
  readonly balance_after: bigint | null;
}

/** Every ledger entry of those steps. */
export async function postings(q: Question): Promise<Found> {
  const rows = await q.db.query<PostingRow>({
    name: 'explain_postings',
    text: `select p.*, a.kind, coalesce(w.id, k.id) as wallet_id,
        coalesce(w.account_id, k.account_id) as account_id
      from (select p.workspace, p.resource_id, p.version, p.line, s.at, p.account_id as ledger_id,
          p.currency, p.amount, p.balance_after, count(*) over () as total
        from posting p
        cross join lateral (select at from history where workspace = p.workspace
          and resource_id = p.resource_id and version = p.version limit 1) s
        where p.workspace = $1 and p.resource_id = any ($2)
        order by s.at desc, p.resource_id, p.version desc, p.line limit ${MOST_ENTRIES}) p
      join ledger_account a on a.workspace = p.workspace and a.id = p.ledger_id
      left join wallet w on w.workspace = p.workspace and w.id = p.ledger_id
      left join wallet k on a.kind = 'kept_back' and k.workspace = p.workspace
        and k.kept_back_id = p.ledger_id`,
    values: [q.workspace, q.ids],
  });
  return found(rows, (row) => postingOf(q, row));
}

function postingOf(q: Question, row: PostingRow): Entry {
  const { version, line, currency, kind, wallet_id } = row;
  const account = row.account_id === null ? null : accountId(row.account_id);
  const whose = account === null ? '' : ` of ${account}`;
  const sign = row.amount > 0n ? '+' : '';
  const left = row.balance_after;
  const after = left === null ? '' : `, balance ${displayAmount(left, currency)}`;
  return {
    ...{ kind: 'posting', ...atVirtual(q, row.at), about: thingOf(q, row.resource_id), version },
    ...{ line, ledger_account: kind, wallet_id, account_id: account, currency },
    amount: Number(row.amount),
    balance_after: left === null ? null : Number(left),
    text: `${kind}${whose}: ${sign}${displayAmount(row.amount, currency)}${after}`,
  };
}
