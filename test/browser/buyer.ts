// A buyer in browser tests: created, gets an order, opens its link, agrees, pays; with waits for
// screens, and reads of what the ledger says of an order.
import assert from 'node:assert/strict';
import type { Frame, FrameLocator, Page } from 'playwright-core';
import type { Database } from '../../src/db/index.ts';
import { authorize, type Authorized } from '../kit/checkout.ts';
import type { Api } from '../kit/api.ts';
import { hook, type Bench, type Visitor } from './kit.ts';

/** A page of ours, or our frame in another. */
export type Place = Page | FrameLocator;

/** Somebody of whom no other test knows. */
export interface Buyer {
  readonly account_id: string;
  /** The payment method that is the wallet. */
  readonly wallet: string;
  /** The payment method of each test card, in the order that was asked for. */
  readonly cards: readonly string[];
}

let buyers = 0;

/** A new buyer with so many cents and these test cards. */
export async function newBuyer(api: Api, cents: number, ...cards: string[]): Promise<Buyer> {
  buyers += 1;
  const { account_id, method } = await api.register(`browser_buyer_${buyers}`);
  if (cents > 0) await api.fund(account_id, cents);
  const attached: string[] = [];
  for (const card of cards) attached.push(await api.attach(account_id, card));
  return { account_id, wallet: method, cards: attached };
}

/** Authorizes a sale of so many cents to a buyer. `hosted`: its link is a page of its own. */
export function order(
  api: Api,
  { account_id }: Pick<Buyer, 'account_id'>,
  cents: number,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Authorized> {
  return authorize(api, api.sale(cents, [], { account_id, description: 'A satchel', ...more }));
}

/** What makes an order's link a page of its own. */
export const HOSTED = { invoice_mechanism: 'service_hosted' } as const;

/** Agrees to the terms if they are asked for, and arrives at the flow's first screen. */
export async function arrive(place: Place, screen = 'screen-summary'): Promise<void> {
  await hook(place, 'screen-agree').or(hook(place, screen)).waitFor();
  if ((await hook(place, 'screen-agree').count()) === 0) return;
  await hook(place, 'agree-switch').check();
  await hook(place, 'agree-accept').click();
  await hook(place, screen).waitFor();
}

/** Opens an order on its hosted page, up to its summary. */
export async function openHosted(visitor: Visitor, { redirect }: Authorized): Promise<Page> {
  await visitor.page.goto(redirect);
  await hook(visitor.page, 'continue').click();
  await arrive(visitor.page);
  return visitor.page;
}

/** Opens an order in the shop's page, up to its summary. */
export async function openFramed(
  visitor: Visitor,
  { redirect }: Authorized,
  wish: Readonly<Record<string, unknown>> = {},
): Promise<FrameLocator> {
  const frame = await visitor.begin({ flow: 'checkout', redirect, ...wish });
  await arrive(frame);
  return frame;
}

/** Chooses a method, without the balance, and presses Pay. */
export async function payBy(place: Place, method: string): Promise<void> {
  const wallet = hook(place, 'wallet-switch');
  if ((await wallet.count()) > 0 && (await wallet.isChecked())) await wallet.uncheck();
  await hook(place, `method-${method}`).check();
  await hook(place, 'pay').click();
}

/** Types a test card into the processor's form and saves it. */
export async function addCard(place: Place): Promise<void> {
  await hook(place, 'add-card').click();
  const form = place.frameLocator('[data-test="entry-frame"] iframe');
  await hook(form, 'hint').first().click();
  await hook(form, 'card-save').click();
  await hook(place, 'entry-frame').waitFor({ state: 'detached' });
}

/** The page of the bank in ours. */
export function bankIn(place: Place): FrameLocator {
  return place.frameLocator('[data-test="authentication-frame"] iframe');
}

/** What the books say of an order: invoices paid, and what the processor took for them. */
export async function booked(
  db: Database,
  { authorized_invoice_id }: Authorized,
): Promise<{ paid: number; captures: number; taken: number }> {
  const [row] = await db.query<{ paid: number; captures: number; taken: number }>({
    text: `with made as (
        select i.id, i.state from invoice i join invoice_document d using (workspace, id)
        where d.document like '%' || $1 || '%')
      select (select count(*)::int from made where state = 'success') as paid,
        count(*)::int as captures, coalesce(sum(s.amount), 0)::int as taken
      from made join attempt a on a.resource_id = made.id
      join processor_statement s on s.key = a.id::text and s.kind = 'capture'`,
    values: [authorized_invoice_id],
  });
  assert.ok(row);
  return row;
}

/** The control that has the focus, however deep in frames; what is drawn around it. */
export interface Focused {
  readonly frame: Frame;
  readonly name: string;
  readonly seen: boolean;
}

/** Looks for a ring on the control, or on the row or label that stands for it. */
const FOCUS = `(() => {
  const element = document.activeElement;
  if (!document.hasFocus() || !element || element.tagName === 'IFRAME') return null;
  const rings = (one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  };
  let seen = false;
  const row = element.closest('label, .row, .switch, [data-test]');
  for (let one = element; one && !seen; one = one === row ? null : one.parentElement) {
    seen = rings(one) || [...one.children].some(rings);
  }
  return { name: element.dataset.test ?? element.id ?? '', seen };
})()`;

/** Where the focus is; null when it is on no control. */
export async function focused(page: Page): Promise<Focused | null> {
  for (const frame of page.frames().toReversed()) {
    const found = (await frame.evaluate(FOCUS).catch(() => null)) as Omit<Focused, 'frame'> | null;
    if (found !== null && found.name !== '') return { frame, ...found };
  }
  return null;
}

const MOST_TABS = 60;

/** Goes to a control by the Tab key alone; each control on the way shows that it has the focus. */
export async function tabTo(page: Page, name: string): Promise<Focused> {
  const way: string[] = [];
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    const at = await focused(page);
    if (at !== null) {
      way.push(at.name);
      if (way.length > 1) assert.ok(at.seen, `${at.name} has the focus and does not show it`);
      if (at.name === name) return at;
    }
    await page.keyboard.press('Tab');
  }
  assert.fail(`the Tab key does not lead to ${name}: ${way.join(', ')}`);
}

/** Goes to a control by the Tab key and presses a key on it. */
export async function press(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/** Makes the sandbox's tenant look or name itself differently for a while. */
export async function withSettings(
  { platform: { api } }: Bench,
  body: object,
  back: object,
  what: () => Promise<void>,
): Promise<void> {
  await api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body });
  try {
    await what();
  } finally {
    await api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body: back });
  }
}
