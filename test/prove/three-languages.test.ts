// The programs of docs/three-languages.md run as they stand, with what a start prints.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { CHECKOUT, cleanEnvironment } from '../start/launch.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.stop());

const PROGRAMS = { sh: 'sh', ts: process.execPath, py: 'python3' };

for (const [kind, program] of Object.entries(PROGRAMS)) {
  test(`first-sale.${kind} sells`, async () => {
    const { urls, client, accounts } = platform.ready;
    const env = {
      ...cleanEnvironment(),
      AUTH_URL: urls.auth,
      INVOICING_URL: urls.invoicing,
      CLIENT_ID: client.client_id,
      CLIENT_SECRET: client.client_secret,
      BUYER_ACCOUNT: accounts.buyer.account_id,
      BUYER_METHOD: accounts.buyer.wallet_payment_method_id,
      SELLER_WALLET: accounts.seller.wallet_id,
    };
    const file = join(CHECKOUT, `docs/examples/first-sale.${kind}`);
    const child = spawn(program, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const code = await new Promise((done) => child.once('close', done));
    assert.equal(code, 0, err);
    const [, id = ''] = /^invoice ([0-9a-f-]{36})\nstate success\n$/.exec(out) ?? [];
    assert.notEqual(id, '', out);
    const invoice = await platform.api.must<{ state: string }>(
      ...([200, 'invoicing', 'GET', `/v2/invoice/${id}`] as const),
    );
    assert.equal(invoice.state, 'success');
  });
}
