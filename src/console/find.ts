// The one search: ids of every kind and references of banks and processor lead to their object,
// amounts and dates to lists. What is typed may be a username, so that it goes in a form, not in an
// address.
import { lists } from '../catalogue.ts';
import { timeFilters } from '../core/list.ts';
import { digitsOf } from '../core/currency.ts';
import { accountId } from '../core/ids.ts';
import { isDay } from '../core/time.ts';
import { html, type Html } from '../markup/html.ts';
import { findByUsername, usernameKey } from '../product/people/account/index.ts';
import { subjectOf } from '../product/tell/explain/index.ts';
import { readList } from '../product/tell/list/index.ts';
import { hasRight } from '../product/access/operator/index.ts';
import { card, empty } from './blocks.ts';
import { postForm } from './frame.ts';
import { get, post, type ConsoleApp, type PageRequest } from './routes.ts';

const MOST = 128;

/** Registers the search. */
export function findPages(app: ConsoleApp): void {
  get(app, '/find', 'read', async (request) => answer(request, null));
  post(app, '/find', 'read', find);
}

function answer({ session }: PageRequest, result: Html | null, typed = '') {
  const form = postForm(session, '/find', html`<p class="field">
<label for="find-what">An id, a reference, a username, an amount such as 12.50 USD, or a date such
as 2030-01-31</label>
<input id="find-what" name="q" value="${typed}" maxlength="${MOST}" autocomplete="off"
 autocapitalize="none" spellcheck="false"></p>
<p><button>Find</button></p>`);
  const body = html`${result}${card('Find', form)}`;
  return { title: 'Find', active: '', body };
}

async function find(request: PageRequest) {
  const { services: { db, keys }, session, tenant, form } = request;
  const typed = (form['q'] ?? '').trim().slice(0, MOST);
  if (tenant === null || typed === '') return answer(request, null, typed);
  const { workspace } = tenant;
  const links = linksOf(typed);
  if (links.length > 0) {
    const items = links.map(({ path, words }) => html`<li><a href="${path}">${words}</a></li>
`);
    return answer(request, card('Lists', html`<ul>${items}</ul>`), typed);
  }
  if (await subjectOf(db, workspace, typed) !== null) return { redirect: objectPath(typed) };
  const dispute = await disputeBy(request, workspace, typed);
  if (dispute !== null) return { redirect: objectPath(dispute) };
  // Whose username it is, those who answer or decide on people may ask.
  const key = usernameKey(keys, workspace, typed);
  const account = hasRight(session, 'answer') ? await findByUsername(db, workspace, key) : null;
  if (account !== null) return { redirect: objectPath(accountId(account.id)) };
  return answer(request, card('Result', empty(NOTHING)), typed);
}

const NOTHING = 'Nothing was found. Ids, references and usernames are searched as a whole, in this '
  + 'tenant.';

const objectPath = (id: string): string => `/objects/${encodeURIComponent(id)}`;

/** The dispute that the processor calls so. */
async function disputeBy(
  { services: { db } }: PageRequest,
  workspace: number,
  reference: string,
): Promise<string | null> {
  const list = lists.find(({ name }) => name === 'disputes');
  if (list === undefined) return null;
  const { rows } = await readList(db, workspace, list, { filters: { reference }, limit: 1 });
  return rows[0] === undefined ? null : String(rows[0]['id']);
}

interface Link {
  readonly path: string;
  readonly words: string;
}

/** Lists of a day or an amount; none for any other text. */
function linksOf(typed: string): readonly Link[] {
  if (isDay(typed)) {
    const next = new Date(Date.parse(typed) + 86_400_000).toISOString().slice(0, 10);
    return lists.filter(({ dated }) => dated !== undefined).map((list) => {
      const { name, title } = list;
      const [from = '', before = ''] = timeFilters(list);
      const query = new URLSearchParams({ [from]: typed, [before]: next });
      return { path: `/lists/${name}?${query}`, words: `${title} of ${typed}` };
    });
  }
  // With the currency before or after it.
  const turned = typed.replace(/^([a-z]{3})\s*([\d.,]+)$/i, '$2 $1');
  const [, sum = '', code = ''] = /^([\d.,]+)\s*([a-z]{3})$/i.exec(turned) ?? [];
  const currency = code.toUpperCase();
  const amount = minorUnits(sum, currency);
  if (amount === null) return [];
  const query = new URLSearchParams({ amount, currency });
  return lists.filter(({ filters }) => 'amount' in filters).map(({ name, title }) => {
    return { path: `/lists/${name}?${query}`, words: `${title} of ${typed}` };
  });
}

/** Minor units of an amount such as `1,234.50`; null for what is none. */
function minorUnits(sum: string, currency: string): string | null {
  const digits = digitsOf(currency);
  const [whole = '', part = '', ...more] = sum.replaceAll(/,(?=\d{3}(?!\d))/g, '').split(/[.,]/);
  if (digits === null || digits === undefined || more.length > 0) return null;
  if (!/^\d{1,9}$/.test(whole) || part.length > digits) return null;
  return BigInt(whole + part.padEnd(digits, '0')).toString();
}
