// One HTTP call with its retries: retries only what is safe to repeat, always under the same key,
// and ends in the given time.
import { HoldfastError, type LocalCode } from './error.ts';
import type { Signal } from './generated.ts';

/** The part of a response that is used. */
export interface FetchedAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** The part of `fetch` that is used; Node's, Deno's, Bun's, browsers' and React Native's fit. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    readonly signal: Signal;
  },
) => Promise<FetchedAnswer>;

/** One call. */
export interface Call {
  readonly operation: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True if repeating has no second effect: a GET, or a request with a key. */
  readonly repeatable: boolean;
  /** The answer has no envelope. */
  readonly bare: boolean;
  readonly signal?: Signal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Returns the next request's token; `refused` is one that the platform rejected. */
export type Authorize = (refused: string | null) => Promise<string>;

const REPETITIONS = 3;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;
/** A longer Retry-After than this is reported to the caller instead of waited for. */
const LONGEST_RETRY_AFTER_MS = 20_000;
const TIMEOUT_MS = 30_000;
const NO_ANSWER = 0;

/** Makes the call; returns the payload, undefined if there is none. Throws HoldfastError. */
export async function send(
  fetch: Fetch,
  call: Call,
  authorize: Authorize | null,
): Promise<unknown> {
  const { signal } = call;
  const controller = new AbortController();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    controller.abort();
  }, call.timeoutMs ?? TIMEOUT_MS);
  const abort = (): void => controller.abort();
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort);
  const end: End = {
    signal: controller.signal,
    // The caller's own abort is thrown as it is, ours as a failure.
    why: () =>
      late
        ? local(call, 'TIMED_OUT', 'The call timed out.', null)
        : ((signal?.reason as unknown) ?? new Error('The call was aborted.')),
  };
  try {
    return await repeat(fetch, call, authorize, end);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** When a call ends before its answer, and what it then throws. */
interface End {
  readonly signal: AbortSignal;
  readonly why: () => unknown;
}

async function repeat(
  fetch: Fetch,
  call: Call,
  authorize: Authorize | null,
  end: End,
): Promise<unknown> {
  let token = authorize === null ? null : await unlessEnded(authorize(null), end);
  let renewed = false;
  for (let tries = 0; ; tries += 1) {
    const outcome = await attempt(fetch, call, token, end);
    if (!(outcome instanceof Failed)) return outcome;
    const { error, retryAfterMs } = outcome;
    if (token !== null && authorize !== null && !renewed && isTokenRefused(error)) {
      renewed = true;
      token = await unlessEnded(authorize(token), end);
      continue;
    }
    const again = call.repeatable && isPassing(error) && tries < REPETITIONS;
    if (!again || retryAfterMs > LONGEST_RETRY_AFTER_MS) throw error;
    const jitter = Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
    await pause(Math.max(retryAfterMs, jitter), end);
  }
}

/** The token ended early, by a revocation or a new key. */
function isTokenRefused({ status, codes }: HoldfastError): boolean {
  return status === 401 && codes.includes('TOKEN_INVALID');
}

function isPassing({ status, codes }: HoldfastError): boolean {
  return codes.includes('NETWORK_FAILED') || status === 429 || status === 503;
}

/** A failure, and how long the platform asks to wait. */
class Failed {
  readonly error: HoldfastError;
  readonly retryAfterMs: number;

  constructor(error: HoldfastError, retryAfterMs = 0) {
    this.error = error;
    this.retryAfterMs = retryAfterMs;
  }
}

async function attempt(
  fetch: Fetch,
  call: Call,
  token: string | null,
  end: End,
): Promise<unknown> {
  const headers = { ...call.headers };
  if (token !== null) headers['authorization'] = `Bearer ${token}`;
  const { method, body } = call;
  let answer: FetchedAnswer;
  let text: string;
  try {
    const more = body === undefined ? {} : { body };
    answer = await fetch(call.url, { method, headers, signal: end.signal, ...more });
    text = await answer.text();
  } catch (cause) {
    if (end.signal.aborted) throw end.why();
    return new Failed(local(call, 'NETWORK_FAILED', 'The platform could not be reached.', cause));
  }
  return read(call, answer, text);
}

function read(call: Call, answer: FetchedAnswer, text: string): unknown {
  const { status } = answer;
  const said = parse(text);
  if (status >= 200 && status < 300) {
    if (text === '') return undefined;
    if (call.bare && said !== null) return said;
    if (said !== null && 'payload' in said) return said['payload'];
  }
  const retryAfter = Number(answer.headers.get('retry-after') ?? '0');
  const retryAfterMs = Number.isFinite(retryAfter) ? retryAfter * 1000 : 0;
  return new Failed(failureOf(call, status, said), retryAfterMs);
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function failureOf(
  call: Call,
  status: number,
  said: Record<string, unknown> | null,
): HoldfastError {
  const codes = said?.['codes'];
  if (said?.['status'] !== 'Failure' || !Array.isArray(codes)) {
    const message = `The response with status ${status} is not from the platform.`;
    const code: LocalCode = 'ANSWER_NOT_UNDERSTOOD';
    return new HoldfastError({ status, codes: [code], message, operation: call.operation });
  }
  const { message, payload } = said as { message?: string[]; payload?: Failure };
  return new HoldfastError({
    status,
    codes: codes as string[],
    message: `${codes.join(', ')}: ${(message ?? []).join(' ')}`,
    operation: call.operation,
    ...(payload?.errors === undefined ? {} : { errors: payload.errors }),
    ...(payload?.reference === undefined ? {} : { reference: payload.reference }),
  });
}

interface Failure {
  readonly errors?: Readonly<Record<string, string>>;
  readonly reference?: string;
}

function local(call: Call, code: LocalCode, message: string, cause: unknown): HoldfastError {
  const { operation } = call;
  return new HoldfastError({ status: NO_ANSWER, codes: [code], message, operation, cause });
}

/** The awaited value, unless the call ends before. */
async function unlessEnded<T>(waited: Promise<T>, { signal, why }: End): Promise<T> {
  if (signal.aborted) throw why();
  const ended = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null));
  });
  const first = await Promise.race([waited.then((value) => ({ value })), ended]);
  if (first === null) throw why();
  return first.value;
}

async function pause(ms: number, end: End): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await unlessEnded(passed, end).finally(() => clearTimeout(timer));
}
