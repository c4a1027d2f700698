// The one error class of failed calls, with the codes that programs compare.
import { RETRYABLE, type Operations, type Refusals } from './generated.ts';

/** The client's own codes, for calls without a readable answer. */
export type LocalCode =
  | 'NETWORK_FAILED'
  | 'TIMED_OUT'
  | 'ANSWER_NOT_UNDERSTOOD'
  | 'URL_UNKNOWN'
  | 'INPUT_MISSING'
  | 'TOKEN_MISSING';

/** Contents of a failure. [G-72] */
export interface FailureDetails<Code extends string> {
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly codes: readonly Code[];
  readonly message: string;
  /** Sentences by field path, such as `line_items[0].amount`. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Identifies a fault in the platform's logs. */
  readonly reference?: string;
  /** Name of the operation called; empty outside of one. */
  readonly operation?: string;
  readonly cause?: unknown;
}

const RETRYABLE_CODES: ReadonlySet<string> = new Set([
  ...RETRYABLE,
  'NETWORK_FAILED',
  'TIMED_OUT',
]);
const RETRYABLE_STATUSES = [429, 502, 503, 504];

/** A failed call. Holds nothing of the request and no token. */
export class HoldfastError<Code extends string = string> extends Error {
  override readonly name = 'HoldfastError';
  readonly status: number;
  readonly codes: readonly Code[];
  readonly errors: Readonly<Record<string, string>>;
  readonly reference: string | null;
  readonly operation: string;
  /** True if the same call may succeed later unchanged. */
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

  /** True for errors of every copy of this client, such as that inside `holdfast/testing`. */
  static override [Symbol.hasInstance](value: unknown): value is HoldfastError {
    return value instanceof Error && value.name === 'HoldfastError';
  }

  /** True if the failure has this code. */
  has(code: Code): boolean {
    return this.codes.includes(code);
  }
}

/**
 * True for a failure of this operation, which narrows its codes:
 * `if (isRefusal(error, 'createInvoice') && error.has('WALLET_NOT_FOUND')) ...`
 */
export function isRefusal<Name extends keyof Operations & keyof Refusals>(
  error: unknown,
  operation: Name,
): error is HoldfastError<Refusals[Name] | LocalCode> {
  return error instanceof HoldfastError && error.operation === operation;
}
