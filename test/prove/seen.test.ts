// A live server as its operators see it, by programs that nobody here wrote: Debian's Prometheus
// scrapes it and raises an alert, promtool checks and tests the rules, a receiver of OTLP gets the
// spans of a sale, and every line of its log conforms to the published schema.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { createServer as createSilent, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { LOG_EVENTS } from '../../src/http/log.ts';
import { otlpSpans } from '../../src/providers/spans/otlp.ts';
import { ALERTS } from '../../src/seen/alerts.ts';
import type { Api } from '../kit/api.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import { failedRules, Prometheus, promtool } from '../kit/prometheus.ts';
import { cleanEnvironment, endAll, freeBlock } from '../start/launch.ts';
import { remove, temporaryFolder } from '../start/launch.ts';
import { ROOT } from '../tidy/tree.ts';
import { CASES, NO_CAUSES, REST } from './alert-cases.ts';
import { putPrograms, stepsOf, Terminal, write } from './guide.ts';
import { elsewhere } from './page-rows.ts';

const RULES = join(ROOT, 'docs/generated/monitoring/alerts.yml');

/** A span as it was received. */
interface Received {
  readonly traceId: Buffer;
  readonly spanId: Buffer;
  readonly parentSpanId?: Buffer;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { key: string; value: { stringValue?: string } }[];
}

interface Batch {
  readonly resourceSpans: readonly { scopeSpans: readonly { spans: readonly Received[] }[] }[];
}

/** Elastic's receiver; it decodes what comes by OpenTelemetry's own description. */
interface Receiver {
  start(): Promise<void>;
  close(): Promise<void>;
}
const { MockOtlpServer } = createRequire(import.meta.url)('@elastic/mockotlpserver') as {
  MockOtlpServer: new (options: object) => Receiver;
};

const spans: Received[] = [];
let collector: Receiver | null;
let webhooks: Server;
/** What the receiver of webhooks answers. */
let answer = 204;
let fleet: Fleet;
let api: Api;
let prometheus: Prometheus;

before(async () => {
  const [collectorPort, port] = [await freeBlock(), await freeBlock()];
  collector = new MockOtlpServer({
    logLevel: 'error',
    services: ['http'],
    httpHostname: '127.0.0.1',
    httpPort: collectorPort,
    onTrace: ({ resourceSpans }: Batch) => {
      const all = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans);
      spans.push(...all.flatMap((scope) => scope.spans));
    },
  });
  await collector.start();
  webhooks = createServer((request, response) => {
    request.resume();
    response.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => void webhooks.listen(0, '127.0.0.1', resolve));
  const receiver = `http://127.0.0.1:${(webhooks.address() as AddressInfo).port}`;
  const settings = {
    HOLDFAST_ACCESS_LOG: '1',
    HOLDFAST_TRACES_URL: `http://127.0.0.1:${collectorPort}`,
  };
  fleet = await startFleet(1, settings, ['--forward-to', receiver]);
  api = fleet.apis[0] as Api;
  const internal = new URL(api.ready.urls.internal).host;
  // An alert's time is shortened, what it says is not.
  const rules = readFileSync(RULES, 'utf8').replaceAll(/^( +for:) .*$/gm, '$1 1s');
  prometheus = await Prometheus.start(internal, rules, port);
});
after(async () => {
  await prometheus?.stop();
  await fleet?.stop();
  await collector?.close();
  webhooks?.close();
  endAll();
});

/** A test of promtool, in which none of these alerts is expected. */
function quiet(series: ReadonlyMap<string, string>, minutes: number, alerts: readonly string[]) {
  return {
    interval: '1m',
    input_series: [...series].map(([name, values]) => {
      return { series: name, values: values.replace(/x3000$/, `x${minutes}`) };
    }),
    alert_rule_test: alerts.map((alertname) => ({
      ...{ alertname, eval_time: `${minutes}m`, exp_alerts: [] },
    })),
  };
}

/** A test of promtool in which the alert of a case is not expected. */
const quietIn = ({ alert, series, minutes }: (typeof CASES)[number]) =>
  quiet(new Map([...REST, ...series]), minutes, [alert]);

test('promtool accepts the rules, and each fires for its cause and not at rest', () => {
  const names = ALERTS.map(({ name }) => name);
  assert.match(promtool(['check', 'rules', RULES]), new RegExp(`${names.length} rules found`));
  assert.deepEqual([...new Set(CASES.map(({ alert }) => alert))].toSorted(), names.toSorted());
  const without = NO_CAUSES.map(quietIn);
  assert.equal(failedRules(RULES, [quiet(new Map(REST), 2_000, names), ...without]), '');
  const failed = CASES.map((one) => failedRules(RULES, [quietIn(one)]));
  CASES.forEach(({ alert }, at) => {
    assert.match(failed[at] ?? '', new RegExp(`alertname: ${alert},`), `${alert}, case ${at}`);
  });
});

test('promtool finds nothing to say against the figures', async () => {
  const text = await (await fetch(`${api.ready.urls.internal}/metrics`)).text();
  const ours = text.split('\n').filter((line) => /^(?:# \w+ )?holdfast_/.test(line));
  assert.equal(promtool(['check', 'metrics'], `${ours.join('\n')}\n`), '');
});

test('what Prometheus scraped is what was done', async () => {
  const of = (operation: string, status: string): string =>
    `holdfast_requests_total{host="invoicing",operation="${operation}",status="${status}"}`;
  const sales = 12;
  const wallet = { payment_method_id: api.ready.accounts.buyer.wallet_payment_method_id };
  for (let nth = 0; nth < sales; nth += 1) {
    assert.equal((await api.pay(await api.created(api.sale(100 + nth, [wallet])))).status, 200);
  }
  await api.send('invoicing', 'GET', '/v2/invoice/none');
  const expected = [
    [of('createInvoice', '2xx'), sales],
    [of('payInvoice', '2xx'), sales],
    [of('getInvoice', '4xx'), 1],
    ['holdfast_request_duration_seconds_count{operation="payInvoice"}', sales],
    ['holdfast_database_up', 1],
    ['min(holdfast_scrape_ok)', 1],
    ['holdfast_queue_entries{queue="outbox"}', 0],
    ['up{job="holdfast"}', 1],
  ] as const;
  for (const [query, value] of expected) {
    await prometheus.until(`${query} is ${value}`, async () =>
      (await prometheus.value(query)) === value || null);
  }
  const [row] = await fleet.db.query<{ name: string }>('select max(name) as name from migration');
  const schema = await prometheus.value('holdfast_schema_version');
  assert.equal(schema, Number.parseInt(row?.name ?? '', 10));
  // A scrape that a busy machine left out has no value; the next one has.
  const commands = 'holdfast_engine_total{what="commands"}';
  await prometheus.until(commands, async () =>
    ((await prometheus.value(commands)) ?? 0) >= 2 * sales || null);
});

test('every command of the runbook works on a server that runs', async (t) => {
  const folder = temporaryFolder();
  const owner = new URL(fleet.url);
  const here: readonly (readonly [string, string])[] = [
    ['/etc/', `${folder}/etc/`],
    ['http://127.0.0.1:9090', prometheus.url],
    ['${HOLDFAST_LISTEN_INTERNAL:-127.0.0.1}:7411', new URL(api.ready.urls.internal).host],
    ['psql holdfast', `psql ${owner.pathname.slice(1)}`],
  ];
  const settings = Object.entries(fleet.settings).map(([name, value]) => `${name}='${value}'\n`);
  write(join(folder, 'etc/holdfast/holdfast.env'), settings.join(''));
  putPrograms(join(folder, 'bin'), owner);
  const own = cleanEnvironment();
  const terminal = new Terminal(folder, { ...own, PATH: `${folder}/bin:${own['PATH']}` });
  try {
    const steps = stepsOf(readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8'));
    assert.ok(steps.length > 2 * ALERTS.length - 10, String(steps.length));
    for (const { text } of steps.filter((step) => elsewhere(step.text) === null)) {
      const out = await terminal.run(here.reduce((all, [a, b]) => all.replaceAll(a, b), text));
      t.diagnostic(`${text.slice(0, 90)}: ${out.split('\n')[0]}`);
    }
  } finally {
    terminal.close();
    remove(folder);
  }
});

test('an endpoint that fails raises its alert, which names it and its section', async () => {
  answer = 500;
  const wallet = { payment_method_id: api.ready.accounts.buyer.wallet_payment_method_id };
  await api.pay(await api.created(api.sale(100, [wallet])));
  const body = { advance_seconds: 1_200 };
  await api.must(200, 'invoicing', 'POST', '/sandbox/clock', { body });
  const { labels, annotations } = await prometheus.until('the alert', async () => {
    const alerts = await prometheus.alerts();
    const found = alerts.find((one) => one.labels['alertname'] === 'HoldfastWebhooksLag');
    return found?.state === 'firing' ? found : null;
  });
  const [endpoint] = await fleet.db.query<{ id: string }>('select id::text from webhook_endpoint');
  assert.equal(labels['endpoint'], endpoint?.id);
  assert.equal(annotations['runbook'], 'docs/runbook.md#holdfastwebhookslag');
});

test('a sale is one trace, from its caller over the processor to the receiver', async () => {
  answer = 204;
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const caller = '00f067aa0ba902b7';
  const card = { payment_method_id: api.ready.accounts.buyer.card_payment_method_id };
  const id = await api.created(api.sale(1_000, [card]));
  const headers = { traceparent: `00-${trace}-${caller}-01` };
  const paid = await api.send('invoicing', 'POST', `/v2/invoice/${id}/pay`, { headers });
  assert.equal(paid.status, 200, paid.text);
  const mine = (name: string) => async (): Promise<Received | null> =>
    spans.find((one) => one.name === name && one.traceId.toString('hex') === trace) ?? null;
  const pay = await prometheus.until('the span of the request', mine('payInvoice'));
  assert.equal(pay.parentSpanId?.toString('hex'), caller);
  const route = pay.attributes.find(({ key }) => key === 'http.route');
  assert.equal(route?.value.stringValue, '/v2/invoice/{invoice_id}/pay');
  for (const name of ['attempt', 'delivery']) {
    const call = await prometheus.until(`the span ${name}`, mine(name));
    assert.equal(call.parentSpanId?.toString('hex'), pay.spanId.toString('hex'), name);
  }
  assert.doesNotMatch(JSON.stringify(spans), /127\.0\.0\.1|Bearer|@/);
});

test('a collector that is silent or away costs spans, and no request waits for it', async () => {
  const silent = createSilent();
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const slow = otlpSpans(`http://127.0.0.1:${port}`, 'staging');
  const ids = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), parent: null } as const;
  const span = { ...ids, facts: {} };
  const times = { name: 'x', kind: 'server', failed: false, startedMs: 0, endedMs: 1 } as const;
  for (let n = 0; n < 5_000; n += 1) slow.ended({ ...span, ...times });
  assert.deepEqual(slow.totals, { sent: 0, dropped: 5_000 - 2_048 }, 'what waits is bounded');
  await slow.close();
  assert.equal(slow.totals.sent, 0);
  silent.close();
  await collector?.close();
  collector = null;
  const wallet = { payment_method_id: api.ready.accounts.buyer.wallet_payment_method_id };
  for (let nth = 0; nth < 10; nth += 1) {
    assert.equal((await api.pay(await api.created(api.sale(200 + nth, [wallet])))).status, 200);
  }
  for (const outcome of ['sent', 'dropped']) {
    const query = `holdfast_spans_total{outcome="${outcome}"}`;
    await prometheus.until(query, async () => ((await prometheus.value(query)) ?? 0) > 0 || null);
  }
});

test('every line of the log conforms to its schema', () => {
  const lines = (fleet.nodes[0]?.process.stderr() ?? '').split('\n').filter((one) => one !== '');
  assert.ok(lines.length > 30, String(lines.length));
  for (const line of lines) {
    const { at, ...entry } = JSON.parse(line) as { at: string; event: keyof typeof LOG_EVENTS };
    assert.match(at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.deepEqual(LOG_EVENTS[entry.event].safeParse(entry).error, undefined, line);
  }
});
