// The lifecycles of an account's identity state and of a check at the vendor. [seed: KYC state,
// G-51]
import { defineMachine, listed, type OnOf, type StateOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';

/** [seed: KYC state] */
export const KYC_STATES = [
  'NODATA',
  'NONE',
  'PROCESSING',
  'MANUAL_REVIEW',
  'ACCEPT',
  'DENY',
  'CANCEL',
  'SYSTEM-CANCELLED',
  'REVERIFY',
] as const;
export type KycState = (typeof KYC_STATES)[number];

/** States that the staging setter accepts. [seed: Identity host] */
export const SETTABLE_STATES = ['ACCEPT', 'MANUAL_REVIEW', 'DENY', 'CANCEL', 'NODATA'] as const;

/** States in which a required tax update is accepted, beside NODATA. [G-38] */
export const TAX_UPDATABLE = [
  'NONE',
  'ACCEPT',
  'DENY',
  'CANCEL',
  'SYSTEM-CANCELLED',
  'REVERIFY',
] as const;

/** States that a business can give to its account. [G-55] */
export const ENTITY_GIVES = [
  'NODATA',
  'PROCESSING',
  'ACCEPT',
  'DENY',
  'CANCEL',
  'REVERIFY',
] as const satisfies readonly KycState[];

const told = { emits: events.kycChanged, cites: 'G-51' } as const;

/** Accepting also releases the money that was restricted until then. [G-38] */
const accepted = { ...told, to: 'ACCEPT', posts: 'release_restricted' } as const;

const NOT_ACCEPTED = KYC_STATES.filter((state) => state !== 'ACCEPT');

const set = {
  ...told,
  on: 'set',
  to: SETTABLE_STATES,
  by: 'caller',
  why: 'Staging sets any account to a state, so that an integration can be tested.',
  cites: 'seed: KYC state',
  stagingOnly: true,
} as const;

const follow = {
  on: 'follow_entity',
  by: 'system',
  why: 'A business is verified instead of the person: the state follows that of the business.',
  cites: 'G-55',
} as const;

export const kycMachine = defineMachine('kyc', {
  noun: 'identity state of an account',
  states: KYC_STATES,
  moves: [
    {
      from: null,
      on: 'register',
      to: 'NODATA',
      by: 'caller',
      emits: events.accountRegistered,
      why: 'An account starts without any information.',
      cites: 'G-50',
    },
    {
      ...told,
      from: ['NODATA', 'NONE', 'DENY', 'CANCEL', 'SYSTEM-CANCELLED', 'REVERIFY'],
      on: 'submit',
      to: 'PROCESSING',
      by: 'user',
      why: 'The person submitted the required data; it is being checked.',
    },
    {
      ...told,
      from: 'NODATA',
      on: 'submit_tax_form',
      to: 'NONE',
      by: 'user',
      why: 'Tax information only; it is not checked.',
    },
    ...TAX_UPDATABLE.map((state) => {
      const why = 'The required tax update was submitted; the identity state does not change.';
      const same = { from: state, on: 'submit_tax_form', to: state, by: 'user', why } as const;
      return { ...told, ...same, cites: 'G-38' };
    }),
    {
      ...accepted,
      from: 'PROCESSING',
      on: 'decide',
      by: 'vendor',
      why: 'The check finished, or needs a manual review.',
    },
    {
      ...told,
      from: 'PROCESSING',
      on: 'decide',
      to: ['DENY', 'MANUAL_REVIEW'],
      by: 'vendor',
      why: 'The check ended, or needs a person.',
    },
    {
      ...told,
      from: 'PROCESSING',
      on: 'cancel',
      to: 'SYSTEM-CANCELLED',
      by: 'system',
      why: 'The submission is incorrect or incomplete.',
    },
    {
      ...told,
      from: 'MANUAL_REVIEW',
      on: 'submit',
      to: 'PROCESSING',
      by: 'user',
      why: 'The person submitted what compliance requested.',
    },
    {
      ...accepted,
      from: 'MANUAL_REVIEW',
      on: 'review',
      by: 'operator',
      why: 'Compliance decided.',
    },
    {
      ...told,
      from: 'MANUAL_REVIEW',
      on: 'review',
      to: ['DENY', 'CANCEL'],
      by: 'operator',
      why: 'Compliance decided.',
    },
    {
      ...told,
      from: 'MANUAL_REVIEW',
      on: 'ask',
      to: 'MANUAL_REVIEW',
      by: 'operator',
      why: 'Compliance requested more information; the person has 30 days to answer.',
    },
    {
      ...told,
      from: 'MANUAL_REVIEW',
      on: 'lapse',
      to: 'CANCEL',
      by: 'system',
      why: 'The person did not answer the request of compliance for 30 days.',
    },
    {
      ...told,
      from: 'ACCEPT',
      on: 'require_again',
      to: 'REVERIFY',
      by: 'operator',
      why: 'An operator or an import requires a new verification.',
    },
    {
      from: 'ACCEPT',
      on: 'warn',
      to: 'ACCEPT',
      by: 'system',
      emits: events.documentExpiring,
      why: 'The accepted document expires soon; the person can still be paid.',
      cites: 'G-51',
    },
    {
      ...told,
      from: 'ACCEPT',
      on: 'expire',
      to: 'REVERIFY',
      by: 'system',
      why: 'The accepted document has expired: the person must send a valid one.',
    },
    ...KYC_STATES.map((state) => {
      const why = 'The person was erased: the decisions stay, no data is left.';
      const same = { from: state, on: 'erase', to: state, by: 'operator', why } as const;
      return { ...told, ...same, cites: 'G-50' };
    }),
    ...ENTITY_GIVES.map((to) => {
      const from = KYC_STATES.filter((state) => state !== to);
      return { ...(to === 'ACCEPT' ? accepted : told), ...follow, from, to };
    }),
    // The setter may also lift what is required, so each state that it sets may release.
    { ...set, from: NOT_ACCEPTED, posts: accepted.posts },
    { ...set, from: 'ACCEPT' },
  ],
});

export type KycEvent = OnOf<typeof kycMachine>;

/** The check of an application at the vendor. [R5, R6] */
export const checkMachine = defineMachine('identity_check', {
  noun: 'check of an application at the identity vendor',
  states: ['asking', 'waiting', 'pending', 'ended', 'parked'],
  moves: [
    {
      from: null,
      on: 'begin',
      to: 'asking',
      by: 'system',
      why: 'The key is stored before the first call, so that asking again is safe.',
      cites: 'G-52',
    },
    {
      from: ['asking', 'pending'],
      on: 'sent_on',
      to: 'waiting',
      by: 'vendor',
      why: "The person must go on at the vendor's page; after 30 days the check is ended.",
      cites: 'G-51',
    },
    {
      from: ['asking', 'waiting'],
      on: 'taken',
      to: 'pending',
      by: 'vendor',
      why: 'The vendor decides later; after three days without a decision operators do.',
      cites: 'G-52',
    },
    {
      from: ['asking', 'waiting', 'pending'],
      on: 'answered',
      to: 'ended',
      by: 'vendor',
      why: 'The vendor decided; what that means for the account is decided with it.',
      cites: 'G-51',
    },
    {
      from: 'ended',
      on: 'contradicted',
      to: 'parked',
      by: 'vendor',
      why: 'The vendor contradicts its own decision: nothing changes, reviewers see both.',
      cites: 'EV6',
    },
  ],
});

export type CheckState = StateOf<typeof checkMachine>;

/** SQL: states in which an answer of the vendor is outstanding. */
export const checkOpen = listed(checkMachine, 'asking', 'waiting', 'pending');

/** Days of a check in one state: the person does not come, or the vendor does not decide. */
const WAITING_DAYS = 30;
const UNDECIDED_DAYS = 3;

/** SQL: when an open check, by its alias, is given up by the workspace's clock. [G-51] */
export function checkEnds(of: string): string {
  return `${of}.updated + make_interval(days =>
    case ${of}.state when 'waiting' then ${WAITING_DAYS} else ${UNDECIDED_DAYS} end)`;
}
