// Accessibility rules for every screen that a program can check, and no sideways scrolling.
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Looks at our pages only, be they on top, in the frame of another, or a receipt. */
export async function everybodyCanUse(page: Page): Promise<void> {
  const places = ['#app', '#root', 'main'];
  const there = await Promise.all(places.map((place) => page.locator(place).count()));
  const ours = places[there.findIndex((count) => count > 0)] ?? 'body';
  const { violations } = await new AxeBuilder({ page }).include(ours).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`), []);
  const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  assert.equal(await page.evaluate(wide), 0, 'nothing to the side');
}
