// The lifecycles of a business and of a person behind it, and how both map to the identity states
// of accounts. [seed: KYB status, G-55]
import { defineMachine, type Machine, type Move } from '../../kernel/machine.ts';
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
export const OPEN_STATES: readonly string[] = ['INCOMPLETE', 'DENY', 'CANCEL'];

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

const told = { emits: 'kyb-webhook', cites: 'G-55' } as const;

const setterMoves: readonly Move[] = KYB_STATES.flatMap((from) =>
  KYB_STATES.filter((to) => to !== from).map((to) => ({
    ...told,
    from,
    on: 'set',
    to,
    by: 'caller' as const,
    why: 'Staging sets any business to a status, so that an integration can be tested.',
    stagingOnly: true as const,
  })),
);

export const entityMachine: Machine = defineMachine({
  name: 'entity',
  noun: 'business',
  moves: [
    {
      ...told,
      from: null,
      on: 'onboard',
      to: 'INCOMPLETE',
      by: 'caller',
      why: 'The business form was started; it is not submitted yet.',
    },
    ...(['INCOMPLETE', 'DENY', 'CANCEL'] as const).map((from) => ({
      ...told,
      from,
      on: 'submit',
      to: 'PROCESSING',
      by: 'user' as const,
      why: 'The form is complete; the business and its people are being checked.',
    })),
    ...(['ACCEPT', 'DENY', 'INCOMPLETE'] as const).map((to) => ({
      ...told,
      from: 'PROCESSING',
      on: 'decide',
      to,
      by: 'operator' as const,
      why: 'Compliance decided or requested more; the sandbox decides automatically.',
    })),
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
    ...setterMoves,
  ],
});

const WITH_PERSON: readonly AgentState[] = [
  'INCOMPLETE',
  'PROCESSING',
  'ACCEPT',
  'DENY',
  'CANCEL',
];

export const agentMachine: Machine = defineMachine({
  name: 'entity_agent',
  noun: 'person behind a business',
  moves: [
    {
      from: null,
      on: 'name',
      to: 'INCOMPLETE',
      by: 'caller',
      why: 'The form names this person, who gets an account for the identity check.',
      cites: 'G-54',
    },
    ...WITH_PERSON.flatMap((from) =>
      WITH_PERSON.filter((to) => to !== from).map((to) => ({
        from,
        on: 'follow_identity',
        to,
        by: 'system' as const,
        why: "The status is that of the person's own identity check.",
        cites: 'G-55',
      })),
    ),
    ...WITH_PERSON.map((from) => ({
      from,
      on: 'remove',
      to: 'INACTIVE',
      by: 'user' as const,
      why: 'The form no longer names this person.',
      cites: 'G-54',
    })),
  ],
});

export const machines: readonly Machine[] = [entityMachine, agentMachine];
