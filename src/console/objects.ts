// The one page of every object: its state, what may come next, what it belongs to, and one timeline
// of all that happened to it.
import { machines } from '../catalogue.ts';
import { html, type Html } from '../markup/html.ts';
import { explain, type Explanation } from '../product/tell/explain/index.ts';
import { actsCard } from './acts.ts';
import { badge, card, definitions, empty, objectLink, timeline } from './blocks.ts';
import { escrowCards } from './escrows.ts';
import { get, NotThere, type ConsoleApp, type PageRequest } from './routes.ts';

/** Pages on which people act on an object of a kind. */
const DESKS: Readonly<Record<string, (id: string) => string>> = {
  account: (id) => `/accounts/${id}`,
  dispute: (id) => `/disputes/${id}`,
  money_act: (id) => `/money/${id}`,
  incoming_transfer: (id) => `/transfers/${id}`,
  payout_file: (id) => `/payout-files/${id}`,
};

/** What the page of a kind shows besides. */
const MORE: Readonly<
  Record<string, (request: PageRequest, found: Explanation) => Promise<Html | null>>
> = { escrow: escrowCards };

/** Registers the page. */
export function objectPages(app: ConsoleApp): void {
  get(app, '/objects/:id', 'read', show);
}

async function show(request: PageRequest) {
  const { services, tenant, params } = request;
  await services.requestNotes?.flush();
  const id = params['id'] ?? '';
  const found = tenant && await explain(services.db, tenant.workspace, id, machines);
  if (found === null) throw new NotThere();
  const { kind, state, next, belongs_to, left_out } = found;
  const noun = kind.replaceAll('_', ' ');
  const desk = DESKS[kind];
  const parts = partsOf(found);
  const facts = definitions([
    ['Id', html`<code>${found.id}</code>`],
    ['State', state === null ? 'none' : badge(state)],
    ['Belongs to', belongs_to.length === 0 ? '' : belongs_to.map(({ kind: of, id: owner }) => {
      return html`${of.replaceAll('_', ' ')} ${objectLink(owner)} `;
    })],
    ...(desk === undefined ? [] : [
      ['Acts', html`<a href="${desk(found.id)}">What may be done</a>`] as const,
    ]),
  ]);
  const named = noun.charAt(0).toUpperCase() + noun.slice(1);
  const body = html`${card(named, facts)}${await actsCard(request, kind, found.id)}
${await MORE[kind]?.(request, found)}
${next.length > 0 && card('What may come next', html`<ul>${next.map((one) => {
    return html`<li>${one.text}</li>
`;
  })}</ul>`)}
${card('What hangs on it', parts.length === 0 ? empty('Nothing.') : html`<ul>${parts.map((one) => {
    return html`<li>${one.kind.replaceAll('_', ' ')} ${objectLink(one.id)}</li>
`;
  })}</ul>`)}
${left_out > 0 && html`<p class="faint">${left_out} older entries are not shown.</p>`}
${card('Timeline', timeline(found.timeline.map(({ at, kind: of, text }) => {
    return { at, title: of === 'exchange' ? 'provider call' : of, detail: text };
  })))}`;
  return { title: `${named} ${found.id}`, active: '/lists', body };
}

interface Part {
  readonly kind: string;
  readonly id: string;
}

/** What the timeline is about beside the object, each once. */
function partsOf({ id, timeline: entries }: Explanation): readonly Part[] {
  const parts = new Map<string, Part>();
  for (const entry of entries) {
    if ('about' in entry && entry.about !== null) parts.set(entry.about.id, entry.about);
    if (entry.kind === 'event') parts.set(entry.event_id, { kind: 'event', id: entry.event_id });
    if (entry.kind === 'delivery') {
      const name = `${entry.endpoint_id}:${entry.sequence}`;
      parts.set(name, { kind: 'delivery', id: name });
    }
    if (entry.kind === 'posting') {
      const { account_id, wallet_id } = entry;
      if (account_id !== null) parts.set(account_id, { kind: 'account', id: account_id });
      if (wallet_id !== null) parts.set(wallet_id, { kind: 'wallet', id: wallet_id });
    }
  }
  parts.delete(id);
  return [...parts.values()];
}
