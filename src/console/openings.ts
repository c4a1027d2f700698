// Files of opening balances: a second operator compares count and total with the other service and
// confirms, or somebody cancels. A button is there exactly where the lifecycle has its move.
import { findMove } from '../core/machine.ts';
import { hasRight, findOperator, type Right } from '../product/access/operator/index.ts';
import {
  cancel,
  confirm,
  listOpenings,
  openingMachine,
  type ShownOpening,
} from '../product/tenant/imports/index.ts';
import { html, type Html } from '../markup/html.ts';
import { badge, card, moment, money, table } from './blocks.ts';
import { postForm } from './frame.ts';
import { expectedWords } from './opening-money.ts';
import { backTo, get, NotThere, post, type ConsoleApp, type PageRequest } from './routes.ts';

/** What an operator may do, with the state that it leads to and the right that it needs. */
const ACTS = [
  { on: 'confirm', to: 'confirmed', says: 'Confirm', right: 'confirm', act: confirm },
  { on: 'cancel', to: 'cancelled', says: 'Cancel', right: 'bank', act: cancel },
] as const satisfies readonly { readonly right: Right; readonly [field: string]: unknown }[];

/** Registers the page of opening balances. */
export function openingPages(app: ConsoleApp): void {
  get(app, '/openings', 'bank', listPage);
  for (const { on, to, right, act } of ACTS) {
    post(app, `/openings/:id/${on}`, right, async ({ services, session, tenant, params }) => {
      if (tenant === null) throw new NotThere();
      const { operatorId: operator } = session;
      await act(services, { workspace: tenant.workspace, id: params['id'] ?? '', operator });
      return backTo('/openings', `The file is ${to}.`);
    });
  }
}

async function listPage(request: PageRequest) {
  const { services, tenant } = request;
  const openings = tenant === null ? [] : await listOpenings(services.db, tenant.workspace);
  const rows = openings.map(async (one) => [
    moment(one.created),
    money(one.total, one.currency),
    `${one.booked} of ${one.lines}`,
    badge(one.state),
    await nameOf(request, one.prepared_by),
    one.confirmed_by === null ? '–' : await nameOf(request, one.confirmed_by),
    html`<code>${one.digest.slice(0, 12)}</code>`,
    buttons(request, one),
  ]);
  const list = table({
    caption: 'Opening balances',
    head: [
      ...['Prepared', { number: 'Total' }, { number: 'Lines booked' }, 'State'],
      ...['Prepared by', 'Confirmed by', 'SHA-256 of the file', 'Decide'],
    ],
    rows: await Promise.all(rows),
    empty: 'No opening balances. Prepare a file with: holdfast import balances prepare',
  });
  const expected = await expectedWords(request);
  const body = html`<p>Before you confirm, compare total and count with the closing balances of the
other service: every wallet is credited as the file says.</p>
${expected !== null && html`<p>Still expected at the bank: <strong>${expected}</strong>. When it
arrives, give it to opening balances under <a href="/transfers">Bank transfers</a>.</p>`}
${card('Files', list)}`;
  return { title: 'Opening balances', active: '/', body };
}

async function nameOf({ services }: PageRequest, id: string): Promise<string> {
  return (await findOperator(services, id))?.name ?? id;
}

function buttons({ session }: PageRequest, { id, state, ...opening }: ShownOpening): Html[] {
  return ACTS.filter(({ on, to, right }) => {
    const own = on === 'confirm' && opening.prepared_by === session.operatorId;
    return !own && hasRight(session, right) && findMove(openingMachine, state, on, to) !== null;
  }).map(({ on, says }) =>
    postForm(session, `/openings/${id}/${on}`, html`<button class="quiet">${says}</button>`),
  );
}
