// The deadline of a dispute: a warning before it, once, for whoever submitted nothing; and what was
// not answered by then is said. [G-93]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../kit/until.ts';
import { proved } from '../kit/books.ts';
import { clockOf, DAY, type Clocks } from '../api/clocks.ts';
import { startPlatform } from '../api/kit.ts';
import { RefundScene } from '../api/refund-scene.ts';


interface Dispute {
  readonly dispute_id: string;
  readonly status: string;
  readonly due_by: string;
}

let scene: RefundScene;
let clock: Clocks;
before(async () => {
  scene = new RefundScene(await startPlatform());
  clock = clockOf(scene.platform.api);
  await scene.fund(100_000);
});
after(() => scene?.platform.stop());

const get = <T>(path: string): Promise<T> =>
  scene.platform.api.must(200, 'invoicing', 'GET', path);
const read = (id: string): Promise<Dispute> => get(`/v1/disputes/${id}`);

async function is(id: string, status: string): Promise<void> {
  await until(`a dispute that is ${status}`, async () =>
    (await read(id)).status === status ? true : null,
  );
}

/** A new dispute of a new sale by card; with evidence that is only collected, or submitted too. */
async function disputed(evidence: 'none' | 'collected' | 'submitted'): Promise<string> {
  const { api } = scene.platform;
  const { invoice_id: id } = await scene.sold([500], [{ payment_method_id: await scene.card() }]);
  const body = { event: 'chargeback', id };
  await api.must(201, 'invoicing', 'POST', '/sandbox/outside_events', { body });
  const { dispute_id } = await until('a dispute', async () => {
    type Page = { disputes: readonly Dispute[] };
    const { disputes } = await get<Page>(`/v1/disputes?invoice_id=${id}`);
    return disputes[0] ?? null;
  });
  const path = `/v1/disputes/${dispute_id}`;
  const piece = { body: { kind: 'other', text: 'It was delivered.' } };
  if (evidence !== 'none') await api.must(201, 'invoicing', 'POST', `${path}/evidence`, piece);
  if (evidence !== 'submitted') return dispute_id;
  await api.must(200, 'invoicing', 'POST', `${path}/submit`);
  await is(dispute_id, 'under_review');
  return dispute_id;
}

/** The moves of a dispute that the clock made. */
async function acted(id: string): Promise<string[]> {
  const rows = await scene.platform.db.query<{ event: string }>({
    text: `select event from history where resource_id = $1 and actor = 'system' order by version`,
    values: [id],
  });
  return rows.map(({ event }) => event);
}

test('a deadline that is near is announced once, and one that has passed is said', async () => {
  const silent = await disputed('none');
  const collected = await disputed('collected');
  const answered = await disputed('submitted');
  const { due } = await clock.read();
  const mine = due.filter(({ what }) => what === 'dispute').map(({ id }) => id);
  assert.deepEqual(mine.toSorted(), [silent, collected].toSorted(), 'the bank has one answer');
  await clock.move({ advance_seconds: 11 * DAY - 60 });
  assert.deepEqual([await acted(silent), await acted(collected)], [[], []]);
  await clock.move({ advance_seconds: 120 });
  const near = (one: string) => async () => ((await acted(one)).length > 0 ? true : null);
  await until('a warning', near(silent));
  await until('a warning', near(collected));
  await clock.move({ advance_seconds: DAY });
  assert.deepEqual([await acted(silent), await acted(collected)], [['warn'], ['warn']]);
  const isOurs = ({ event_name }: { event_name: string }): boolean =>
    event_name === 'dispute-response-due';
  const events = await scene.market.events(0, 2, isOurs);
  const told = events.map(({ message }) => [message['dispute_id'], message['status']]);
  assert.deepEqual(
    told.toSorted(),
    [silent, collected].toSorted().map((id) => [id, 'needs_response']),
  );
  await clock.move({ advance_seconds: 3 * DAY });
  await is(silent, 'lost');
  assert.deepEqual(await acted(silent), ['warn', 'lapse']);
  assert.deepEqual(await acted(answered), []);
  const { timeline } = await get<{ timeline: readonly { text: string }[] }>(
    `/sandbox/explain/${silent}`,
  );
  const said = timeline.map(({ text }) => text).join('\n');
  assert.match(said, /warn\. The deadline is near and nothing was submitted/);
  assert.match(said, /lapse\. The deadline has passed without a response/);
  await proved(scene.platform.db);
});
