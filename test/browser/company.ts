// What people do around a company, in a browser: they state it, name its people and prove who they
// are, and operators are hired who decide.
import type { Page } from 'playwright-core';
import { codeAt } from '../../src/product/access/operator/index.ts';
import { joinBy } from './joining.ts';
import { hook, type Bench } from './kit.ts';
import { arrive, fillIn, type Answers, type Place } from './person.ts';

/** Opens a page of ours as the person whom its link was made for. */
export async function opened(page: Page, link: string | undefined, screen: string): Promise<void> {
  await page.goto(link ?? '');
  await hook(page, 'continue').click();
  await arrive(page, screen);
}

/** What a company in France is asked for. */
export const FRENCH = {
  ...{ 'legal-form': 'SARL', 'registration-number': '732 829 320', register: 'RCS Paris' },
  ...{ street: '1 Rue Exemple', 'postal-code': '75001', city: 'Paris' },
};

/** Fills fields in by their hooks. */
export async function fillFields(
  place: Place,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) await hook(place, name).fill(value);
}

/** A person whom the form names. */
interface Named {
  readonly roles: readonly string[];
  /** The band of an owner. */
  readonly owns?: string;
  readonly email?: string;
}

/** Names a person in the form. */
export async function addPerson(page: Page, name: string, named: Named): Promise<void> {
  await hook(page, 'add-person').click();
  await hook(page, 'person-name').fill(name);
  if (named.email !== undefined) await hook(page, 'person-email').fill(named.email);
  for (const role of named.roles) await hook(page, `role-${role}`).check();
  if (named.owns !== undefined) await hook(page, 'person-ownership').selectOption(named.owns);
  await hook(page, 'person-dialog-confirm').click();
  await hook(page, 'person-dialog').waitFor({ state: 'detached' });
}

/** Somebody behind the company proves who they are; gives the screen that they are told by. */
export async function prove(page: Page, answers: Answers, screen: string): Promise<void> {
  await fillIn(page, answers);
  await hook(page, 'kyc-submit').click();
  await hook(page, screen).waitFor();
}

/** The primary contact has a link, too: it opens a window beside. */
export async function proveBeside(
  page: Page,
  agent: string | undefined,
  answers: Answers,
): Promise<void> {
  await hook(page, `link-${agent}`).click();
  const coming = page.waitForEvent('popup');
  await hook(page, `open-${agent}`).click();
  const own = await coming;
  await hook(own, 'continue').click();
  await arrive(own, 'screen-kyc-country');
  await prove(own, answers, 'screen-kyc-accepted');
  await own.close();
}

interface Colleague {
  readonly page: Page;
  readonly id: string;
}

/** The operator of the ready line, at the page on which others are made. */
export async function administrator(bench: Bench): Promise<Page> {
  const { page } = await bench.visitor();
  const { urls, console } = bench.platform.ready;
  await page.goto(`${urls.console}/sign-in`);
  await page.getByLabel('Username').fill(console.username);
  await page.getByLabel('Password').fill(console.password);
  await page.getByLabel('Code').fill(codeAt(console.totp_secret, Date.now() / 1000));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Operators' }).click();
  return page;
}

/** Somebody is invited by the administrator, and joins with a password of their own. */
export async function hire(
  bench: Bench,
  admin: Page,
  name: string,
  role: RegExp,
): Promise<Colleague> {
  await admin.getByLabel('Name', { exact: true }).fill(name);
  await admin.getByLabel('Username').fill(name.toLowerCase());
  await admin.getByLabel(role).check();
  await admin.getByLabel(/^all, including/).check();
  await admin.getByRole('button', { name: 'Invite' }).click();
  const link = (await admin.locator('.code').textContent()) ?? '';
  const own = admin.getByRole('link', { name: 'To the operator' });
  const id = (await own.getAttribute('href'))?.split('/').at(-1) ?? '';
  await admin.getByRole('link', { name: 'Operators' }).click();
  const { page } = await bench.visitor();
  await joinBy(page, link, `a sentence that ${name} alone knows`);
  return { page, id };
}
