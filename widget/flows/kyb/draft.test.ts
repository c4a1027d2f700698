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
  tax_id_given: false,
  user_email: '',
  needs: [],
  reasons: [],
});
const GOOD: Company = { ...EMPTY, entity_name: ' A ', entity_type: 'trust', country: 'US' };

test('missing and malformed values are named at their field', () => {
  const missing = ['entity_name', 'entity_type', 'country', 'tax_id'];
  assert.deepEqual(Object.keys(companyFaults(EMPTY, false)), missing);
  assert.deepEqual(Object.keys(companyFaults(GOOD, false)), ['tax_id']);
  assert.deepEqual(companyFaults(GOOD, true), {});
  assert.deepEqual(companyFaults({ ...GOOD, country: 'FR' }, false), {});
  const wrong = { tax_id: '1', user_email: 'x', naics_numbers: '12345', duns_numbers: '1,2' };
  assert.deepEqual(Object.keys(companyFaults({ ...GOOD, ...wrong }, true)), Object.keys(wrong));
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

test('at most one control person and four owners', () => {
  const owner = { agent_name: 'O', roles: ['beneficial_owner'] } as const;
  const prong = { agent_name: 'P', roles: ['control_prong'] } as const;
  assert.deepEqual(personFaults(owner, [owner, owner, owner]), {});
  assert.deepEqual(Object.keys(personFaults(owner, [owner, owner, owner, owner])), ['roles']);
  assert.deepEqual(Object.keys(personFaults(prong, [prong])), ['roles']);
  const nobody = Object.keys(personFaults({ agent_name: ' ', roles: [] }, []));
  assert.deepEqual(nobody, ['agent_name', 'roles']);
});
