// The business form: which errors are found before sending, and what is sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../test/kit/english.ts';
import { bodyOf, companyOf, type Company } from './draft.ts';
import { companyFaults, personFaults } from './faults.ts';

const EMPTY = companyOf({
  entity: null,
  open: true,
  country: '',
  entity_types: [],
  tax_id_given: false,
  user_email: '',
  needs: [],
  reasons: [],
});
const COUNTRIES = [
  { code: 'AE', name: 'United Arab Emirates', address: ['region'] },
  { code: 'DE', name: 'Germany', address: ['city', 'postal_code'] },
] as const;
const GOOD: Company = { ...EMPTY, entity_name: ' A ', entity_type: 'trust', country: 'US' };

test('missing and malformed values are named at their field', () => {
  const missing = ['entity_name', 'country', 'entity_type', 'tax_id'];
  assert.deepEqual(Object.keys(companyFaults(EMPTY, false, COUNTRIES)), missing);
  assert.deepEqual(Object.keys(companyFaults(GOOD, false, COUNTRIES)), ['tax_id']);
  assert.deepEqual(companyFaults(GOOD, true, COUNTRIES), {});
  const abroad = ['legal_form', 'registration_number', 'register', 'street'];
  const inGermany = { ...GOOD, country: 'DE', tax_id: 'x', naics_numbers: 'x' };
  assert.deepEqual(Object.keys(companyFaults(inGermany, false, COUNTRIES)), [...abroad, 'city']);
  const inDubai = { ...GOOD, country: 'AE' };
  assert.deepEqual(Object.keys(companyFaults(inDubai, false, COUNTRIES)), abroad);
  const wrong = { user_email: 'x', tax_id: '1', naics_numbers: '12345', duns_numbers: '1,2' };
  const found = companyFaults({ ...GOOD, ...wrong }, true, COUNTRIES);
  assert.deepEqual(Object.keys(found), Object.keys(wrong));
});

test('white space is trimmed, and an unchanged tax number is not sent', () => {
  const typed = { ...GOOD, naics_numbers: '123456, 654321' };
  const body = bodyOf(typed, [{ agent_name: '', roles: ['primary_contact'] }]);
  assert.deepEqual(body, {
    entity_name: 'A',
    entity_type: 'trust',
    country: 'US',
    user_email: '',
    naics_numbers: '123456,654321',
    duns_numbers: '',
    agents: [],
  });
  assert.equal(bodyOf({ ...GOOD, tax_id: '12 3456789' }, [])['tax_id'], '123456789');
});

test('a business elsewhere sends its registration, and nothing that only the US has', () => {
  const typed = { ...GOOD, country: 'DE', tax_id: '12-3456789', duns_numbers: '123456789' };
  const body = bodyOf({ ...typed, legal_form: ' GmbH ', city: 'Berlin' }, []);
  const sent = Object.entries(body).filter(([, value]) => value !== '');
  assert.deepEqual(Object.fromEntries(sent), {
    ...{ entity_name: 'A', country: 'DE', legal_form: 'GmbH', city: 'Berlin', agents: [] },
  });
  assert.equal('entity_type' in body || 'tax_id' in body || 'duns_numbers' in body, false);
  const owner = { agent_name: 'O', roles: ['beneficial_owner'] } as const;
  assert.deepEqual(Object.keys(personFaults(owner, [], true)), ['ownership']);
  assert.deepEqual(personFaults({ ...owner, ownership: '25-50' }, [], true), {});
  assert.deepEqual(Object.keys(personFaults({ ...owner, agent_email: 'x' }, [])), ['agent_email']);
});

test('at most one control person and four owners', () => {
  const owner = { agent_name: 'O', roles: ['beneficial_owner'] } as const;
  const prong = { agent_name: 'P', roles: ['control_prong'] } as const;
  assert.deepEqual(personFaults(owner, [owner, owner, owner]), {});
  assert.deepEqual(Object.keys(personFaults(owner, [owner, owner, owner, owner])), ['roles']);
  assert.deepEqual(Object.keys(personFaults(prong, [prong])), ['roles']);
  const nobody = Object.keys(personFaults({ agent_name: ' ', roles: [] }, []));
  assert.deepEqual(nobody, ['agent_name', 'roles']);
});
