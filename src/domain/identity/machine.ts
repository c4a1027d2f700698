// The lifecycle of an account's identity state. [seed: KYC state, G-51]
import { defineMachine, type Machine, type Move } from '../../kernel/machine.ts';

/** Every value of `state`. [seed: KYC state] */
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

/** States that the staging setter can give. [seed: Identity host] */
export const SETTABLE_STATES = ['ACCEPT', 'MANUAL_REVIEW', 'DENY', 'CANCEL', 'NODATA'] as const;

const EMITS = 'kyc-webhook';

function arrows(
  froms: readonly KycState[],
  on: string,
  tos: readonly KycState[],
  rest: Pick<Move, 'by' | 'why'>,
): Move[] {
  return froms.flatMap((from) =>
    tos.map((to) => ({ from, on, to, ...rest, emits: EMITS, cites: 'G-51' })),
  );
}

const setterMoves: readonly Move[] = KYC_STATES.flatMap((from) =>
  SETTABLE_STATES.map((to) => ({
    from,
    on: 'set',
    to,
    by: 'caller' as const,
    emits: EMITS,
    why: 'Staging sets any account to a state, so that an integration can be tested.',
    cites: 'seed: KYC state',
    stagingOnly: true as const,
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
      why: 'An account starts without any information.',
      cites: 'G-50',
    },
    ...arrows(
      ['NODATA', 'NONE', 'DENY', 'CANCEL', 'SYSTEM-CANCELLED', 'REVERIFY'],
      'submit',
      ['PROCESSING'],
      { by: 'user', why: 'The person sends what is asked for; it is being checked.' },
    ),
    ...arrows(['NODATA'], 'submit_tax_form', ['NONE'], {
      by: 'user',
      why: 'Information for tax purposes only; nobody checks it.',
    }),
    ...arrows(['PROCESSING'], 'decide', ['ACCEPT', 'DENY', 'MANUAL_REVIEW'], {
      by: 'vendor',
      why: 'The check ended, or needs a person.',
    }),
    ...arrows(['PROCESSING'], 'cancel', ['SYSTEM-CANCELLED'], {
      by: 'system',
      why: 'What was sent is incorrect or incomplete.',
    }),
    ...arrows(['MANUAL_REVIEW'], 'submit', ['PROCESSING'], {
      by: 'user',
      why: 'The person sends what compliance asked for.',
    }),
    ...arrows(['MANUAL_REVIEW'], 'review', ['ACCEPT', 'DENY'], {
      by: 'operator',
      why: 'Compliance decided.',
    }),
    ...arrows(['MANUAL_REVIEW'], 'lapse', ['CANCEL'], {
      by: 'system',
      why: 'Compliance asked for more and heard nothing for 30 days.',
    }),
    ...arrows(['ACCEPT'], 'require_again', ['REVERIFY'], {
      by: 'operator',
      why: 'An operator asks for a new verification, or an import brought one.',
    }),
    ...setterMoves,
  ],
});

export const machines: readonly Machine[] = [kycMachine];
