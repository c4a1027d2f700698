// Somebody joins the console by the link of an invitation, in a browser.
import type { Page } from 'playwright-core';
import { codeAt } from '../../src/product/access/operator/index.ts';

/** Opens the link, chooses the password and joins; gives the authenticator's secret. */
export async function joinBy(page: Page, link: string, password: string): Promise<string> {
  await page.goto(link);
  const secret = (await page.getByText(/^[A-Z2-7]{32,}$/).first().textContent()) ?? '';
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Repeat the password').fill(password);
  await page.getByLabel('Code').fill(codeAt(secret, Date.now() / 1_000));
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  return secret;
}
