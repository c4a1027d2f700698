// The lifecycles of a business and of a person behind it, and how both map to the identity states
// of accounts. [seed: KYB status, G-55]
import { defineMachine, move, type OnOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';
import type { EntityGives, KycState } from '../identity/index.ts';

/** [seed: KYB status] */
export const KYB_STATES = [
  'INCOMPLETE',
  'PROCESSING',
  'ACCEPT',
  'DENY',
  'CANCEL',
  'INACTIVE',
] as const;
export type KybState = (typeof KYB_STATES)[number];

/** States in which the form can be changed. [G-55] */
export const OPEN_STATES: readonly KybState[] = ['INCOMPLETE', 'DENY', 'CANCEL'];

/** The identity state that a business gives to its account. [G-55] */
export const ACCOUNT_STATES: Readonly<Record<KybState, EntityGives>> = {
  INCOMPLETE: 'NODATA',
  PROCESSING: 'PROCESSING',
  ACCEPT: 'ACCEPT',
  DENY: 'DENY',
  CANCEL: 'CANCEL',
  INACTIVE: 'REVERIFY',
};

type AgentState = Exclude<KybState, 'INACTIVE'>;

/** The agent's status by the person's identity state. A review is no decision yet. */
export const AGENT_STATES: Readonly<Record<KycState, AgentState>> = {
  NODATA: 'INCOMPLETE',
  NONE: 'INCOMPLETE',
  REVERIFY: 'INCOMPLETE',
  PROCESSING: 'PROCESSING',
  MANUAL_REVIEW: 'PROCESSING',
  ACCEPT: 'ACCEPT',
  DENY: 'DENY',
  CANCEL: 'CANCEL',
  'SYSTEM-CANCELLED': 'CANCEL',
};

const emits = events.entityChanged;
const cites = 'G-55';

export const entityMachine = defineMachine('entity', {
  noun: 'business',
  states: KYB_STATES,
  moves: [
    move(null, 'onboard', 'INCOMPLETE', 'caller', cites,
      'The business form was started; it is not submitted yet.', { emits }),
    move(OPEN_STATES, 'submit', 'PROCESSING', 'user', cites,
      'The form is complete; the business and its people are being checked.', { emits }),
    move('PROCESSING', 'decide', ['ACCEPT', 'DENY', 'INCOMPLETE'], 'operator', cites,
      'Compliance decided or requested more; the sandbox decides automatically.', { emits }),
    move('INCOMPLETE', 'lapse', 'CANCEL', 'system', cites,
      'Nothing was submitted for 30 days.', { emits }),
    move('ACCEPT', 'deactivate', 'INACTIVE', 'operator', cites,
      'The business was closed.', { emits }),
    ...KYB_STATES.map((from) => {
      const to = KYB_STATES.filter((state) => state !== from);
      const why = 'Staging sets any business to a status, so that an integration can be tested.';
      return move(from, 'set', to, 'caller', cites, why, { emits, stagingOnly: true });
    }),
  ],
});

const WITH_PERSON: readonly AgentState[] = [
  'INCOMPLETE',
  'PROCESSING',
  'ACCEPT',
  'DENY',
  'CANCEL',
];

export const agentMachine = defineMachine('entity_agent', {
  noun: 'person behind a business',
  states: [...WITH_PERSON, 'INACTIVE'],
  moves: [
    move(null, 'name', 'INCOMPLETE', 'caller', 'G-54',
      'The form names this person, who gets an account for the identity check.'),
    ...WITH_PERSON.map((from) => {
      const to = WITH_PERSON.filter((state) => state !== from);
      const why = "The status is that of the person's own identity check.";
      return move(from, 'follow_identity', to, 'system', cites, why);
    }),
    move(WITH_PERSON, 'remove', 'INACTIVE', 'user', 'G-54',
      'The form no longer names this person.'),
  ],
});

export type EntityEvent = OnOf<typeof entityMachine>;
