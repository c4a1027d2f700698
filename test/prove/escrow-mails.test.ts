// Mails about escrows that move in parts and at dates, and about disagreements: each is sent once,
// to the right side, in the language of that person, and says nothing of what was stated. [G-96]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CapturedMail } from '../../client/index.ts';
import { uuidOfWireId } from '../../src/core/ids.ts';
import type { DisagreementRecord } from '../../src/product/money/disagreement/index.ts';
import { compose } from '../../src/product/tell/mail/compose.ts';
import { wordsOfDisagreement } from '../../src/product/tell/mail/disagreement-words.ts';
import { KIND_ROWS } from '../../src/product/tell/mail/kinds.ts';
import type { Shop } from '../../src/product/tell/mail/index.ts';
import { languages, textsWith } from '../../src/texts/index.ts';
import { clockOf, type Clocks } from '../api/clocks.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market, type Body } from '../api/market.ts';
import { sealed, settled } from '../kit/books.ts';
import { until } from '../kit/until.ts';

const DAY = 86_400;
const SECRET = 'The oak is pine; the key of my door is in the drawer.';
const SIDES = {
  buyer: { to: 'zoe@people.example', language: 'de' },
  seller: { to: 'yan@people.example', language: 'en' },
} as const;
type Side = keyof typeof SIDES;

let platform: Platform;
let clock: Clocks;
before(async () => {
  platform = await startPlatform();
  clock = clockOf(platform.api);
  for (const side of ['buyer', 'seller'] as const) {
    const { to: address, language } = SIDES[side];
    const { account_id } = platform.ready.accounts[side];
    const body = { email: { address, requires_verification: false } };
    await platform.api.must(200, 'accounts', 'PUT', `/user-info/${account_id}`, { body });
    await platform.db.execute({
      text: 'update account_person set language = $2 where id = $1',
      values: [uuidOfWireId('acct', account_id), language],
    });
  }
});
after(() => platform?.stop());

function send<T>(path: string, body: Body = {}, status = 200): Promise<T> {
  return platform.api.must<T>(status, 'invoicing', 'POST', path, { body });
}
const read = <T>(path: string): Promise<T> => platform.api.must<T>(200, 'invoicing', 'GET', path);

async function mailsTo(side: Side): Promise<readonly CapturedMail[]> {
  type Page = { readonly mails: readonly CapturedMail[] };
  return (await read<Page>(`/sandbox/mail?to=${SIDES[side].to}`)).mails;
}

/** Everything that has happened was told. */
async function quiet(): Promise<void> {
  await settled(platform.db, 20_000);
  await sealed(platform.db);
  const waits = `select from seal s join mail_cursor c using (workspace)
    where s.sequence > c.sequence union all select from mail where state = 'pending'`;
  await until('all mails', async () => (await platform.db.query(waits)).length === 0);
}

type Wanted = Partial<Record<Side, readonly RegExp[]>>;

/** What each side is newly told by an act, in any order, and nothing else; gives the texts. */
async function tells<T>(act: () => Promise<T>, wanted: Wanted): Promise<[string, T]> {
  const [buyer, seller] = [(await mailsTo('buyer')).length, (await mailsTo('seller')).length];
  const before = { buyer, seller };
  const done = await act();
  await quiet();
  const texts: string[] = [];
  for (const side of ['buyer', 'seller'] as const) {
    const now = await mailsTo(side);
    const fresh = now.slice(0, now.length - before[side]);
    const said = fresh.map(({ subject }) => subject);
    const expected = wanted[side] ?? [];
    assert.equal(said.length, expected.length, `${side}: ${said.join(' | ')}`);
    for (const one of expected) assert.ok(said.some((is) => one.test(is)), `${one}: ${said}`);
    for (const { html } of fresh) assert.match(html, new RegExp(`lang="${SIDES[side].language}"`));
    texts.push(...fresh.map(({ text }) => text));
  }
  const all = texts.join('\n');
  assert.doesNotMatch(all, /drawer|acct_|people\.example|[{}]/);
  return [all, done];
}

/** An escrow of the buyer for the seller, paid. */
async function paid(amount: number, more: Body = {}): Promise<string> {
  const body = new Market(platform.api).sale(amount, more);
  const { id } = await send<{ id: string }>('/v2/escrow', body, 201);
  await send(`/v2/escrow/${id}/pay`);
  return id;
}

async function inDays(days: number): Promise<string> {
  const { now } = await clock.read();
  return new Date(Date.parse(now) + days * DAY * 1_000).toISOString().replace('Z', '000Z');
}

const days = (count: number) => () => clock.move({ advance_seconds: Math.round(count * DAY) });

const HELD = {
  buyer: [/ wird für Sie verwahrt$/],
  seller: [/^A payment for you is held/],
};
const PART = { buyer: [/^Verwahrtes Geld bei /], seller: [/^You were paid a part/] };
const BACK = /^Ein Teil Ihrer Zahlung an .* wurde erstattet$/;

test('parts, deliveries and dates are told to whom they concern', async () => {
  const milestones = [{ name: 'A', amount: 1_000 }, { name: 'B', amount: 5_000 }];
  const [, id] = await tells(() => paid(9_000, { milestones }), HELD);
  const at = `/v2/escrow/${id}`;
  await tells(() => send(`${at}/release`, { milestone: 'A' }), PART);
  const { escrow_invoice_id } = await read<{ escrow_invoice_id: string }>(at);
  const invoice = await read<{ line_items: object }>(`/v2/invoice/${escrow_invoice_id}`);
  const some = { line_items: [{ line_item_id: Object.keys(invoice.line_items)[0], amount: 500 }] };
  const [back] = await tells(() => send(`${at}/return`, some), { buyer: [BACK] });
  assert.match(back, /5,00 USD/);
  await tells(() => send(`${at}/delivered`, { milestone: 'B' }), {
    buyer: [/^Ihre Bestellung bei .* wurde geliefert$/],
  });
  const dates = { milestones: [{ name: 'B', release_at: await inDays(10) }] };
  await tells(() => send(`${at}/schedule`, dates), {
    buyer: [/^Die Termine Ihrer Bestellung bei .* haben sich geändert$/],
    seller: [/^The dates of your order .* changed$/],
  });
  await tells(days(6), {
    buyer: [/^Ein Termin Ihrer Bestellung bei .* steht bevor$/],
    seller: [/^A date of your order .* is near$/],
  });
  await tells(days(5), PART);
  await tells(() => send(`${at}/commit`), PART);
});

test('the end of the holding is told to the buyer, and to both where it pays', async () => {
  await tells(() => paid(700), HELD);
  await tells(() => paid(800, { default_outcome: 'commit' }), HELD);
  await tells(days(84), {
    buyer: [/ wird bald zurückgezahlt$/, /^Ein Termin Ihrer Bestellung /],
    seller: [/^A date of your order /],
  });
  await tells(days(7), {
    buyer: [/ wurde zurückgezahlt$/, /^Verwahrtes Geld bei /],
    seller: [/^You were paid a part/],
  });
});

/** What one side says of a disagreement. */
function word(side: Side, id: string, name: string, body: Body, status = 201) {
  const { account_id } = platform.ready.accounts[side];
  const at = `/v2/escrow/${id}/dispute/${name}`;
  return send<DisagreementRecord>(at, { account_id, ...body }, status);
}

const split = (to_sellers: number, to_buyer: number): Body => ({
  ...{ to_sellers, to_buyer, to_integrator: 0 },
});

test('a disagreement: who speaks is told to the other side, the end to both', async () => {
  const [, id] = await tells(() => paid(9_000), HELD);
  const wish = { opened_by: 'buyer', reason: 'damaged' };
  const [opened] = await tells(() => send(`/v2/escrow/${id}/dispute`, wish, 201), {
    buyer: [/^Ein Streitfall zu einer Bestellung bei /],
    seller: [/^A disagreement about an order at /],
  });
  assert.match(opened, /Der Käufer .* hat einen Streitfall eröffnet\. Grund: Beschädigt\./);
  assert.match(opened, /Reason: Damaged\./);
  await tells(() => word('buyer', id, 'statements', { text: SECRET }), {
    seller: [/^The other side wrote /],
  });
  await tells(() => word('seller', id, 'statements', { text: SECRET }), {
    buyer: [/^Die andere Seite hat sich /],
  });
  const [offered, { proposal }] = await tells(
    () => word('seller', id, 'proposal', split(8_000, 1_000)),
    { buyer: [/^Ein Vorschlag /] },
  );
  assert.match(offered, /80,00 USD an den Verkäufer, .* 10,00 USD zurück an den Käufer\. Öffnen/);
  const no = { proposal_id: proposal?.proposal_id, answer: 'decline' };
  const [declined] = await tells(() => word('buyer', id, 'answer', no, 200), {
    seller: [/^Your offer about an order at .* was declined$/],
  });
  assert.match(declined, /declined how you offered to divide .* Nothing has moved\./);
  const [, theirs] = await tells(() => word('buyer', id, 'proposal', split(6_000, 3_000)), {
    seller: [/^An offer about /],
  });
  const [due] = await tells(days(8), {
    buyer: [/^Wenig Zeit für eine Einigung /],
    seller: [/^Little time is left to agree /],
  });
  assert.match(due, /can agree until .* UTC\. After that Sandbox decides\./);
  const yes = { proposal_id: theirs.proposal?.proposal_id, answer: 'accept' };
  const [end] = await tells(() => word('seller', id, 'answer', yes, 200), {
    buyer: [/ ist geklärt$/, /^Verwahrtes Geld bei /, BACK],
    seller: [/ is settled$/, /^You were paid a part/],
  });
  assert.match(end, /agreed\. .* USD 60\.00 go to the seller, .* USD 30\.00 go back to the buyer/);
});

test('the tenant opens and decides, and a default says that time has ended', async () => {
  const [, id] = await tells(() => paid(1_000), HELD);
  const both = { buyer: [/^Ein Streitfall /], seller: [/^A disagreement /] };
  const wish = { opened_by: 'tenant', reason: 'late' };
  const [opened] = await tells(() => send(`/v2/escrow/${id}/dispute`, wish, 201), both);
  assert.match(opened, /^Sandbox opened a disagreement about an order\. Reason: Late\./m);
  const kept = { to_sellers: 600, to_buyer: 350, to_integrator: 50 };
  const [decided] = await tells(() => send(`/v2/escrow/${id}/resolve`, kept), {
    buyer: [/ ist geklärt$/, /^Verwahrtes Geld bei /, BACK],
    seller: [/ is settled$/, /^You were paid a part/],
  });
  assert.match(decided, /^Sandbox decided\. .*, while Sandbox keeps USD 0\.50\. /m);
});

test('in ten languages every one of them says its words and amounts', () => {
  const tags = languages().map(({ tag }) => tag);
  assert.equal(tags.length, 10);
  const kinds = new Set(KIND_ROWS.map(({ kind }) => kind).filter((kind) => /^dis|^esc/.test(kind)));
  assert.equal(kinds.size, 19);
  const sums = { to_sellers: 1_234, to_buyer: 567, to_integrator: 89 };
  const one = { opened_by: 'seller', reason: 'late', currency: 'USD', default_outcome: 'buyer' };
  const settlement = { by: 'agreement', ...sums };
  const record = { ...one, due_by: '2027-03-01T12:00:00.000000Z', settlement };
  for (const language of tags) {
    const look = { background_color: '#ffffff', primary_color: '#000000', logo: '' };
    const texts = textsWith({}, language);
    const shop = { name: 'Lamps', look, contact: '', fromName: '', replyTo: '', language, texts };
    const whose = { ...shop, isSandbox: false } as unknown as Shop;
    const values = wordsOfDisagreement(record as unknown as DisagreementRecord, whose);
    for (const kind of kinds) {
      const { subject, text } = compose(kind, whose, { receipt: null, values, link: null });
      assert.doesNotMatch(subject + text, /[{}]|mail\.|disagreement\./, `${language} ${kind}`);
      assert.match(subject, /Lamps/);
      if (kind === 'disagreement_settled') assert.match(text, /12[.,]34[^]*5[.,]67[^]*0[.,]89/);
    }
  }
});
