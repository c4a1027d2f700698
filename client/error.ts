// What a call throws when it is not answered as asked: one class, with the codes that programs
// compare. Refuses to know how calls are made.
import { RETRYABLE, type Operations, type Refusals } from './generated.ts';

/** Codes of the client itself, for calls that got no answer that it could read. */
export type LocalCode =
  | 'NETWORK_FAILED'
  | 'TIMED_OUT'
  | 'ANSWER_NOT_UNDERSTOOD'
  | 'URL_UNKNOWN'
  | 'INPUT_MISSING'
  | 'TOKEN_MISSING';

/** What a failure says. [G-72] */
export interface FailureDetails<Code extends string> {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly codes: readonly Code[];
  readonly message: string;
  /** Sentences by the path of the field at fault, such as `line_items[0].amount`. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Finds a fault in the logs of the platform. */
  readonly reference?: string;
  /** Name of the operation that was called; empty outside of one. */
  readonly operation?: string;
  readonly cause?: unknown;
}

const RETRYABLE_CODES: ReadonlySet<string> = new Set([
  ...RETRYABLE,
  'NETWORK_FAILED',
  'TIMED_OUT',
]);
const RETRYABLE_STATUSES = [429, 502, 503, 504];

/** A call that failed. Nothing of the request and no token is in it. */
export class HoldfastError<Code extends string = string> extends Error {
  override readonly name = 'HoldfastError';
  readonly status: number;
  readonly codes: readonly Code[];
  readonly errors: Readonly<Record<string, string>>;
  readonly reference: string | null;
  readonly operation: string;
  /** True when the same call may succeed later without a change. */
  readonly retryable: boolean;

  constructor(details: FailureDetails<Code>) {
    super(details.message, details.cause === undefined ? {} : { cause: details.cause });
    this.status = details.status;
    this.codes = details.codes;
    this.errors = details.errors ?? {};
    this.reference = details.reference ?? null;
    this.operation = details.operation ?? '';
    this.retryable =
      RETRYABLE_STATUSES.includes(details.status) ||
      details.codes.some((code) => RETRYABLE_CODES.has(code));
  }

  /** True when the failure carries this code. */
  has(code: Code): boolean {
    return this.codes.includes(code);
  }
}

/**
 * True for a failure of this operation: its codes are then known to the compiler.
 * `if (isRefusal(error, 'createInvoice') && error.has('WALLET_NOT_FOUND')) ...`
 */
export function isRefusal<Name extends keyof Operations & keyof Refusals>(
  error: unknown,
  operation: Name,
): error is HoldfastError<Refusals[Name] | LocalCode> {
  return error instanceof HoldfastError && error.operation === operation;
}
