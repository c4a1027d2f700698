// The money of opening balances on the pages of bank transfers: what is still expected, and the
// forms that give a transfer to it. It always takes two operators. [G-97]
import type { IncomingSeen } from '../product/money/bank/index.ts';
import { expectedOpenings } from '../product/money/treasury/index.ts';
import { html, type Html } from '../markup/html.ts';
import { card, money } from './blocks.ts';
import { choice, postForm } from './frame.ts';
import type { PageRequest } from './routes.ts';

const OPENINGS = 'openings';

/** True where operators recorded or proposed it as the money of opening balances. */
export function isForOpenings({ state, wallet_id }: IncomingSeen): boolean {
  return wallet_id === null && ['proposed', 'allocating', 'covered'].includes(state);
}

/** What a form says that a transfer is for: a wallet in words, or with null opening balances. */
export function targetOf({ form }: PageRequest): string | null {
  return form['purpose'] === OPENINGS ? null : (form['wallet'] ?? '');
}

/** What is still expected, in words; null for nothing. */
export async function expectedWords({ services, tenant }: PageRequest): Promise<string | null> {
  const all = tenant === null ? [] : await expectedOpenings(services.db, tenant.workspace);
  return all.map(({ currency, amount }) => money(amount, currency)).join(', ') || null;
}

/** The choice between a wallet and opening balances; null while none are expected. */
export async function openingChoice(request: PageRequest): Promise<Html | null> {
  const expected = await expectedWords(request);
  if (expected === null) return null;
  const openings = [OPENINGS, `opening balances: ${expected} expected`] as const;
  return choice('It is for', 'purpose', [['wallet', 'the wallet below'], openings]);
}

/** The form that gives an open transfer to them; null where less is expected. */
export async function openingCard(
  { services, session, tenant }: PageRequest,
  { id, version, currency, amount, digits }: IncomingSeen,
): Promise<Html | null> {
  const all = tenant === null ? [] : await expectedOpenings(services.db, tenant.workspace);
  const expected = all.find((one) => one.currency === currency)?.amount ?? 0n;
  if (expected < amount) return null;
  const form = postForm(session, `/transfers/${id}/allocate`, html`<p>Opening balances of
${money(expected, currency, digits)} moved in with accounts and have not arrived yet.</p>
<input type="hidden" name="version" value="${version}">
<input type="hidden" name="purpose" value="${OPENINGS}">
<p><button>It is part of that money</button></p>`);
  return card('Opening balances', form);
}
