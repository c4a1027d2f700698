// The planted data: bodies with a marker in every personal field, and wrong requests with markers
// where they do not belong.
import type { HostName } from '../../src/core/operation.ts';
import {
  dataUri,
  jpeg,
  jpegSegment,
  PDF_PAGES,
  pdfOf,
  pdfStream,
  png,
  pngChunk,
} from '../kit/sample-files.ts';
import { Canaries } from './canary.ts';
import type { Call } from '../kit/api.ts';

/** Every marker of the run. */
export const canaries = new Canaries();
export const mark = (field: string): string => canaries.mark(field);
export const SSN = canaries.note('ssn', '512-83-9047');
export const PHONE = canaries.note('phone_number', '415 883 9417');
export const BORN = canaries.note('date_of_birth', '1961-11-23');
export const TAX = canaries.note('ssn of the tax form', '518-83-9043');
export const digits = (text: string): string => text.replaceAll(/\D/g, '');

const PERSON = [
  ...['full_name', 'first_name', 'last_name', 'street_address_1', 'street_address_2'],
  ...['street_address_3', 'city', 'state_province', 'zip_postal_code'],
];

/** Fields of an account. */
export function person(when: string): Record<string, unknown> {
  const fields = PERSON.map((field) => [field, mark(`${when} ${field}`)]);
  return {
    ...Object.fromEntries(fields),
    email: { address: `${mark(`${when} email`)}@${mark(`${when} email host`)}.example` },
    external_platforms: { [mark(`${when} platform`)]: mark(`${when} platform id`) },
    country_iso: 'US',
  };
}

const sent = (content: Buffer, mime: string): string => dataUri(mime, content);

/** Documents with markers where programs hide texts. */
export function documents(): Record<string, unknown> {
  const text = (field: string): Buffer => Buffer.from(`Comment\0${mark(field)}`, 'latin1');
  const page = pdfStream('', `BT (${mark('text of a PDF')}) Tj ET`);
  const info = `<</Author(${mark('author of a PDF')})>>`;
  return {
    front: sent(png(4, 4, [pngChunk('tEXt', text('text of a PNG'))]), 'image/png'),
    back: sent(jpeg([jpegSegment(0xfe, mark('comment of a JPEG'))]), 'image/jpeg'),
    pdf: pdfOf([...PDF_PAGES.slice(0, 3), page, info], '/Info 5 0 R').toString('base64'),
  };
}

/** A full form, of somebody in the US or elsewhere. */
export function applicant(home: boolean): Record<string, unknown> {
  const { front, back } = documents();
  return {
    first: mark('kyc first'),
    middle: mark('kyc middle'),
    last: mark('kyc last'),
    date_of_birth: BORN,
    street: mark('kyc street'),
    street2: mark('kyc street2'),
    city: mark('kyc city'),
    state: home ? 'CA' : mark('kyc state'),
    zip: home ? '94110' : mark('kyc zip'),
    country: home ? 'US' : 'DE',
    phone_code: '+1',
    phone_number: PHONE,
    ...(home ? { ssn: SSN } : {}),
    signature: mark('kyc signature'),
    document_type: 'DL',
    document_country: 'US',
    document_front: front,
    document_back: back,
  };
}

/** Requests that are wrong, each with markers where they do not belong. */
export const WRONG: readonly [string, HostName, string, string, () => Call][] = [
  ['unknown path', 'accounts', 'GET', `/${mark('path')}`, () => ({})],
  ['unknown account', 'accounts', 'GET', `/v1/user-info/${mark('account')}`, () => ({})],
  ['unknown query', 'accounts', 'GET', `/v1/user-info/search?q=${mark('query')}`, () => ({})],
  ['nobody', 'accounts', 'GET', `/v1/user-info/search?username=${mark('u')}`, () => ({})],
  ['a token of nobody', 'accounts', 'GET', '/v1/user-info/x', () => ({ token: mark('token') })],
  ['wrong type', 'accounts', 'POST', '/register', () => ({ body: [mark('in a list')] })],
  ['unknown field', 'accounts', 'POST', '/register', () => ({ body: { ssn: mark('ssn') } })],
  ['unknown name', 'accounts', 'POST', '/register', () => ({ body: { [mark('name')]: 1 } })],
  ['too long', 'accounts', 'POST', '/register', () => ({
    body: { username: mark('long').repeat(40), first_name: mark('longer').repeat(200) },
  })],
  ['types', 'accounts', 'POST', '/register', () => ({
    body: { username: { a: mark('object') }, city: [mark('list')], email: mark('text') },
  })],
  ['no address', 'accounts', 'POST', '/register', () => ({
    body: { username: mark('name'), email: { address: `${mark('no')} address` } },
  })],
  ['broken JSON', 'accounts', 'POST', '/register', () => ({ raw: `{"username":"${mark('cut')}` })],
  ['twice', 'accounts', 'POST', '/register', () => ({
    raw: `{"username":"${mark('one')}","username":"${mark('two')}"}`,
  })],
  ['media type', 'accounts', 'POST', '/register', () => ({
    raw: mark('plain'),
    headers: { 'content-type': `text/${mark('type')}` },
  })],
  ['a key that is too long', 'accounts', 'POST', '/register', () => ({
    body: { username: mark('keyed') },
    headers: { 'idempotency-key': mark('key').repeat(60), 'x-custom': mark('header') },
  })],
  ['card number', 'accounts', 'POST', '/register', () => ({
    body: { username: mark('card'), full_name: `${mark('holder')} 4111111111111111` },
  })],
  ['country', 'accounts', 'POST', '/register', () => ({
    body: { username: mark('land'), country_iso: mark('country') },
  })],
  ['kyc of a client', 'pii', 'POST', '/v2/kyc', () => ({ body: { kyc_pii: applicant(true) } })],
  ['token form', 'auth', 'POST', '/token', () => ({
    raw: `grant_type=${mark('grant')}&client_secret=${mark('secret')}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })],
];
