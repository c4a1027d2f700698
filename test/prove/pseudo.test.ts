// Every screen in a language that nobody speaks, on a narrow phone: nothing overflows sideways, and
// what is read comes from the files of texts, but for what people and shops have written.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Texts } from '../../src/texts/index.ts';
import { openBench, type Bench } from '../browser/kit.ts';
import { LOOKS, type Look } from '../browser/scenes.ts';
import { SCENES } from '../browser/scenes-account.ts';
import { pseudo, UNMARKED } from '../kit/pseudo.ts';

let bench: Bench;

before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

const NARROW: Look = { ...(LOOKS[0] as Look), name: 'pseudo', width: 320, height: 640 };
const WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
/** Names and words of the seeded shop, its people and its goods; ids, dates and amounts. */
const OWN = new RegExp(
  '^(?:Sandbox|An? (?:satchel|order|table)|The wood is|It is oak|Drawing$|' +
    'Wood, sawn|Table, delivered|' +
    'SAT-1|Donau|sku|Thing \\d|test 1|Zoé Example|1 Rue|Lille|' +
    'France|[0-9a-f-]{36}$|\\d+ \\w+ \\d{4} at|[A-Z]{3} [\\d.]+$)',
);

for (const scene of SCENES) {
  test(scene.name, async () => {
    const { width, height } = NARROW;
    const visitor = await bench.visitor({ viewport: { width, height } });
    await visitor.context.route('**/ui/assets/texts-*', async (route) => {
      const texts = (await (await route.fetch()).json()) as Texts;
      await route.fulfill({ json: pseudo(texts) });
    });
    try {
      await scene.show({ bench, visitor, look: NARROW });
      const own = Object.values(bench.platform.ready.urls);
      for (const frame of visitor.page.frames()) {
        if (!own.includes(new URL(frame.url()).origin)) continue;
        if ((await frame.locator('#app').count()) === 0) continue;
        assert.equal(await frame.evaluate(WIDE), 0, 'to the side');
        const words = (await frame.evaluate(UNMARKED)) as string[];
        assert.deepEqual(words.filter((word) => !OWN.test(word)), []);
      }
    } finally {
      await visitor.context.close();
    }
  });
}
