// How a payment must end after each processor failure: the twenty of the campaign, scripted by name
// over HTTP, and combinations of them. Table only.
import { SCENARIOS, type ScenarioStep } from '../../src/sandbox/simulators/processor/scenarios.ts';

/** A bad day, and how a payment by card ends after it. */
export interface Ending {
  readonly name: string;
  /** What is paid with; a plain card unless named. */
  readonly card?: string;
  /** `parked`: waits in manual review, where an operator gives everything back. */
  readonly ends: 'success' | 'failed' | 'parked';
  /** The failure code; of `parked` the final one. */
  readonly code?: string;
  /** What the processor moved in the end, without the amount of one whole capture. */
  readonly lines: readonly string[];
  /** Most calls to the processor under the key. */
  readonly calls?: number;
  /** Exactly so many authorisations are sent. */
  readonly sent?: number;
  /** Milliseconds after the payment in which something still lands. */
  readonly lateMs?: number;
  /** An escrow is paid so, too. */
  readonly escrow?: true;
  /** Scripted by hand, beyond the twenty. */
  readonly steps?: readonly ScenarioStep[];
}

const once = { ends: 'success', lines: ['capture'] } as const;
const both = { escrow: true } as const;
const LATE_MS = 16_000;

const TWENTY: readonly Ending[] = [
  { name: 'all_well', ...once, ...both, calls: 2 },
  { name: 'declined', ends: 'failed', code: 'card_declined', lines: [], ...both, calls: 1 },
  { name: 'lost_before_effect', ...once, ...both, sent: 2 },
  { name: 'lost_after_capture', ...once, ...both, sent: 1 },
  { name: 'declined_late', ends: 'failed', code: 'generic_error', lines: [] },
  { name: 'silent_look_ups', ...once },
  { name: 'lands_late', ...once, sent: 2, lateMs: LATE_MS },
  { name: 'fault_before_effect', ...once, ...both, sent: 2 },
  { name: 'fault_after_capture', ...once, ...both, sent: 1 },
  { name: 'too_busy', ...once, ...both, calls: 30 },
  { name: 'notice_first', ...once },
  { name: 'notices_in_disorder', ...once, lateMs: 6_000 },
  { name: 'statement_only', ...once },
  {
    name: 'declined_but_captured',
    ends: 'parked',
    code: 'card_declined',
    lines: ['capture', 'refund'],
    ...both,
  },
  {
    name: 'one_cent_less',
    ends: 'parked',
    code: 'amount_mismatch',
    lines: ['capture less', 'refund less'],
    ...both,
  },
  {
    name: 'other_currency',
    ends: 'parked',
    code: 'amount_mismatch',
    lines: ['capture EUR', 'refund EUR'],
    ...both,
  },
  { name: 'captured_twice', ends: 'success', lines: ['capture', 'capture', 'refund'], ...both },
  { name: 'settles_late', ...once },
  { name: 'returned_late', card: 'bank_settled', ends: 'success', lines: ['capture', 'return'] },
  { name: 'key_forgotten', ...once, sent: 1 },
];

const BEYOND: readonly (readonly ScenarioStep[])[] = [
  [{ operation: 'authorize', exchange: 'fault_after_effect' }],
  [{ operation: 'authorize', exchange: 'garbled_after_effect' }],
  [{ operation: 'capture', exchange: 'fault_before_effect' }],
  [{ operation: 'capture', exchange: 'garbled_after_effect' }],
  [{ operation: 'capture', exchange: 'busy', times: 2 }],
  [
    { operation: 'authorize', exchange: 'timeout_after_effect' },
    { operation: 'look', exchange: 'timeout_after_effect' },
  ],
  [
    { operation: 'capture', exchange: 'timeout_after_effect' },
    { operation: 'look', exchange: 'garbled_after_effect' },
    { operation: 'look', exchange: 'busy' },
  ],
  // The first call lands long after a later one under the same key has done everything.
  [{ operation: 'capture', exchange: 'late_effect' }],
];

/** What is played in a short run in place of what lasts for minutes: each step twice at most. */
const LONG = ['too_busy', 'silent_look_ups', 'statement_only'];
const SHORT_TIMES = 2;

/** All endings; `full` plays the long ones at their length. */
export function endings(full: boolean): readonly Ending[] {
  const twenty = TWENTY.map((ending): Ending => {
    const scenario = SCENARIOS.find(({ name }) => name === ending.name);
    if (scenario === undefined) throw new Error(`there is no scenario ${ending.name}`);
    if (full || !LONG.includes(ending.name)) return ending;
    const steps = scenario.steps.map((step) => {
      return { ...step, times: Math.min(step.times ?? 1, SHORT_TIMES) };
    });
    return { ...ending, steps };
  });
  const beyond = BEYOND.map((steps): Ending => {
    const name = steps.map((step) => `${step.operation} ${step.exchange}`).join(', then ');
    const late = steps.some(({ exchange }) => exchange === 'late_effect');
    return { name, ...once, steps, ...(late && { lateMs: LATE_MS }) };
  });
  return [...twenty, ...beyond];
}
