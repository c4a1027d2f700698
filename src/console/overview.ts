// The overview: what waits for somebody, whether held money covers what is owed, and how the
// last days went. In words as well as numbers.
import { SYSTEM_ACCOUNT_KINDS } from '../ledger/index.ts';
import { hasRight } from '../product/access/operator/index.ts';
import { booksOf, queuesOf, type Books, type Queue } from './figures.ts';
import { html, type Html } from '../markup/html.ts';
import { age, badge, card, empty, money, table } from './blocks.ts';
import { get, type ConsoleApp, type PageRequest } from './routes.ts';
import { trendCards } from './trends.ts';

/** Registers the overview. */
export function overviewPages(app: ConsoleApp): void {
  get(app, '/', 'read', (request) => overview(app, request));
}

const roomOf = (path: string): string => path.split(/[/?]/)[1] ?? '';

/** True if the page of a path is open to the role. */
function mayOpen({ routes }: ConsoleApp, session: PageRequest['session'], to: string): boolean {
  const page = routes.find(({ method, path }) => method === 'GET' && roomOf(path) === roomOf(to));
  return page !== undefined && hasRight(session, page.right);
}

const NO_TENANT = 'There is no tenant yet. Create one with: holdfast tenant create';

async function overview(app: ConsoleApp, { services: { db }, session, tenant }: PageRequest) {
  const [title, active] = ['Overview', '/'];
  if (tenant === null) return { title, active, body: empty(NO_TENANT) };
  const [queues, books, trends] = await Promise.all([
    queuesOf(db, tenant.workspace),
    booksOf(db, tenant.workspace),
    trendCards(db, tenant.workspace),
  ]);
  const open = queues.map((queue) => {
    const isOpen = queue.path !== null && mayOpen(app, session, queue.path);
    return isOpen ? queue : { ...queue, path: null };
  });
  const body = html`${card('Work queues', queueTable(open))}
<p><a href="/stops">Stop writes, payments or payouts</a></p>
${trends}
${card('Money held against obligations', books === null ? tooLong() : booksTable(books))}
${books?.map((one) => kindCard(one))}`;
  return { title, active, body };
}

function queueTable(queues: readonly Queue[]): Html {
  return table({
    caption: 'Queues',
    head: ['Queue', { number: 'Waiting' }, { number: 'Oldest' }, 'State'],
    rows: queues.map(({ name, path, count, more, oldest }) => [
      path === null ? name : html`<a href="${path}">${name}</a>`,
      `${count}${more ? '+' : ''}`,
      age(oldest),
      badge(count === 0 ? 'clear' : 'waiting'),
    ]),
    empty: 'No queues.',
  });
}

function tooLong(): Html {
  return html`<p>This tenant has too many entries to add up here. Run
<code>holdfast verify</code> to check its books.</p>`;
}

function booksTable(books: readonly Books[]): Html {
  const sums = ['Held', 'Owed to users', 'Surplus'].map((number) => ({ number }));
  return table({
    caption: 'Money held against obligations',
    head: ['Currency', ...sums, 'State'],
    rows: books.map(({ currency, held, owed }) => [
      currency,
      money(held, currency),
      money(owed, currency),
      money(held - owed, currency),
      held >= owed ? badge('covered') : badge('uncovered'),
    ]),
    empty: 'No money has moved yet.',
  });
}

const SAYS: Readonly<Record<string, string>> = {
  ...SYSTEM_ACCOUNT_KINDS,
  wallet: 'balances of user wallets',
  kept_back: 'earnings held until the seller is verified',
};

function kindCard({ currency, kinds }: Books): Html | null {
  const shown = kinds.filter(({ amount }) => amount !== 0n);
  if (shown.length === 0) return null;
  const sums = table({
    caption: `Ledger accounts in ${currency}`,
    head: ['Account', { number: 'Balance' }, 'Meaning'],
    rows: shown.map(({ kind, amount }) => [
      kind === 'kept_back' ? 'restricted' : kind.replaceAll('_', ' '),
      money(amount, currency),
      SAYS[kind],
    ]),
    empty: '',
  });
  return card(`Ledger accounts in ${currency}`, sums);
}
