// What the page of an escrow shows: where its money is, what comes next by itself, its milestones
// and movements with their ledger entries, and what its sides say when they disagree. What they
// stated is shown one by one, and logged. [G-94 to G-96]
import { uuidOfWireId } from '../core/ids.ts';
import { ofEscrowTime } from '../core/time.ts';
import { html, type Html } from '../markup/html.ts';
import { hasRight } from '../product/access/operator/index.ts';
import {
  lookAtStatement,
  readDisagreement,
  type DisagreementRecord,
} from '../product/money/disagreement/index.ts';
import { readWhole, type WholeEscrow } from '../product/money/escrow/index.ts';
import type { Explanation } from '../product/tell/explain/index.ts';
import {
  accountLink,
  badge,
  card,
  definitions,
  moment,
  money,
  objectLink,
  table,
} from './blocks.ts';
import { get, NotThere, type ConsoleApp, type PageRequest } from './routes.ts';

const active = '/lists';

/** Registers the page of a statement. */
export function escrowPages(app: ConsoleApp): void {
  get(app, '/escrows/:id/statements/:statement', 'answer', showStatement);
}

/** What the page of an escrow shows beside that of every object; `found` is its explanation. */
export async function escrowCards(
  request: PageRequest,
  found: Explanation,
): Promise<Html | null> {
  const { services: { db }, tenant } = request;
  const [workspace, id] = [tenant?.workspace ?? 0, uuidOfWireId('esc', found.id) ?? ''];
  const escrow = await readWhole(db, workspace, id);
  if (escrow === null) return null;
  const disagreement = await readDisagreement(db, workspace, id);
  const { milestones, parts } = escrow;
  return html`${card('Money', moneyFacts(escrow))}
${disagreement && card('Disagreement', disagreementFacts(request, disagreement))}
${milestones.length > 0 && card('Milestones', milestoneTable(escrow))}
${parts.length > 0 && card('Movements', partTable(escrow, found))}`;
}

const DATES = {
  release_at: 'Released to the sellers',
  return_at: 'Returned to the buyer',
  holding_ends: 'End of the holding period',
} as const;

const MOVED = {
  release: 'released to the sellers',
  keep: 'to you alone',
  return: 'returned to the buyer',
} as const;

function moneyFacts({ currency, dates, delivered, ...escrow }: WholeEscrow): Html {
  const { total, held, released, returned, kept, taken, coming: [next] } = escrow;
  const shown = (amount: number): string => money(BigInt(amount), currency);
  // At its end an escrow has no date that is still to come.
  const names = Object.entries(DATES) as [keyof typeof DATES, string][];
  const planned = escrow.state === 'ESCROWED' || escrow.state === 'OPEN' ? names : [];
  return definitions([
    ['Sold for', shown(total)],
    ['Held', shown(held)],
    ['Released', shown(released)],
    ['Returned', shown(returned)],
    ...(kept > 0 ? [['Kept by you alone', shown(kept)] as const] : []),
    ...(taken > 0 ? [['Taken by disputes', shown(taken)] as const] : []),
    ...planned.flatMap(([name, words]) => {
      return dates[name] === null ? [] : [[words, moment(dates[name])] as const];
    }),
    ...(next === undefined ? [] : [['If nobody acts', html`${shown(next.amount)} ${MOVED[next.on]}${
      next.milestone === undefined ? '' : ` for ${next.milestone}`
    } ${moment(next.at)}`] as const]),
    ...(delivered === null ? [] : [['Said to be delivered', moment(delivered)] as const]),
  ]);
}

function milestoneTable({ milestones, currency }: WholeEscrow): Html {
  return table({
    caption: 'Milestones',
    head: ['Milestone', { number: 'Amount' }, 'State', 'Date', 'Said to be delivered'],
    rows: milestones.map(({ name, amount, released, at, delivered }) => [
      name,
      money(BigInt(amount), currency),
      badge(released ? 'released' : 'pending'),
      at === undefined ? '' : moment(at),
      delivered === undefined ? '' : moment(delivered),
    ]),
    empty: '',
  });
}

/** Movements, each with what its step and its invoice posted then. */
function partTable({ parts, currency }: WholeEscrow, { timeline }: Explanation): Html {
  const entries = timeline.filter((entry) => entry.kind === 'posting');
  return table({
    caption: 'Movements',
    head: ['Moved', { number: 'Amount' }, 'At', 'Invoice', 'Ledger entries'],
    rows: parts.map(({ on, at, amount, milestone, invoice }) => {
      const own = entries.filter((entry) => entry.at === at && entry.about.id === invoice);
      return [
        MOVED[on] + (milestone === undefined ? '' : `: ${milestone}`),
        money(BigInt(amount), currency),
        moment(at),
        objectLink(invoice),
        html`<ul>${own.map(({ text }) => html`<li>${text}</li>
`)}</ul>`,
      ];
    }),
    empty: '',
  });
}

const OUTCOMES = {
  buyer: 'all goes back to the buyer',
  sellers: 'all goes to the sellers',
  none: 'nothing: a person decides',
} as const;

function disagreementFacts({ session }: PageRequest, record: DisagreementRecord): Html {
  const { currency, proposal, settlement, escrow_id, statements } = record;
  const shown = (amount: number): string => money(BigInt(amount), currency);
  const sums = (of: Pick<NonNullable<typeof proposal>, 'to_sellers' | 'to_buyer'
    | 'to_integrator'>): string =>
    `${shown(of.to_sellers)} to the sellers, ${shown(of.to_buyer)} to the buyer, `
    + `${shown(of.to_integrator)} to you`;
  const facts = definitions([
    ['Status', badge(record.status)],
    ['Opened by', `the ${record.opened_by}: ${record.reason.replaceAll('_', ' ')}`],
    ['Opened', moment(ofEscrowTime(record.created))],
    ['Held then', shown(record.amount)],
    ['Decide until', moment(ofEscrowTime(record.due_by))],
    ['What happens then', OUTCOMES[record.default_outcome]],
    ...(proposal ? [[`Proposed by the ${proposal.side}`, sums(proposal)] as const] : []),
    ...(settlement ? [[`Settled by ${settlement.by}`, sums(settlement)] as const] : []),
  ]);
  const may = hasRight(session, 'answer');
  return html`${facts}${table({
    caption: 'Statements, in their order',
    head: ['Side', 'Account', 'File', 'Stated', 'Content'],
    rows: statements.map(({ statement_id, side, account_id, file_name, created }) => [
      side,
      accountLink(account_id),
      file_name || 'text',
      moment(ofEscrowTime(created)),
      may && html`<a href="/escrows/${escrow_id}/statements/${statement_id}">Show (logged)</a>`,
    ]),
    empty: 'Neither side has stated anything yet.',
  })}`;
}

async function showStatement({ services, session, tenant, params }: PageRequest) {
  const { id = '', statement = '' } = params;
  const workspace = tenant?.workspace ?? 0;
  const record = await readDisagreement(services.db, workspace, uuidOfWireId('esc', id));
  const by = { workspace, actor: `operator:${session.operatorId}` };
  const seen = record && await lookAtStatement(services, by, record, statement);
  if (!seen) throw new NotThere();
  const { side, mime, bytes } = seen;
  if (mime !== null) return { bytes, type: mime };
  const text = html`<p class="said">${bytes.toString('utf8')}</p>`;
  const body = html`${card(`The ${side} stated`, text)}
<p><a href="/objects/${id}">Back to the escrow</a></p>`;
  return { title: 'Statement', active, body };
}
