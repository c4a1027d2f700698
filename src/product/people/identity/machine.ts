// The lifecycles of an account's identity state and of a check at the vendor. [seed: KYC state,
// G-51]
import { defineMachine, listed, move, type OnOf, type StateOf } from '../../../core/machine.ts';
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

/** States in which the processor's verification counts; a decision of ours stands. */
const UNDECIDED = ['NODATA', 'NONE', 'REVERIFY'] as const;

/** States that a business can give to its account. [G-55] */
export const ENTITY_GIVES = [
  'NODATA',
  'PROCESSING',
  'ACCEPT',
  'DENY',
  'CANCEL',
  'REVERIFY',
] as const satisfies readonly KycState[];

const emits = events.kycChanged;
const cites = 'G-51';

/** Accepting also releases the money that was restricted until then. [G-38] */
const accepted = { posts: 'release_restricted', emits } as const;

const TO_SUBMIT = ['NODATA', 'NONE', 'DENY', 'CANCEL', 'SYSTEM-CANCELLED', 'REVERIFY'] as const;
const NOT_ACCEPTED = KYC_STATES.filter((state) => state !== 'ACCEPT');

export const kycMachine = defineMachine('kyc', {
  noun: 'identity state of an account',
  states: KYC_STATES,
  moves: [
    move(null, 'register', 'NODATA', 'caller', 'G-50',
      'An account starts without any information.', { emits: events.accountRegistered }),
    move(TO_SUBMIT, 'submit', 'PROCESSING', 'user', cites,
      'The person submitted the required data; it is being checked.', { emits }),
    move('NODATA', 'submit_tax_form', 'NONE', 'user', cites,
      'Tax information only; it is not checked.', { emits }),
    ...TAX_UPDATABLE.map((state) =>
      move(state, 'submit_tax_form', state, 'user', 'G-38',
        'The required tax update was submitted; the identity state does not change.', { emits }),
    ),
    move('PROCESSING', 'decide', 'ACCEPT', 'vendor', cites,
      'The check finished, or needs a manual review.', accepted),
    move('PROCESSING', 'decide', ['DENY', 'MANUAL_REVIEW'], 'vendor', cites,
      'The check ended, or needs a person.', { emits }),
    move('PROCESSING', 'cancel', 'SYSTEM-CANCELLED', 'system', cites,
      'The submission is incorrect or incomplete.', { emits }),
    move('MANUAL_REVIEW', 'submit', 'PROCESSING', 'user', cites,
      'The person submitted what compliance requested.', { emits }),
    move('MANUAL_REVIEW', 'review', 'ACCEPT', 'operator', cites,
      'Compliance decided.', accepted),
    move('MANUAL_REVIEW', 'review', ['DENY', 'CANCEL'], 'operator', cites,
      'Compliance decided.', { emits }),
    move('MANUAL_REVIEW', 'ask', 'MANUAL_REVIEW', 'operator', cites,
      'Compliance requested more information; the person has 30 days to answer.', { emits }),
    move('MANUAL_REVIEW', 'lapse', 'CANCEL', 'system', cites,
      'The person did not answer the request of compliance for 30 days.', { emits }),
    move('ACCEPT', 'require_again', 'REVERIFY', 'operator', cites,
      'An operator or an import requires a new verification.', { emits }),
    move('ACCEPT', 'warn', 'ACCEPT', 'system', cites,
      'The accepted document expires soon; the person can still be paid.',
      { emits: events.documentExpiring }),
    move('ACCEPT', 'expire', 'REVERIFY', 'system', cites,
      'The accepted document has expired: the person must send a valid one.', { emits }),
    ...KYC_STATES.map((state) =>
      move(state, 'erase', state, 'operator', 'G-50',
        'The person was erased: the decisions stay, no data is left.', { emits }),
    ),
    ...ENTITY_GIVES.map((to) => {
      const from = KYC_STATES.filter((state) => state !== to);
      return move(from, 'follow_entity', to, 'system', 'G-55',
        'A business is verified instead of the person: the state follows that of the business.',
        to === 'ACCEPT' ? accepted : { emits });
    }),
    move(UNDECIDED, 'processor_verify', 'ACCEPT', 'processor', 'G-92',
      'The card processor has verified the seller for its payouts: nobody is verified twice.',
      { posts: 'release_restricted', emits }),
    move('ACCEPT', 'processor_withdraw', 'REVERIFY', 'processor', 'G-92',
      'The card processor, on whose word it was accepted, requires more or has no account.',
      { emits }),
    // The setter may also lift what is required, so each state that it sets may release.
    ...([[NOT_ACCEPTED, accepted], ['ACCEPT', { emits }]] as const).map(([from, more]) =>
      move(from, 'set', SETTABLE_STATES, 'caller', 'seed: KYC state',
        'Staging sets any account to a state, so that an integration can be tested.',
        { ...more, stagingOnly: true }),
    ),
  ],
});

export type KycEvent = OnOf<typeof kycMachine>;

/** The check of an application at the vendor. [R5, R6] */
export const checkMachine = defineMachine('identity_check', {
  noun: 'check of an application at the identity vendor',
  states: ['asking', 'waiting', 'pending', 'ended', 'parked'],
  moves: [
    move(null, 'begin', 'asking', 'system', 'G-52',
      'The key is stored before the first call, so that asking again is safe.'),
    move(['asking', 'pending'], 'sent_on', 'waiting', 'vendor', 'G-51',
      "The person must go on at the vendor's page; after 30 days the check is ended."),
    move(['asking', 'waiting'], 'taken', 'pending', 'vendor', 'G-52',
      'The vendor decides later; after three days without a decision operators do.'),
    move(['asking', 'waiting', 'pending'], 'answered', 'ended', 'vendor', 'G-51',
      'The vendor decided; what that means for the account is decided with it.'),
    move('ended', 'contradicted', 'parked', 'vendor', 'EV6',
      'The vendor contradicts its own decision: nothing changes, reviewers see both.'),
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
