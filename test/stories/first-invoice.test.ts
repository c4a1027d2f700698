// The script of docs/first-invoice.md, on the machine's own Node and a fresh start: it creates,
// pays, finds the seller's wallet by the interface's rule, and verifies the event.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CHECKOUT, endAll, freeBlock, launch, terminate } from '../start/launch.ts';

const SCRIPT = 'docs/examples/first-invoice.mjs';
const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-first-'));
after(() => {
  endAll();
  rmSync(dataDir, { recursive: true, force: true });
});

test('its page shows the script as it is', () => {
  const page = readFileSync(join(CHECKOUT, 'docs/first-invoice.md'), 'utf8');
  assert.ok(page.includes(readFileSync(join(CHECKOUT, SCRIPT), 'utf8')));
});

test('the script sells a mug', { timeout: 90_000 }, async () => {
  const base = await freeBlock();
  const receiver = base + 13;
  const server = launch({
    command: process.execPath,
    args: [
      ...['src/main.ts', 'start', '--json', '--port-base', String(base)],
      ...['--forward-to', `http://127.0.0.1:${receiver}/`],
    ],
    env: { HOLDFAST_DATA_DIR: dataDir },
  });
  const ready = await server.ready();
  // `node` is the one that a newcomer has, 20 or later.
  const script = spawn('node', [SCRIPT, String(receiver)], { cwd: CHECKOUT });
  let out = '';
  let err = '';
  script.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  script.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  script.stdin.on('error', () => {});
  script.stdin.write(`${JSON.stringify(ready)}\n`);
  const code = await new Promise((done) => script.once('close', done));
  assert.equal(code, 0, err);
  assert.deepEqual(out.trimEnd().split('\n'), [
    'created  open USD 25.00',
    'paid     processing',
    'event    invoice-completed success verified',
    'read     success',
  ]);
  assert.equal(await terminate(server), 0);
});
