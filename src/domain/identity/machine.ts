// The lifecycles of an account's identity state and of a check at the vendor. [seed: KYC state,
// G-51]
import { defineMachine, type Machine, type Move } from '../../kernel/machine.ts';

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

const EMITS = 'kyc-webhook';

/** Money that is restricted until the identity is accepted reaches the wallets then. [G-38] */
function released(from: KycState, to: KycState): Pick<Move, 'posts'> {
  return from !== 'ACCEPT' && to === 'ACCEPT' ? { posts: 'release_restricted' } : {};
}

function arrows(
  froms: readonly KycState[],
  on: string,
  tos: readonly KycState[],
  rest: Pick<Move, 'by' | 'why'> & Partial<Pick<Move, 'cites'>>,
): Move[] {
  return froms.flatMap((from) =>
    tos.map((to) => {
      return { from, on, to, ...released(from, to), emits: EMITS, cites: 'G-51', ...rest };
    }),
  );
}

const setterMoves: readonly Move[] = KYC_STATES.flatMap((from) =>
  SETTABLE_STATES.map((to) => ({
    from,
    on: 'set',
    to,
    by: 'caller' as const,
    // The setter may lift what is required, so every state of it releases what was restricted.
    ...released(from, 'ACCEPT'),
    emits: EMITS,
    why: 'Staging sets any account to a state, so that an integration can be tested.',
    cites: 'seed: KYC state',
    stagingOnly: true as const,
  })),
);

const entityMoves: readonly Move[] = KYC_STATES.flatMap((from) =>
  ENTITY_GIVES.filter((to) => to !== from).map((to) => ({
    from,
    on: 'follow_entity',
    to,
    by: 'system' as const,
    ...released(from, to),
    emits: EMITS,
    why: 'A business is verified instead of the person: the state follows that of the business.',
    cites: 'G-55',
  })),
);

export const kycMachine: Machine = defineMachine({
  name: 'kyc',
  noun: 'identity state of an account',
  moves: [
    {
      from: null,
      on: 'register',
      to: 'NODATA',
      by: 'caller',
      emits: 'register-account-completed',
      why: 'An account starts without any information.',
      cites: 'G-50',
    },
    ...arrows(
      ['NODATA', 'NONE', 'DENY', 'CANCEL', 'SYSTEM-CANCELLED', 'REVERIFY'],
      'submit',
      ['PROCESSING'],
      { by: 'user', why: 'The person submitted the required data; it is being checked.' },
    ),
    ...arrows(['NODATA'], 'submit_tax_form', ['NONE'], {
      by: 'user',
      why: 'Tax information only; it is not checked.',
    }),
    ...TAX_UPDATABLE.map((state) => ({
      from: state,
      on: 'submit_tax_form',
      to: state,
      by: 'user' as const,
      emits: EMITS,
      why: 'The required tax update was submitted; the identity state does not change.',
      cites: 'G-38',
    })),
    ...arrows(['PROCESSING'], 'decide', ['ACCEPT', 'DENY', 'MANUAL_REVIEW'], {
      by: 'vendor',
      why: 'The check finished, or needs a manual review.',
    }),
    ...arrows(['PROCESSING'], 'cancel', ['SYSTEM-CANCELLED'], {
      by: 'system',
      why: 'The submission is incorrect or incomplete.',
    }),
    ...arrows(['MANUAL_REVIEW'], 'submit', ['PROCESSING'], {
      by: 'user',
      why: 'The person submitted what compliance requested.',
    }),
    ...arrows(['MANUAL_REVIEW'], 'review', ['ACCEPT', 'DENY', 'CANCEL'], {
      by: 'operator',
      why: 'Compliance decided.',
    }),
    ...arrows(['MANUAL_REVIEW'], 'ask', ['MANUAL_REVIEW'], {
      by: 'operator',
      why: 'Compliance requested more information; the person has 30 days to answer.',
    }),
    ...arrows(['MANUAL_REVIEW'], 'lapse', ['CANCEL'], {
      by: 'system',
      why: 'The person did not answer the request of compliance for 30 days.',
    }),
    ...arrows(['ACCEPT'], 'require_again', ['REVERIFY'], {
      by: 'operator',
      why: 'An operator or an import requires a new verification.',
    }),
    ...KYC_STATES.flatMap((state) =>
      arrows([state], 'erase', [state], {
        by: 'operator',
        why: 'The person was erased: the decisions stay, no data is left.',
        cites: 'G-50',
      }),
    ),
    ...entityMoves,
    ...setterMoves,
  ],
});

/** The check of an application at the vendor. [R5, R6] */
export const checkMachine: Machine = defineMachine({
  name: 'identity_check',
  noun: 'check of an application at the identity vendor',
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
      from: 'asking',
      on: 'taken',
      to: 'pending',
      by: 'vendor',
      why: 'The vendor accepted the check and decides later.',
      cites: 'G-52',
    },
    ...(['asking', 'pending'] as const).map((from) => ({
      from,
      on: 'answered',
      to: 'ended',
      by: 'vendor' as const,
      why: 'The vendor decided; what that means for the account is decided with it.',
      cites: 'G-51',
    })),
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

export const machines: readonly Machine[] = [kycMachine, checkMachine];
