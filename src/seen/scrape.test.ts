// A scrape hurts nobody and hides nothing: one at a time, within its time, and a part that fails is
// told while the others are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queryable } from '../db/index.ts';
import { Figures } from './figures.ts';
import { RequestCounts } from './requests.ts';
import { Scrape, type Part } from './scrape.ts';

const NO_DATABASE: Queryable = { query: () => Promise.reject(new Error('none')) };
/** Longer than this process ever stands still. */
const LIMIT_MS = 1_500;
const NEVER = new Promise<void>(() => {});

function part(name: string, read: Part['read'], everySeconds = 0): Part {
  return { name, everySeconds, gauges: ['schema'], read };
}

async function told(parts: readonly Part[], times = 1): Promise<string> {
  const figures = new Figures(new RequestCounts());
  const scrape = new Scrape(NO_DATABASE, figures, parts, LIMIT_MS);
  for (let nth = 0; nth < times; nth += 1) await scrape.read();
  return figures.text();
}

test('a part that fails or takes too long is told, and the one before it stays read', async () => {
  const text = await told([
    part('fine', async (_db, figures) => figures.set('eventLag', 7, { endpoint: 'e' })),
    part('broken', async (db) => void (await db.query('select'))),
    part('endless', () => NEVER),
    part('behind', async () => {}),
  ]);
  for (const line of [
    'holdfast_scrape_ok{part="fine"} 1',
    'holdfast_scrape_ok{part="broken"} 0',
    'holdfast_scrape_ok{part="endless"} 0',
    'holdfast_scrape_ok{part="behind"} 0',
    'holdfast_event_lag_seconds{endpoint="e"} 7',
  ]) {
    assert.ok(text.includes(`${line}\n`), line);
  }
});

test('what a failed part read before is not told any more', async () => {
  let reads = 0;
  const text = await told(
    [
      part('once', async (_db, figures) => {
        reads += 1;
        if (reads > 1) throw new Error('gone');
        figures.set('schema', 31);
      }),
    ],
    2,
  );
  assert.doesNotMatch(text, /^holdfast_schema_version /m, 'nor is it 0');
});

test('who asks during a scrape gets the same one', async () => {
  let reads = 0;
  const count = part('counted', async () => void (reads += 1));
  const scrape = new Scrape(NO_DATABASE, new Figures(new RequestCounts()), [count], 200);
  await Promise.all([scrape.read(), scrape.read(), scrape.read()]);
  assert.equal(reads, 1);
});

test('a part with an interval is read once within it', async () => {
  let reads = 0;
  const text = await told([part('seldom', async () => void (reads += 1), 60)], 3);
  assert.equal(reads, 1);
  assert.ok(text.includes('holdfast_scrape_ok{part="seldom"} 1\n'));
});

test('requests are counted by host, operation and class, and their times by bucket', async () => {
  const requests = new RequestCounts();
  requests.add('invoicing', 'pay', 200, 0.004);
  requests.add('invoicing', 'pay', 404, 0.2);
  requests.add('invoicing', 'pay', 503, 60);
  requests.add('console', 'page', 200, 0.02);
  requests.add('hosted', 'page', 200, 0.02);
  const text = await new Figures(requests).text();
  for (const line of [
    'holdfast_requests_total{host="invoicing",operation="pay",status="2xx"} 1',
    'holdfast_requests_total{host="invoicing",operation="pay",status="4xx"} 1',
    'holdfast_requests_total{host="invoicing",operation="pay",status="5xx"} 1',
    'holdfast_requests_total{host="console",operation="page",status="2xx"} 1',
    'holdfast_request_duration_seconds_bucket{host="invoicing",operation="pay",le="0.005"} 1',
    'holdfast_request_duration_seconds_bucket{host="invoicing",operation="pay",le="0.25"} 2',
    'holdfast_request_duration_seconds_bucket{host="invoicing",operation="pay",le="+Inf"} 3',
    'holdfast_request_duration_seconds_sum{host="invoicing",operation="pay"} 60.204',
    'holdfast_request_duration_seconds_count{host="invoicing",operation="pay"} 3',
  ]) {
    assert.ok(text.includes(`${line}\n`), line);
  }
});
