// `holdfast listen` as a process: what it prints, that its deliveries are real and verify, and that
// it leaves nothing behind, whatever happens to it or the server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verifyWebhook } from '../../client/webhooks.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { endAll, terminate, type Launched } from '../start/launch.ts';
import { holdfast, linesOf, lineThat, speak, startReceiver } from '../cli/terminal.ts';
import { startSandbox, type Received, type Sandbox } from '../cli/terminal.ts';

let base: TestDatabase;
let sandbox: Sandbox;
before(async () => {
  base = await testDatabase();
  sandbox = await startSandbox({ DATABASE_URL: base.url });
});
after(async () => {
  await sandbox?.stop();
  endAll();
  await base?.drop();
});

async function listen(...args: string[]): Promise<Launched> {
  const verb = holdfast(sandbox.env, 'listen', '--json', ...args);
  await lineThat(verb, ({ kind }) => kind === 'listening');
  return verb;
}

async function endpoints(): Promise<string[]> {
  type List = { webhook_endpoints: { endpoint_id: string }[] };
  const path = '/v1/webhook_endpoints';
  const list = await sandbox.api.must<List>(200, 'invoicing', 'GET', path);
  return list.webhook_endpoints.map(({ endpoint_id }) => endpoint_id);
}

/** Makes a deposit-completed. */
function deposit(amount: number): Promise<void> {
  return sandbox.api.fund(sandbox.ready.accounts.buyer.account_id, amount);
}

/** An event by the amount of the deposit that it tells of. */
function tellsOf(amount: number): (line: Readonly<Record<string, unknown>>) => boolean {
  return ({ kind, event }) => {
    if (kind !== 'event') return false;
    return (event as Message).message['received_amount'] === amount;
  };
}

interface Message {
  readonly message: Readonly<Record<string, unknown>>;
}

test('a listener whose output nobody reads ends and removes its endpoint', async () => {
  const verb = await listen('--forward-to', '9/nobody');
  assert.equal(linesOf(verb.stdout())[0]?.['forward_to'], 'http://127.0.0.1:9/nobody');
  assert.equal((await endpoints()).length, 1);
  verb.child.stdout?.destroy();
  await deposit(1);
  assert.equal(await verb.ended, 0, verb.stderr());
  assert.equal(verb.stderr(), '');
  assert.deepEqual(await endpoints(), []);
});

test('events are delivered by the platform, verify, and continue after a restart', async () => {
  const receiver = await startReceiver((count) => (count === 1 ? 500 : 200));
  const target = `localhost:${receiver.port}/hook`;
  const only = ['--events', 'deposit-completed', '--verbose', '--forward-to', target];
  const verb = await listen(...only);
  const [opening] = linesOf(verb.stdout());
  assert.equal(opening?.['forward_to'], `http://${target}`);
  await sandbox.api.register(`listened ${crypto.randomUUID()}`);
  await deposit(711);
  const { sequence, event_id, resource_id, event } = await lineThat(verb, tellsOf(711));
  assert.equal(resource_id, (event as Message).message['deposit_id']);
  const ofIt = (line: Readonly<Record<string, unknown>>): boolean =>
    line['kind'] === 'delivery' && line['sequence'] === sequence;
  const failed = await lineThat(verb, ofIt);
  assert.deepEqual([failed['status'], failed['attempt'], failed['state']], [500, 1, 'pending']);
  assert.match(String(failed['next_attempt']), /^\d{4}-/);
  const idle = { until_idle: true };
  await sandbox.api.must(200, 'invoicing', 'POST', '/sandbox/clock', { body: idle });
  const second = await lineThat(verb, (line) => ofIt(line) && line['attempt'] === 2);
  const { status, state, next_attempt } = second;
  assert.deepEqual([status, state, next_attempt], [200, 'delivered', null]);
  const { headers, body } = receiver.received[1] as Received;
  const believed = await verifyWebhook({ secret: String(opening?.['secret']), headers, body });
  assert.equal(believed.event_id, event_id);
  assert.equal(second['signature'], headers['webhook-signature'], 'what --verbose explains');
  assert.equal(await terminate(verb), 0);
  const kinds = linesOf(verb.stdout()).map(({ kind }) => kind);
  assert.deepEqual(kinds, ['listening', 'event', 'delivery', 'delivery', 'ended']);
  assert.deepEqual(await endpoints(), []);
  receiver.stop();
});

test('without an address it only prints; --replay begins earlier', async () => {
  for (const amount of [721, 722, 723]) await deposit(amount);
  const verb = await listen('--replay', '2');
  await lineThat(verb, tellsOf(723));
  await deposit(724);
  await lineThat(verb, tellsOf(724));
  const shown = linesOf(verb.stdout()).filter(({ kind }) => kind === 'event');
  assert.equal(shown.length, 3);
  assert.deepEqual(await endpoints(), []);
  assert.equal(await terminate(verb), 0);
});

test('what is replayed is delivered too', async () => {
  const receiver = await startReceiver(() => 200);
  await deposit(731);
  const verb = await listen('--replay', '1', '--forward-to', String(receiver.port));
  await lineThat(verb, ({ kind, status }) => kind === 'delivery' && status === 200);
  assert.match(receiver.received[0]?.body ?? '', /"received_amount":731/);
  assert.equal(await terminate(verb), 0);
  receiver.stop();
});

test('the endpoint of a killed listener is removed, that of a running one stays', async () => {
  const killed = await listen('--forward-to', '9');
  const living = await listen('--forward-to', '9');
  killed.child.kill('SIGKILL');
  await killed.ended;
  assert.equal((await endpoints()).length, 2);
  const next = await listen('--forward-to', '9');
  await lineThat(next, ({ text }) => String(text).startsWith('Removed 1 '));
  assert.equal((await endpoints()).length, 2);
  assert.deepEqual([await terminate(living), await terminate(next)], [0, 0]);
  assert.deepEqual(await endpoints(), []);
});

test('a restarted server is awaited, and no event in between is lost', async () => {
  const receiver = await startReceiver(() => 200);
  const verb = await listen('--forward-to', String(receiver.port));
  await deposit(741);
  await lineThat(verb, ({ kind }) => kind === 'delivery');
  await sandbox.restart(() => lineThat(verb, ({ text }) => /waiting/.test(String(text))));
  await deposit(742);
  const { sequence } = await lineThat(verb, tellsOf(742));
  await lineThat(verb, (line) => line['kind'] === 'delivery' && line['sequence'] === sequence);
  const said = linesOf(verb.stdout()).map(({ text }) => String(text)).join(' ');
  assert.match(said, /answers again: continuing after #\d+/);
  assert.equal(await terminate(verb), 0);
  assert.deepEqual(await endpoints(), []);
  receiver.stop();
});

test('a rolled back workspace is followed from its new position', async () => {
  const { api } = sandbox;
  const receiver = await startReceiver(() => 200);
  type Taken = { snapshot_id: string };
  const { snapshot_id } = await api.must<Taken>(201, 'invoicing', 'POST', '/sandbox/snapshots');
  const verb = await listen('--forward-to', String(receiver.port));
  await deposit(761);
  await lineThat(verb, tellsOf(761));
  await api.must(200, 'invoicing', 'POST', '/sandbox/rollback', { body: { snapshot_id } });
  await lineThat(verb, ({ text }) => /rolled back/.test(String(text)));
  const opened = (): number =>
    linesOf(verb.stdout()).filter(({ kind }) => kind === 'listening').length;
  await lineThat(verb, () => opened() === 2);
  await deposit(762);
  const { sequence } = await lineThat(verb, tellsOf(762));
  await lineThat(verb, (line) => line['kind'] === 'delivery' && line['sequence'] === sequence);
  const [registered] = await endpoints();
  const later = await api.must<Taken>(201, 'invoicing', 'POST', '/sandbox/snapshots');
  await deposit(763);
  await lineThat(verb, tellsOf(763));
  await api.must(200, 'invoicing', 'POST', '/sandbox/rollback', {
    body: { snapshot_id: later.snapshot_id },
  });
  await lineThat(verb, () => opened() === 3);
  assert.deepEqual(await endpoints(), [registered], 'the clone has it, so no second one is made');
  assert.equal(await terminate(verb), 0);
  assert.deepEqual(await endpoints(), []);
  receiver.stop();
});

test('people read one line for each thing, without colours in a file', async () => {
  const receiver = await startReceiver(() => 503);
  const wish = ['--verbose', '--forward-to', String(receiver.port)];
  const verb = holdfast(sandbox.env, 'listen', ...wish);
  const until = async (pattern: RegExp): Promise<void> => {
    const deadline = Date.now() + 10_000;
    while (!pattern.test(verb.stdout())) {
      assert.ok(Date.now() < deadline, `${pattern}: ${verb.stdout()}${verb.stderr()}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await until(/Signing secret whsec_\S+\n.*webhook-signature[\s\S]*Ctrl-C/);
  await deposit(751);
  await until(/\n[\d:]{8} {2}#\d+ {2}deposit-completed {2}\S{36} {2}success\n\{\n/);
  await until(/\n[\d:]{8} {2}#\d+ {2}-> 503 in \d+ ms, attempt 1 {2}again at [\d:]{8}\n +signed /);
  assert.equal(await terminate(verb), 0);
  assert.match(verb.stdout(), /\n1 event, 0 delivered\.\n$/);
  assert.equal(verb.stdout().includes('\u001b'), false);
  receiver.stop();
});

const REFUSED: readonly [string[], RegExp][] = [
  [
    ['--events', 'invoice-complete'],
    /^holdfast: There is no event invoice-complete\. Did you mean invoice-completed\?\n/,
  ],
  [['--replay', '0'], /^holdfast: --replay must be a whole number from 1 to 1000, not 0\.\n$/],
  [['--replay', 'all'], /^holdfast: --replay must be a whole number/],
  [['--forward-to', 'ftp://example.org'], /^holdfast: --forward-to must be an http or https URL/],
  [['--forward-to', 'http://a:b@localhost:1/'], /WEBHOOK_URL_CREDENTIALS/],
];

test('a wrong option is one sentence and registers nothing', async () => {
  for (const [args, sentence] of REFUSED) {
    const refused = await speak(sandbox.env, 'listen', ...args);
    assert.deepEqual([refused.code, refused.out], [1, ''], args.join(' '));
    assert.match(refused.err, sentence);
    assert.equal(refused.err.split('\n').length, 2, 'one sentence');
  }
  assert.deepEqual(await endpoints(), []);
});
