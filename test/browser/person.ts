// A person filling in the identity form in browser tests, step by step, in a frame or on a page.
import { png } from '../kit/sample-files.ts';
import { arrive, type Place } from './buyer.ts';
import { hook, type Bench } from './kit.ts';

export { arrive, type Place };

/** A photo of a document. */
export function photo(width: number, height: number) {
  return { name: 'photo.png', mimeType: 'image/png', buffer: png(width, height) };
}
export const PHOTO = photo(300, 200);

/** A fresh account, and a link that opens a flow for it. */
export async function newcomer(
  { platform, link }: Bench,
  flow: string,
  more: object = {},
  country_iso = 'FR',
): Promise<{ readonly account_id: string; readonly redirect: string }> {
  const body = { username: `person ${crypto.randomUUID()}`, country_iso };
  type Made = { account_id: string };
  const { account_id } = await platform.api.must<Made>(200, 'accounts', 'POST', '/register', {
    body,
  });
  return { account_id, redirect: await link(flow, { account_id, ...more }) };
}

/** What the steps of a form are filled in with. */
export interface Answers {
  readonly country?: string;
  readonly first?: string;
  readonly last?: string;
  /** Year, month, day. */
  readonly born?: string;
  readonly street?: string;
  readonly city?: string;
  readonly zip?: string;
  readonly document?: 'PP' | 'DL' | 'ID';
  /** Where the document is from; the country of the address unless told. */
  readonly from?: string;
  readonly photo?: ReturnType<typeof photo>;
}

async function fill(place: Place, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await hook(place, name).fill(value);
}

/** Each step from its heading to Continue; `seen` looks at the screen before. */
export async function fillIn(
  place: Place,
  answers: Answers = {},
  seen: (step: string) => Promise<void> = async () => {},
): Promise<void> {
  const { country = 'FR', document = 'PP', from = country } = answers;
  const { first = 'Zoé', last = 'Example', born = '1990-02-28' } = answers;
  const us = country === 'US';
  const { street = '1 Rue Exemple', city = 'Lille', zip = us ? '94110' : '59000' } = answers;
  const [year = '', month = '', day = ''] = born.split('-');
  const picture = answers.photo ?? PHOTO;
  const next = async (step: string): Promise<void> => {
    await seen(step);
    await hook(place, 'next').click();
  };
  await hook(place, 'country').selectOption(country);
  await next('country');
  await fill(place, { first, last });
  await fill(place, { 'date-of-birth-day': day, 'date-of-birth-year': year });
  await hook(place, 'date-of-birth-month').selectOption(month);
  await next('person');
  if (us) await hook(place, 'ssn').fill('123-45-6789');
  await fill(place, { signature: `${first} ${last}` });
  await next('tax');
  await fill(place, { street, city, zip });
  if (us) await hook(place, 'state').selectOption('CA');
  await next('address');
  await hook(place, 'document-type').selectOption(document);
  await hook(place, 'document-country').selectOption(from);
  await hook(place, 'document-front').setInputFiles(picture);
  await hook(place, 'document-front-clear').waitFor();
  if (document !== 'PP') {
    await hook(place, 'document-back').setInputFiles(picture);
    await hook(place, 'document-back-clear').waitFor();
  }
  await next('documents');
  await hook(place, 'screen-kyc-review').waitFor();
}
