// Which steps a form takes, its errors, and what is sent: for every country and after every kind of
// denial.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../test/kit/english.ts';
import {
  askedOf,
  bodyOf,
  draftAgain,
  emptyDraft,
  faultsIn,
  faultsOf,
  pathOf,
  stepOf,
  type Draft,
  type Picture,
} from './draft.ts';
import {
  askedWords,
  formDue,
  standingOf,
  waitBefore,
  type Country,
  type KycForm,
} from './records.ts';

const DOCUMENTS = ['PP', 'DL', 'ID'];
const FRANCE = { code: 'FR', name: 'France', documents: DOCUMENTS, regions: [], needs_ssn: false };
const US = { ...FRANCE, code: 'US', name: 'United States', regions: ['CA', 'NY'], needs_ssn: true };
const COUNTRIES: readonly Country[] = [FRANCE, US];
const FILES = ['document_front', 'document_back', 'extra_files'] as const;
const PERSONAL = ['name', 'birth', 'address', 'tax'] as const;
const FIRST: KycForm = {
  state: 'NODATA',
  country_default: 'FR',
  forms: ['full', 'tax'],
  needs: [...PERSONAL, ...FILES],
  failed: [],
  reasons: [],
  reason_codes: [],
};
const picture: Picture = { name: 'a.jpg', size: 1, blob: new Blob(['x']), url: '' };

const FULL: Draft = {
  ...emptyDraft('US'),
  first: ' Ada ',
  last: 'Lovelace',
  date_of_birth: { day: '1', month: '12', year: '1990' },
  ssn: '123-45-6789',
  signature: 'Ada Lovelace',
  street: '1 Example Way',
  city: 'Springfield',
  state: 'CA',
  zip: '94110',
  document_type: 'DL',
  document_country: 'US',
  document_front: picture,
  document_back: picture,
};

const again = (...failed: KycForm['failed']): KycForm => {
  return { ...FIRST, state: 'DENY', needs: failed, failed };
};
const asked = (draft: Draft, form = FIRST, due: 'full' | 'tax' = 'full') =>
  askedOf(form, due, draft, COUNTRIES);
const wrong = (draft: Draft, form = FIRST) => {
  const all = asked(draft, form);
  return all.steps.flatMap((step) => Object.keys(faultsIn(step, all, draft)));
};

test('at first every step is due, even a known country; once complete, none', () => {
  const path = ['country', 'person', 'tax', 'address', 'documents'];
  for (const empty of [emptyDraft('FR'), emptyDraft('')]) {
    assert.deepEqual(pathOf(asked(empty), empty, FIRST), path);
  }
  assert.deepEqual(pathOf(asked(FULL), FULL, FIRST), []);
  assert.deepEqual(wrong(FULL), []);
});

test('the US requires a tax number, a state and a ZIP code; others do not', () => {
  const bare = { ...FULL, ssn: '12345678', state: 'Bavaria', zip: '' };
  assert.deepEqual(wrong(bare), ['ssn', 'zip', 'state']);
  assert.deepEqual(wrong({ ...bare, country: 'FR' }), []);
});

test('a passport has one page, other documents two', () => {
  const one = { ...FULL, document_back: null };
  assert.deepEqual(wrong(one), ['document_back']);
  assert.deepEqual(wrong({ ...one, document_type: 'PP' }), []);
});

test('a back requested alone is requested of a passport too', () => {
  const form = again('document_back');
  const draft = { ...FULL, document_type: 'PP', document_front: null, document_back: null };
  assert.deepEqual(wrong(draft, form), ['document_back']);
});

test('a proof of address is offered with a foreign document, needed when asked for', () => {
  assert.equal(asked(FULL).extra, 'no');
  assert.equal(asked({ ...FULL, document_country: 'FR' }).extra, 'offered');
  const form = again('extra_files');
  assert.deepEqual(wrong(FULL, form), ['extra_files']);
});

test('another try shows what did not pass, with those pictures gone', () => {
  const form = again('document_front');
  const draft = draftAgain(FULL, form);
  assert.deepEqual([draft.document_front, draft.document_back], [null, picture]);
  assert.deepEqual(pathOf(asked(draft, form), draft, form), ['documents']);
  const name = again('name');
  assert.deepEqual(pathOf(asked(FULL, name), FULL, name), ['person']);
});

test('another try has the requested steps only and sends no more, also on a new page', async () => {
  const cases = [
    [['name'], ['person'], ['first', 'last']],
    [['birth'], ['person'], ['date_of_birth']],
    [['phone'], ['phone'], ['phone_code', 'phone_number']],
    [['tax'], ['tax'], ['signature', 'ssn']],
    [['document_back'], ['documents'], ['document_back']],
    [['extra_files'], ['documents'], []],
    [
      ['name', 'address'],
      ['country', 'person', 'address'],
      ['first', 'last', 'country', 'street', 'city', 'state', 'zip', 'use_1099'],
    ],
  ] as const;
  const phone = { phone_code: '1', phone_number: '4155550100' };
  for (const [failed, steps, fields] of cases) {
    const form = { ...again(...failed), country_default: 'US' };
    const empty = emptyDraft('US');
    assert.deepEqual(pathOf(asked(empty, form), empty, form), steps);
    const draft = { ...FULL, ...phone, extra_files: [picture], ssn: '' };
    const filled = failed[0] === 'tax' ? { ...draft, ssn: '123-45-6789' } : draft;
    assert.deepEqual(wrong(filled, form), []);
    const sent = await bodyOf(asked(filled, form), filled, async () => 'data:,');
    const { kyc_pii, extra_files } = sent as { kyc_pii: object; extra_files?: unknown };
    assert.deepEqual(Object.keys(kyc_pii), fields);
    assert.equal(extra_files !== undefined, failed[0] === 'extra_files');
  }
  const moved = { ...again('address'), country_default: 'FR' };
  const home = { ...FULL, ssn: '' };
  assert.deepEqual(wrong(home, moved), ['ssn'], 'who moves to the US gives its number');
  assert.equal(draftAgain(FULL, again('name')).ssn, '');
});

test('requested parts are named in words', () => {
  const words = askedWords(again('name', 'birth', 'document_front'));
  assert.equal(
    words,
    'We only need your name, your date of birth, and the front of your document again. ' +
      'Everything else stays as you sent it.',
  );
  assert.equal(askedWords({ ...FIRST, state: 'DENY' }), 'Fill in the whole form again.');
});

test('only what is asked is sent, trimmed, and nothing that is empty', async () => {
  const text = async () => 'data:,';
  const body = (await bodyOf(asked(FULL), FULL, text)) as { kyc_pii: Record<string, unknown> };
  assert.equal(body.kyc_pii['first'], 'Ada');
  assert.equal(body.kyc_pii['date_of_birth'], '1990-12-01');
  assert.equal(body.kyc_pii['document_back'], 'data:,');
  assert.equal('street2' in body.kyc_pii, false);
  const french = { ...FULL, country: 'FR', document_country: 'FR' };
  const sent = (await bodyOf(asked(french), french, text)) as typeof body;
  assert.equal('ssn' in sent.kyc_pii, false);
  const tax = (await bodyOf(asked(FULL, FIRST, 'tax'), FULL, text)) as typeof body;
  const names = ['date_of_birth', 'document_type', 'document_front', 'document_country'];
  assert.deepEqual(names.filter((name) => name in tax.kyc_pii), []);
});

test('a refusal stands beside its field, as a sentence', () => {
  const faults = faultsOf({
    'kyc_pii.ssn': 'must be nine digits',
    'kyc_pii.document_front': 'A file is damaged or has extra data at its end.',
    'extra_files[0].file_contents': 'is too long',
    form: 'is unknown',
  });
  assert.deepEqual(faults, {
    ssn: 'This must be nine digits.',
    document_front: 'A file is damaged or has extra data at its end.',
    extra_files: 'This is too long.',
  });
  assert.deepEqual(['ssn', 'zip', 'x'].map(stepOf), ['tax', 'address', null]);
});

test('the screen follows from state, forms and level', () => {
  const at = (state: string, forms: KycForm['forms'], level: 'full' | 'basic_pii' = 'full') =>
    standingOf({ ...FIRST, state, forms }, level);
  assert.equal(at('NODATA', ['full', 'tax']), 'form');
  assert.equal(at('PROCESSING', []), 'processing');
  assert.equal(at('ACCEPT', []), 'accepted');
  assert.equal(at('ACCEPT', ['tax']), 'form');
  assert.equal(at('MANUAL_REVIEW', []), 'review');
  assert.equal(at('MANUAL_REVIEW', ['full']), 'failed');
  assert.equal(at('DENY', ['full']), 'failed');
  assert.equal(at('REVERIFY', ['full']), 'form');
  assert.equal(at('NONE', ['full']), 'form');
  assert.equal(at('NONE', ['full'], 'basic_pii'), 'filed');
  assert.equal(formDue(FIRST, 'basic_pii'), 'tax');
});

test('a check is polled soon, then every five seconds', () => {
  assert.ok(waitBefore(0) < 1_000);
  assert.equal(waitBefore(30), 5_000);
});
