// The client's documentation: its pieces of code, joined in order, run on the real platform; the
// last one, which needs a browser, is tested in test/prove/client.test.ts.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { ROOT } from '../tidy/tree.ts';
import { docPieces, eventReceiver } from './kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-docs-'));
let platform: Platform;
let receiver: Awaited<ReturnType<typeof eventReceiver>>;
before(async () => {
  receiver = await eventReceiver();
  platform = await startPlatform({ forwardTo: receiver.url });
});
after(async () => {
  await platform.stop();
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A piece with the package's names replaced by the files of the checkout. */
function here(piece: string): string {
  return piece.replaceAll(/'@holdfast\/client(?:\/(\w+))?'/g, (_, name = 'index') => {
    return `'${pathToFileURL(join(ROOT, `client/${name}.ts`)).href}'`;
  });
}

interface Given {
  readonly ready: Platform['ready'];
  readonly said: unknown[][];
  /** Gives the request that tells of a paid invoice. */
  readonly delivered: (invoice: string) => Promise<object>;
}

test('the code of the page runs', async () => {
  const [sale = '', ...others] = docPieces().map(here);
  assert.equal(others.length, 5);
  const hidden = others.slice(0, -1).join('\n');
  const file = join(folder, 'page.ts');
  const head = `const { ready, said, delivered } = globalThis.given;
const console = { log: (...words: unknown[]) => void said.push(words) };\n`;
  const request = `const request = await delivered(invoice.invoice_id);\n`;
  writeFileSync(file, head + sale + request + hidden);
  const given: Given = {
    ready: platform.ready,
    said: [],
    delivered: (invoice) => receiver.next('invoice-completed', invoice),
  };
  Object.assign(globalThis, { given });
  await import(pathToFileURL(file).href);
  const [refused, event, terms, result] = given.said;
  assert.deepEqual(refused, ['it was paid already']);
  assert.equal(event?.[1], 'success');
  assert.match(String(terms?.[0]), /\w/);
  assert.deepEqual(result, [
    {
      source: 'service',
      event: 'service.checkout.complete',
      state: 'complete',
      trigger: 'done-button',
    },
  ]);
});
