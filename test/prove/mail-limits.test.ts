// How many mails one address gets in a day, over all accounts of a tenant: codes, receipts and
// invitations counted apart, so that nobody is flooded and nobody is kept from their own code.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { agree } from '../api/fixtures.ts';
import { business, BusinessScene } from '../api/business-scene.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market, ownLine } from '../api/market.ts';
import { until } from '../kit/until.ts';

let platform: Platform;
let scene: BusinessScene;
before(async () => {
  platform = await startPlatform();
  scene = new BusinessScene(platform);
});
after(() => platform?.stop());

const VICTIM = 'victim@people.example';
const EVERY = 'the account or to the address';

/** Tokens of new accounts. */
const people = (count: number, more: object = {}): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      return (await agree(platform.api, await scene.account(more))).user;
    }),
  );

async function code(token: string, email: string): Promise<string> {
  const call = { body: { email }, token };
  const path = '/v1/user-info/email/begin-verify';
  const { code: refused, text } = await platform.api.send('accounts', 'POST', path, call);
  if (refused === 'TOO_MANY_MAILS') assert.match(text, new RegExp(EVERY));
  return refused;
}

const taken = (codes: readonly string[]): number => codes.filter((one) => one === '').length;

test('ten codes a day reach an address, however many accounts ask for them', async () => {
  const strangers = await people(6);
  const asked = strangers.flatMap((token) => [1, 2, 3].map(() => code(token, VICTIM)));
  const codes = await Promise.all(asked);
  assert.equal(taken(codes), 10);
  assert.deepEqual(new Set(codes), new Set(['', 'TOO_MANY_MAILS']));
  const [first = ''] = strangers;
  assert.equal(await code(first, 'VICTIM@people.example'), 'TOO_MANY_MAILS', 'in any case');
  assert.equal(await code(first, 'other@people.example'), '');
});

test('whose address it is gets a code still, and thirty a day end it for everybody', async () => {
  const own = await people(3, { email: { address: VICTIM } });
  const [mine = ''] = own;
  assert.equal(await code(mine, VICTIM), '');
  const codes = await Promise.all(
    own.flatMap((token) => Array.from({ length: 10 }, () => code(token, VICTIM))),
  );
  assert.equal(taken(codes), 19);
});

test('receipts that the tenant asks for use up neither a person’s ten nor the codes', async () => {
  const { buyer } = platform.ready.accounts;
  const market = new Market(platform.api);
  const { invoice_id: id } = await market.sold({ ...market.sale(), line_items: [ownLine(100)] });
  const { user } = await agree(platform.api, buyer.account_id);
  const to = 'buyer@people.example';
  const ask = async (call: { readonly token?: string; readonly body: object }) =>
    (await platform.api.send('invoicing', 'POST', `/v1/transaction/${id}/receipt`, call)).code;
  const byClient = { body: { email_address: to, account_id: buyer.account_id } };
  const byPerson = { token: user, body: { email_address: to } };
  const all = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, work));
  assert.equal(taken(await all(12, () => ask(byClient))), 12);
  assert.equal(taken(await all(12, () => ask(byPerson))), 10);
  assert.equal(await code(user, to), '');
  assert.equal(taken(await all(95, () => ask(byClient))), 88, 'a hundred a day');
});

test('ten invitations a day reach an address, of all businesses', async () => {
  const many = Array.from({ length: 12 }, async (_, n) => {
    const account = await scene.account({ country_iso: 'US', full_name: 'Zoe Frey' });
    const agents = [
      ...[{ agent_name: 'Ada Bell', agent_email: VICTIM, roles: ['control_prong'] }],
      { agent_name: `Cyd ${n}`, roles: ['beneficial_owner'] },
    ];
    await scene.onboard(account, business({ agents }));
    await scene.submit(account);
  });
  await Promise.all(many);
  const ended = () =>
    platform.db.query<{ reason: string | null; count: number }>(
      `select reason, count(*)::int as count from mail where kind = 'business_invited'
        and state <> 'pending' group by 1 order by 1 nulls first`,
    );
  const rows = await until('all have ended', async () => {
    const found = await ended();
    return found.reduce((sum, { count }) => sum + count, 0) === 12 && found;
  });
  const sent = rows.find(({ reason }) => reason === null)?.count ?? 0;
  // What is sent at the same moment is not counted yet.
  assert.ok(sent >= 10 && sent <= 13, `${sent}`);
});
