// The picture of the README: a checkout as its buyer sees it, beside the ledger entries that paying
// it made. Both are of one sale on a real platform; the entries are read back from its books.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { arrive, HOSTED, newBuyer, order } from '../test/browser/buyer.ts';
import { hook, type Bench } from '../test/browser/kit.ts';

/** As the demo shop looks. */
const DRESS = {
  name: 'Kiln & Thread',
  look: { background_color: '#ffffff', primary_color: '#9c3f22' },
};
const GOODS = [
  { description: 'Ash-glaze mug', cents: 3_800, seller: 'Sam' },
  { description: 'Indigo throw', cents: 12_800, seller: 'Sue' },
] as const;
/** What the buyer has in her wallet; her card pays the rest. */
const BALANCE = 2_600;

/** Pixels for one of CSS. */
const SCALE = 1.4;
const PHONE = { width: 400, height: 900 };
const PICTURE = { width: 900, height: 640 };
/** Of the checkout in the picture: taken in this size, so that nothing is scaled afterwards. */
const CHECKOUT_WIDTH = 340;

/** What is read of one entry of an explanation. */
interface Told {
  readonly kind: string;
  readonly about: { readonly kind: string };
  readonly version: number;
  readonly on: string;
  readonly from: string | null;
  readonly to: string;
  readonly name: string;
  readonly ledger_account: string;
  readonly account_id: string | null;
  readonly amount: number;
  readonly balance_after: number | null;
}

/** What is read of an event of the stream. */
interface SentEvent {
  readonly event_name: string;
  readonly sequence: number;
  readonly message: { readonly invoice_id?: string; readonly state?: string };
}

interface Sale {
  readonly checkout: Buffer;
  readonly invoice: string;
  readonly timeline: readonly Told[];
  readonly event: SentEvent;
  /** Whose wallet an account's is. */
  readonly people: ReadonlyMap<string | null, string>;
}

/** Plays the sale and writes the picture. */
export async function frontPicture(bench: Bench, path: string): Promise<void> {
  const sale = await play(bench);
  const visitor = await bench.visitor({ viewport: PICTURE, deviceScaleFactor: SCALE });
  await visitor.page.setContent(pageOf(sale));
  await visitor.page.screenshot({ path, fullPage: true });
  await visitor.context.close();
}

async function play(bench: Bench): Promise<Sale> {
  const { api } = bench.platform;
  await api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body: DRESS });
  const buyer = await newBuyer(api, BALANCE, 'visa');
  const { seller, seller2 } = bench.platform.ready.accounts;
  const sellers = { Sam: seller, Sue: seller2 };
  const line_items = GOODS.map(({ description, cents, seller: name }) => ({
    ...{ amount: cents, currency: 'USD', description, transaction_type: 'user_to_user' },
    recipients: [
      {
        ...{ amount: cents - cents / 10, currency: 'USD', fee_amount: cents / 10 },
        destination_wallet_id: sellers[name].wallet_id,
      },
    ],
  }));
  const wish = { ...HOSTED, description: 'Order 1042', line_items };
  const { redirect, authorized_invoice_id: made } = await order(api, buyer, 0, wish);
  const deviceScaleFactor = (SCALE * CHECKOUT_WIDTH) / PHONE.width;
  const visitor = await bench.visitor({ viewport: PHONE, deviceScaleFactor });
  const checkout = await paid(visitor.page, redirect);
  await visitor.context.close();
  const { invoice_id: invoice } = await api.must<{ invoice_id: string }>(
    ...([200, 'invoicing', 'GET', `/v2/authorize/invoice/${made}`] as const),
  );
  const { timeline } = await api.must<{ timeline: readonly Told[] }>(
    ...([200, 'invoicing', 'GET', `/sandbox/explain/${invoice}`] as const),
  );
  const { events } = await api.must<{ events: readonly SentEvent[] }>(
    ...([200, 'invoicing', 'GET', '/v1/events?limit=1000'] as const),
  );
  const event = events.find(({ message }) => message.invoice_id === invoice);
  assert.ok(event !== undefined);
  const people = new Map([
    [buyer.account_id, 'the buyer'],
    [seller.account_id, 'Sam, seller'],
    [seller2.account_id, 'Sue, seller'],
  ]);
  return { checkout, invoice, timeline, event, people };
}

/** Pays a checkout by balance and card; gives how it looked before the click. */
async function paid(page: Page, redirect: string): Promise<Buffer> {
  await page.goto(redirect);
  await hook(page, 'continue').click();
  await arrive(page);
  await hook(page, 'wallet-switch').check();
  await hook(page, 'pay').hover();
  // The switch has moved and the button has its colour.
  await page.waitForTimeout(500);
  await page.evaluate('scrollTo(0, 0)');
  const button = await hook(page, 'pay').boundingBox();
  assert.ok(button !== null);
  const clip = { x: 0, y: 0, width: PHONE.width, height: button.y + button.height + 16 };
  const picture = await page.screenshot({ clip, fullPage: true });
  await hook(page, 'pay').click();
  await hook(page, 'screen-success').waitFor();
  return picture;
}

/** Each step of the invoice that moved money, with its entries and what it announced. */
function stepsOf({ timeline, people }: Sale): string {
  const own = timeline.filter(({ about }) => about?.kind === 'invoice');
  return own
    .filter(({ kind }) => kind === 'transition')
    .map((step) => {
      const same = own.filter(({ version }) => version === step.version);
      const entries = same.filter(({ kind }) => kind === 'posting');
      if (entries.length === 0) return '';
      const sum = entries.reduce((total, { amount }) => total + amount, 0);
      assert.equal(sum, 0);
      const rows = entries.map((entry) => {
        const balance = entry.balance_after === null ? '' : money(entry.balance_after);
        const sign = entry.amount < 0 ? 'out' : 'in';
        const cells = [
          `<td>${nameOf(entry, people)}</td>`,
          `<td class="${sign}">${money(entry.amount, true)}</td>`,
          `<td class="quiet">${balance}</td>`,
        ];
        return `<tr>${cells.join('')}</tr>`;
      });
      const moved = `${step.from} → ${step.to}`;
      const head = `<tr class="step"><th colspan="3">invoice <b>${moved}</b></th></tr>`;
      const foot = `<tr class="sum"><td>sum</td><td>${money(sum)}</td><td></td></tr>`;
      return `<tbody>${head}${rows.join('')}${foot}</tbody>`;
    })
    .join('');
}

function nameOf({ ledger_account, account_id }: Told, people: Sale['people']): string {
  const owner = people.get(account_id);
  const note = NOTES[ledger_account] ?? '';
  return ledger_account.replaceAll('_', ' ') + (owner === undefined ? note : ` of ${owner}`);
}

const NOTES: Readonly<Record<string, string>> = {
  processor_clearing: ' <span class="quiet">(the card)</span>',
  integrator_share: ' <span class="quiet">(your fee)</span>',
};

function money(cents: number, signed = false): string {
  const sign = cents < 0 ? '−' : signed ? '+' : '';
  return sign + (Math.abs(cents) / 100).toFixed(2);
}

function pageOf(sale: Sale): string {
  const picture = sale.checkout.toString('base64');
  return `<!doctype html><html lang="en"><style>${STYLE}</style><body>
    <figure><h2>What the buyer sees</h2><img src="data:image/png;base64,${picture}"></figure>
    <section><h2>What the books hold</h2>
    <p class="quiet">Invoice <code>${sale.invoice}</code></p>
    <table><thead><tr><th>Ledger account</th><th>USD</th><th>Balance</th></tr></thead>
    ${stepsOf(sale)}</table>
    <p class="quiet">Each step is one commit, and its entries sum to zero.</p>
    <h2 class="next">What your server receives, signed <span class="quiet">(an excerpt)</span></h2>
    <pre>${JSON.stringify(shown(sale.event), null, 2)}</pre></section></body></html>`;
}

function shown({ event_name, sequence, message: { invoice_id, state } }: SentEvent): object {
  return { event_name, sequence, message: { invoice_id, state } };
}

const STYLE = `
  * { box-sizing: border-box; }
  body { margin: 0; padding: 26px; display: flex; gap: 32px; background: #fff; color: #17181a;
    font: 15.5px/1.3 "DejaVu Sans", system-ui, sans-serif; }
  h2 { margin: 0 0 14px; font-size: 17px; }
  figure { margin: 0; flex: 0 0 ${CHECKOUT_WIDTH}px; }
  img { width: 100%; display: block; box-shadow: 0 0 0 1px #d3d5d9; border-radius: 12px; }
  section { flex: 1; }
  p { margin: 0 0 12px; }
  .quiet, thead th { color: #5c6066; font-size: 13px; }
  code { font: 12.5px "DejaVu Sans Mono", monospace; }
  table { width: 100%; border-collapse: collapse; }
  th, td { text-align: left; padding: 6px 8px; font-weight: normal; }
  th + th, td + td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
  tbody tr { border-top: 1px solid #e6e7ea; }
  .step th { padding-top: 9px; background: #f4f5f6; }
  .sum { border-top: 2px solid #17181a; }
  .sum td { font-weight: bold; padding-bottom: 18px; }
  .sum td:first-child { font-weight: normal; color: #5c6066; font-size: 13px; }
  td.quiet { font-size: inherit; }
  .next { margin-top: 24px; }
  pre { margin: 0; padding: 12px 14px; border-radius: 8px; background: #f4f5f6;
    font: 13px/1.45 "DejaVu Sans Mono", monospace; }
  .out { color: #9c2f22; } .in { color: #17653a; }`;
