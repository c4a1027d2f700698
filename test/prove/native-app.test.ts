// The example for native apps, in a browser that acts as the web view: the link opens in the same
// view, the app's own bridge receives the result, and the example's page shows it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as person from '../../client/playwright.ts';
import { ROOT } from '../tidy/tree.ts';
import { openBench, type Bench } from '../browser/kit.ts';

let bench: Bench;
let server: Server;
let address: string;

/** The integrator's server: its page, and the link that it makes. */
before(async () => {
  bench = await openBench();
  const page = readFileSync(join(ROOT, 'docs/examples/native-app.html'));
  server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
      return;
    }
    void bench.link('tos', { mechanism: 'service_hosted' }).then((redirect) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ redirect }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/app/`;
});
after(async () => {
  server.close();
  server.closeAllConnections();
  await bench.stop();
});

test('a flow in a web view tells the bridge, and comes back to the page', async () => {
  const visitor = await bench.visitor({ phone: true });
  visitor.expect(/favicon/);
  const told: string[] = [];
  await visitor.context.exposeFunction('tellApp', (text: string) => void told.push(text));
  await visitor.context.addInitScript(`
    window.ServiceNative = { postMessage: (text) => window.tellApp('hosted ' + text) };
    window.ShopNative = { postMessage: (text) => window.tellApp('page ' + text) };
  `);
  const { page } = visitor;
  await page.goto(address);
  await page.locator('#open').click();
  await person.openLink(page);
  await person.agree(page);
  await page.getByText('Thank you.').waitFor();
  assert.equal(new URL(page.url()).pathname, '/app/');
  const result = { state: 'complete', source: 'service', event: 'service.tos.complete' };
  const said = told.map((text) => text.split(/ (.*)/));
  assert.deepEqual(
    said.map(([who, text]) => [who, JSON.parse(text ?? '') as unknown]),
    [
      ['hosted', result],
      ['page', result],
    ],
  );
});
