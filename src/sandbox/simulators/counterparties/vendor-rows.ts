// Scenarios of the identity vendor: test persons, later or repeated decisions, and single failing
// calls.
import type { OutcomeFact } from '../../ports/counterparties.ts';
import { IDENTITY_EVENTS, type IdentityEvent } from '../../ports/persons.ts';
import { DECISIONS, TEST_PERSONS, type TestPerson } from '../vendor/index.ts';
import { storyOf, VENDOR_EXCHANGES } from './exchanges.ts';
import { CALM, sandboxCall, type Row, type Step } from './rows.ts';

/** State of an application by the vendor's first outcome. */
const STATES = {
  accepted: 'ACCEPT',
  denied: 'DENY',
  review: 'MANUAL_REVIEW',
  incomplete: 'SYSTEM-CANCELLED',
} as const;

/** A picture of two by two pixels: enough of a document for the sandbox. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4AWOou7+j8I0cw5x' +
  'n5+YGrQIANPkHeh6Bf5AAAAAASUVORK5CYII=';

/** An invented person; the last name selects what happens. */
const SOMEBODY = {
  first: 'Test',
  date_of_birth: '1990-02-28',
  street: '1 Example Way',
  city: 'Springfield',
  state: 'CA',
  zip: '94110',
  country: 'US',
  phone_code: '+1',
  phone_number: '415 555 0100',
  ssn: '123-45-6789',
  signature: 'Test',
  use_1099: true,
  document_type: 'DL',
  document_country: 'US',
  document_front: PICTURE,
  document_back: PICTURE,
} as const;

function applicationEnd(state: string): OutcomeFact {
  return { of: 'application', state, code: null, moved: null, tries: null };
}

/** The first decision counts. */
function stateOf({ verdict, later = [] }: TestPerson): string {
  if (verdict !== 'pending') return STATES[verdict.state];
  const [first] = later;
  return first === undefined ? 'PROCESSING' : decided(first.event);
}

function decided(event: IdentityEvent): string {
  return STATES[DECISIONS[event].state];
}

const SAID: Readonly<Record<string, string>> = {
  accepted: 'accepts',
  denied: 'denies',
  review: 'sends it to manual review',
  incomplete: 'requests more information',
};

function stepsOf({ verdict, begin = 'honest', later = [] }: TestPerson): readonly Step[] {
  const says = verdict === 'pending' ? 'has not decided yet' : SAID[verdict.state];
  return [
    { asked: 'begin', answered: `${storyOf(begin)} The vendor ${says}.` },
    ...later.map(({ event, afterMs, told }) => {
      const how = told === false ? 'without a webhook' : 'with a webhook';
      const answered = `The vendor ${SAID[DECISIONS[event].state]}, ${how}.`;
      return { asked: `${afterMs / 1_000} s later`, answered };
    }),
  ];
}

const persons: readonly Row[] = TEST_PERSONS.map((person) => {
  const { name, last, story, ends } = person;
  return {
    name: `person.${name}`,
    kind: 'person',
    story,
    steps: stepsOf(person),
    ends,
    outcome: applicationEnd(stateOf(person)),
    needs: name,
    how: {
      host: 'pii',
      operation: 'submitKYC',
      path: '/v2/kyc',
      body: { kyc_pii: { ...SOMEBODY, last } },
    },
  };
});

const decisions: readonly Row[] = IDENTITY_EVENTS.map((event) => {
  const says = SAID[DECISIONS[event].state];
  const body = { kyc_id: '{kyc_id}', event };
  return {
    name: `decision.${event}`,
    kind: 'decision',
    story: `The vendor ${says} and sends a webhook.`,
    steps: [
      { asked: 'before', answered: 'The vendor has the application and has not decided.' },
      { asked: event, answered: `The vendor ${says}; the webhook triggers a status query.` },
    ],
    ends: `The application is ${decided(event)}; a later decision changes nothing.`,
    outcome: applicationEnd(decided(event)),
    needs: 'late',
    how: sandboxCall('sandboxIdentityEvent', 'identity_events', body),
  };
});

const exchanges: readonly Row[] = VENDOR_EXCHANGES.filter(({ name }) => name !== 'honest').map(
  ({ name, story }) => ({
    name: `exchange.${name}`,
    kind: 'exchange',
    story: `The next check of any person: ${story[0]?.toLowerCase()}${story.slice(1)}`,
    steps: [{ asked: 'begin', answered: story }, CALM],
    ends: 'Accepted, checked once under one key.',
    outcome: applicationEnd('ACCEPT'),
    needs: null,
    how: sandboxCall('sandboxScript', 'scripts', { counterparty: 'vendor', exchange: name }),
  }),
);

/** Persons first. */
export const VENDOR_ROWS: readonly Row[] = [...persons, ...decisions, ...exchanges];
