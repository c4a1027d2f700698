// Every screen in every look: a desk, a phone in the dark, right to left, a desk at 400 %. Axe
// finds nothing, nothing overflows sideways, nothing moves under reduced motion. A few screens in
// `npm test`, each in one look; all in all looks in `npm run prove browser`.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Frame, Page } from 'playwright-core';
import { openBench, type Bench } from '../browser/kit.ts';
import { LOOKS, type Look, type Scene } from '../browser/scenes.ts';
import { SCENES } from '../browser/scenes-account.ts';

const FULL = process.env['HOLDFAST_BROWSER'] === 'full';
/** One screen of each kind, each seen in the look that is likeliest to break it. */
const FEW: Readonly<Record<string, string>> = {
  agree: 'right-to-left',
  framed: 'phone-dark',
  'summary-parts': 'right-to-left',
  'method-rename': 'zoom-400',
  'add-card': 'right-to-left',
  'wait-offline': 'phone-dark',
  unreachable: 'zoom-400',
};

let bench: Bench;

before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

const WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
/** Whoever wants it still sees one thing turn, slowly: what says that something goes on. */
const MOVES = `document.getAnimations().filter((one) => one.playState === 'running'
  && !(one.effect.target.matches('.spinner') && one.effect.getTiming().duration > 2000)).length`;
const HEADINGS =
  "[...document.querySelectorAll('h1')].filter((one) => one.checkVisibility()).length";

/** Our frames and the processor's; what is above them is the shop's. */
function framesOf(page: Page): Frame[] {
  const own = Object.values(bench.platform.ready.urls);
  return page.frames().filter((frame) => own.includes(new URL(frame.url()).origin));
}

async function fits(page: Page, look: Look): Promise<void> {
  const above = page.url().startsWith(bench.shop);
  const axe = new AxeBuilder({ page });
  const { violations } = await (above ? axe.include('#root') : axe).analyze();
  const found = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}`);
  assert.deepEqual(found, []);
  const frames = framesOf(page);
  assert.ok(frames.length > 0);
  for (const frame of frames) {
    assert.equal(await frame.evaluate(WIDE), 0, `to the side in ${new URL(frame.url()).pathname}`);
    if (look.still) assert.equal(await frame.evaluate(MOVES), 0, 'something moves');
    const dir = look.language === 'ar' ? 'rtl' : 'ltr';
    assert.equal(await frame.evaluate('document.documentElement.dir'), dir);
    assert.equal(await frame.evaluate(HEADINGS), 1, 'one heading');
  }
}

async function see(scene: Scene, look: Look): Promise<void> {
  const { width, height, still, language: locale } = look;
  const reducedMotion = still ? 'reduce' : 'no-preference';
  const visitor = await bench.visitor({ viewport: { width, height }, reducedMotion, locale });
  try {
    await scene.show({ bench, visitor, look });
    await fits(visitor.page, look);
  } finally {
    await visitor.context.close();
  }
}

for (const look of LOOKS) {
  const seen = SCENES.filter(({ name }) => FULL || FEW[name] === look.name);
  test(look.name, async (t) => {
    const { background_color, primary_color } = look;
    const body = { look: { background_color, primary_color } };
    await bench.platform.api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body });
    for (const scene of seen) await t.test(scene.name, () => see(scene, look));
  });
}
