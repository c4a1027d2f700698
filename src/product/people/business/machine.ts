// The lifecycles of a business and of a person behind it, and how both map to the identity states
// of accounts. [seed: KYB status, G-55]
import { defineMachine, type OnOf } from '../../../core/machine.ts';
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

const told = { emits: events.entityChanged, cites: 'G-55' } as const;

export const entityMachine = defineMachine('entity', {
  noun: 'business',
  states: KYB_STATES,
  moves: [
    {
      ...told,
      from: null,
      on: 'onboard',
      to: 'INCOMPLETE',
      by: 'caller',
      why: 'The business form was started; it is not submitted yet.',
    },
    {
      ...told,
      from: OPEN_STATES,
      on: 'submit',
      to: 'PROCESSING',
      by: 'user',
      why: 'The form is complete; the business and its people are being checked.',
    },
    {
      ...told,
      from: 'PROCESSING',
      on: 'decide',
      to: ['ACCEPT', 'DENY', 'INCOMPLETE'],
      by: 'operator',
      why: 'Compliance decided or requested more; the sandbox decides automatically.',
    },
    {
      ...told,
      from: 'INCOMPLETE',
      on: 'lapse',
      to: 'CANCEL',
      by: 'system',
      why: 'Nothing was submitted for 30 days.',
    },
    {
      ...told,
      from: 'ACCEPT',
      on: 'deactivate',
      to: 'INACTIVE',
      by: 'operator',
      why: 'The business was closed.',
    },
    ...KYB_STATES.map((from) => {
      const to = KYB_STATES.filter((state) => state !== from);
      const why = 'Staging sets any business to a status, so that an integration can be tested.';
      return { ...told, from, on: 'set', to, by: 'caller', why, stagingOnly: true } as const;
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
    {
      from: null,
      on: 'name',
      to: 'INCOMPLETE',
      by: 'caller',
      why: 'The form names this person, who gets an account for the identity check.',
      cites: 'G-54',
    },
    ...WITH_PERSON.map((from) => {
      const to = WITH_PERSON.filter((state) => state !== from);
      const why = "The status is that of the person's own identity check.";
      return { from, on: 'follow_identity', to, by: 'system', why, cites: 'G-55' } as const;
    }),
    {
      from: WITH_PERSON,
      on: 'remove',
      to: 'INACTIVE',
      by: 'user',
      why: 'The form no longer names this person.',
      cites: 'G-54',
    },
  ],
});

export type EntityEvent = OnOf<typeof entityMachine>;
