// kill -9 at random moments under load: of the server, of its PostgreSQL, of everything at once.
// What was acknowledged is there, every payment ends, nothing is charged twice, keys keep their
// answers. [M5, M6, M7, M17, OP2; crash points C1 to C12]
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reconciled, sealed, settled } from '../kit/books.ts';
import { compare, meansOf, STANDING, wish, type Standing } from '../faults/journeys.ts';
import { Customers, rng } from '../faults/load.ts';
import { Victim, type Target } from '../faults/victim.ts';

const KILLS = Number(process.env['HOLDFAST_KILLS'] ?? 3);
const SEED = Number(process.env['HOLDFAST_TEST_SEED'] ?? 20_261_120);
const CUSTOMERS = 6;
const END_WITHIN_MS = 60_000;
const FUNDS = 50_000_000;
const TARGETS: readonly Target[] = ['server', 'database', 'both', 'server'];

const victim = new Victim({
  HOLDFAST_PROCESSOR_TIMEOUT_MS: '500',
  HOLDFAST_ESCROW_WAIT_MS: '300',
});
after(() => victim.end());

test(`${KILLS} kills under load lose nothing, double nothing, leave nothing open`, async (t) => {
  t.diagnostic(`seed ${SEED}`);
  const roll = rng(SEED);
  let api = await victim.start();
  const customers = new Customers(api, wish(() => api, await meansOf(api, FUNDS)), roll);
  for (let n = 0; n < KILLS; n += 1) {
    const target = TARGETS[n % TARGETS.length] as Target;
    const since = customers.journeys.length;
    const load = customers.start(api, CUSTOMERS);
    await new Promise((resolve) => setTimeout(resolve, 150 + roll() * 600));
    const gone = await victim.kill(target);
    await load.stop();
    if (gone) api = await victim.start();
    const different = await customers.askAgain(api, since);
    assert.deepEqual(different, [], `kill ${n} (${target}): a key gave another answer`);
    assert.deepEqual(customers.odd, [], `kill ${n} (${target})`);
  }
  await settleAndCompare(customers);
  const { journeys } = customers;
  const answers = journeys.flatMap(({ replies }) => replies).length;
  t.diagnostic(`${KILLS} kills, ${journeys.length} journeys, ${answers} answers: ${countsOf()}`);
  assert.ok(journeys.length > KILLS * 5, 'there was hardly any load');

  function countsOf(): string {
    const counts = new Map<string, number>();
    for (const { plan } of journeys) counts.set(plan.kind, (counts.get(plan.kind) ?? 0) + 1);
    return [...counts].map((entry) => entry.join(' ')).join(', ');
  }
});

async function settleAndCompare(customers: Customers): Promise<void> {
  const db = victim.open();
  try {
    await settled(db, END_WITHIN_MS);
    await sealed(db);
    await reconciled(db);
    assert.deepEqual(compare(customers.journeys, await db.query<Standing>(STANDING)), []);
    const parked = await db.query(`select id from attempt where state = 'parked'
      union all select id from transfer where state = 'parked'`);
    assert.deepEqual(parked, [], 'nothing here needs a person');
    const odd = await db.query(`select i.id from invoice i
      left join event e on e.workspace = i.workspace and e.resource_id = i.id
        and e.name = 'invoice-completed'
      where i.state in ('success', 'failed') group by i.workspace, i.id
      having count(e.event_id) <> 1`);
    assert.deepEqual(odd, [], 'an end that was told never or twice');
  } finally {
    await db.close();
  }
}
