// Measures what the widget costs a page: bytes of the loader and of a checkout, and the time from
// execute() to ready in a real browser with an empty cache. The targets are in figures.ts.
import { gzipSync } from 'node:zlib';
import { hook, openBench, type Bench } from '../test/browser/kit.ts';
import { buildBundles, type Bundles } from '../src/pages/bundles.ts';
import { offeredLanguages, textFile, textFileName } from '../src/pages/text-files.ts';
import type { Desk } from './site.ts';

const IMPORT = /(?:from|import)\s*"\.\/([^"]+)"/g;

function kilobytes(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0) / 1_000;
}

/** What a page loads for a flow: its script, style, the flow, and what those import. */
function filesOf({ assets, script, style }: Bundles, marker: string): string[] {
  const flow = Object.keys(assets).find(
    (name) => name.startsWith('flow-') && assets[name]?.text.includes(marker) === true,
  );
  if (flow === undefined) throw new Error(`no flow says ${marker}`);
  const names = new Set([script, style, flow]);
  for (const name of names) {
    for (const [, found] of (assets[name]?.text ?? '').matchAll(IMPORT)) names.add(found ?? '');
  }
  return [...names].map((name) => assets[name]?.text ?? '');
}

/** A link to a checkout with one line item, for the seeded buyer. */
async function checkoutLink({ platform }: Bench): Promise<string> {
  const { payment_methods: _, ...sale } = platform.api.sale(1_250, []) as Record<string, unknown>;
  const body = { ...sale, invoice_mechanism: 'widget' };
  const path = '/v2/authorize/invoice';
  const made = await platform.api.must<{ redirect: string }>(200, 'invoicing', 'POST', path, {
    body,
  });
  return made.redirect;
}

/** Signs the terms, so that they do not precede the measured checkouts. */
async function signTerms(bench: Bench): Promise<void> {
  const visitor = await bench.visitor();
  const frame = await visitor.begin({ flow: 'checkout', redirect: await checkoutLink(bench) });
  await hook(frame, 'agree-switch').click();
  await hook(frame, 'agree-accept').click();
  await hook(frame, 'pay').waitFor();
  await visitor.context.close();
}

/** Milliseconds from execute() to onReady on the shop's page. */
async function timeReady(bench: Bench): Promise<number> {
  const redirect = await checkoutLink(bench);
  const visitor = await bench.visitor();
  await visitor.enterShop();
  const took = await visitor.page.evaluate(`new Promise((done, failed) => {
    const began = performance.now();
    Holdfast.execute({
      rootId: 'root', flow: 'checkout', redirect: ${JSON.stringify(redirect)},
      onReady: () => done(performance.now() - began), onError: failed, onComplete: failed,
    });
  })`);
  await visitor.context.close();
  return took as number;
}

/** Bytes and times of the widget. */
export async function widgetPart({ figures, options, say }: Desk): Promise<void> {
  const bundles = await buildBundles();
  figures.add('widget.loader', kilobytes([bundles.loader]));
  // In the language that takes most.
  const texts = offeredLanguages().map(({ file }) => textFile(textFileName('checkout', file)));
  const most = Math.max(...texts.map((asset) => kilobytes([asset?.text ?? ''])));
  figures.add('widget.checkout', kilobytes(filesOf(bundles, 'done-button')) + most);
  const bench = await openBench();
  try {
    await signTerms(bench);
    for (let round = 0; round < options.rounds; round += 1) {
      const ms = await timeReady(bench);
      figures.add('widget.ready', ms);
      say(`widget: ready ${ms.toFixed(0)} ms after execute()`);
    }
  } finally {
    await bench.stop();
  }
}
