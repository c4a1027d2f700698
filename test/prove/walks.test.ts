// The walks in the documents do not spoil each other: all of them run on one sandbox, which is
// afterwards as a newcomer found it, and the shop's people can still be paid out.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openFlow } from '../../client/driver.ts';
import { endAll, freeBlock, launch, npmStart, remove } from '../start/launch.ts';
import { temporaryFolder, terminate, type Launched } from '../start/launch.ts';
import { clientOf, soldMug, tenantState, type ReadySandbox } from '../start/tenant.ts';
import { firstCall } from '../../src/cli/first-call.ts';

const folder = temporaryFolder();
const env = { HOLDFAST_DATA_DIR: join(folder, 'data') };
const HOLDFAST = ['scripts/holdfast.mjs'];
let base = 0;

before(async () => {
  mkdirSync(join(folder, 'data'));
  base = await freeBlock();
});
after(() => {
  endAll();
  remove(folder);
});

type Ready = ReadySandbox & Record<string, unknown>;

async function start(...more: readonly string[]): Promise<{ server: Launched; ready: Ready }> {
  const server = npmStart(null, ['--port-base', String(base), ...more], { env });
  return { server, ready: (await server.ready()) as Ready };
}

async function ran(command: string, args: readonly string[]): Promise<string> {
  const walk = launch({ command, args, env });
  assert.equal(await walk.ended, 0, walk.stdout() + walk.stderr());
  return walk.stdout();
}

/** The script of docs/first-invoice.md, on a start that forwards to it. */
async function firstInvoice(): Promise<void> {
  const port = String(base + 13);
  const { server, ready } = await start('--forward-to', `http://127.0.0.1:${port}/`);
  const line = join(folder, 'ready.json');
  writeFileSync(line, `${JSON.stringify(ready)}\n`);
  const shell = ['-c', `node docs/examples/first-invoice.mjs ${port} < ${line}`];
  assert.match(await ran('sh', shell), /read +success/);
  assert.equal(await terminate(server), 0);
}

/** What `listen` prints of an event that is triggered beside it; then it is asked to end. */
async function listened(): Promise<void> {
  const args = [...HOLDFAST, 'listen', '--json', '--forward-to', `http://127.0.0.1:${base + 14}/`];
  const listener = launch({ command: 'node', args, env });
  await listener.said('"listening"');
  await ran('node', [...HOLDFAST, 'trigger', 'invoice-completed']);
  await listener.said('invoice-completed');
  listener.child.kill('SIGINT');
  await listener.ended;
}

/** Cashes out as the shop has it: the person in the flow, then the bank's yes. */
async function cashOut(ready: Ready): Promise<string> {
  const api = clientOf(ready);
  const { account_id = '' } = ready.accounts.seller;
  const link = { account_id, mechanism: 'widget', flow: 'payout-full' } as const;
  const made = await api.auth.authorizeUser(link);
  const flow = await openFlow({ redirect: 'redirect' in made ? made.redirect : '' });
  await flow.agree();
  const bank = await flow.addTestMethod('bank');
  const wish = { amount: 2_000, currency: 'USD', destination_payment_method_id: bank.id };
  const { payout_status_id = '' } = await flow.requestPayout(wish);
  return (await api.invoicing.executePayout({ account_id, payout_status_id })).status;
}

test('after every walk the sandbox is as it was, and the shop works', async () => {
  const began = await start();
  const before = await tenantState(began.ready);
  const shop = String(began.ready.urls['shop']);
  const shown = async (): Promise<string> => {
    const page = await (await fetch(shop, { headers: { accept: 'text/html' } })).text();
    const [said] = /<strong>Sam<\/strong>\s*<span>[^<]+/.exec(page) ?? [];
    return said ?? assert.fail('the shop names no Sam');
  };
  assert.equal(await terminate(began.server), 0);
  await firstInvoice();
  const { server, ready } = await start();
  assert.deepEqual(await tenantState(ready), before, 'nothing of --forward-to is left');
  const sam = await shown();
  const visited = await tenantState(ready);
  const paste = firstCall(ready) ?? 'false';
  const walks = {
    pasted: async () => {
      assert.match(await ran('sh', ['-c', paste]), /"state":"success"\n$/);
    },
    tenMinutes: async () => {
      const notes = join(folder, 'data/running');
      const told = await ran('node', ['docs/examples/ten-minutes.mjs', notes]);
      assert.match(told, /PAYOUT_KYC_REQUIRED/);
    },
  };
  // One after the other, in both orders, and each after itself.
  const orders = ['pasted', 'tenMinutes', 'tenMinutes', 'pasted', 'pasted'] as const;
  for (const walk of orders) {
    await walks[walk]();
    assert.deepEqual(await tenantState(ready), visited, walk);
  }
  await listened();
  await ran('node', [...HOLDFAST, 'trigger', 'escrow-expiring']);
  await ran('node', [...HOLDFAST, 'explain', ready.accounts.buyer['account_id'] ?? '']);
  await ran('npm', ['run', '--silent', 'demo', '--', '--json']);
  assert.deepEqual(await tenantState(ready), visited);
  assert.equal(await shown(), sam, 'the shop has heard nothing of other workspaces');
  assert.equal((await soldMug(ready)).state, 'success');
  assert.equal(await cashOut(ready), 'CREDIT-TRANSFER-INITIATED');
  assert.equal(await terminate(server), 0);
});
