// Accessibility rules for every screen that a program can check, and no sideways scrolling.
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Looks at our pages only, be they on top or in the frame of another. */
export async function everybodyCanUse(page: Page): Promise<void> {
  const ours = (await page.locator('#app').count()) > 0 ? '#app' : '#root';
  const { violations } = await new AxeBuilder({ page }).include(ours).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`), []);
  const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  assert.equal(await page.evaluate(wide), 0, 'nothing to the side');
}
