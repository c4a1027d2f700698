// Calls the platform's operations from our own pages: same origin, the session's token, the
// envelope removed.
import { t } from './texts.ts';

/** A refusal of the platform, or a request without an answer (status 0, code UNREACHABLE). */
export class ApiError extends Error {
  readonly status: number;
  readonly codes: readonly string[];
  /** Sentences by field, for forms. */
  readonly errors: Readonly<Record<string, string>>;

  constructor(status: number, codes: readonly string[], message: string, errors = {}) {
    super(message);
    this.status = status;
    this.codes = codes;
    this.errors = errors;
  }

  /** True if the platform refused for this reason. */
  is(code: string): boolean {
    return this.codes.includes(code);
  }
}

/** Operations by path, such as `/invoicing/v2/invoice`. All throw ApiError. */
export interface Api {
  get<T>(path: string): Promise<T>;
  /** Sends an idempotency key; a caller may fix it, so that a retry cannot act twice. [G-44] */
  post<T>(path: string, body: unknown, options?: { readonly key?: string }): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  delete<T>(path: string): Promise<T>;
}

interface Envelope {
  readonly codes?: readonly string[];
  readonly message?: readonly string[];
  readonly payload?: { readonly errors?: Readonly<Record<string, string>> };
}

const TIMEOUT_MS = 60_000;

/**
 * An API that asks for its token each time; '' sends none. A request refused because new terms came
 * into force is sent once more, under its key, if `agreeAgain` reports agreement.
 */
export function sessionApi(token: () => string, agreeAgain: () => Promise<boolean>): Api {
  async function call<T>(...request: Parameters<typeof once>): Promise<T> {
    try {
      return await once<T>(...request);
    } catch (error) {
      const stale = error instanceof ApiError && error.is('TERMS_NOT_SIGNED');
      if (stale && (await agreeAgain())) return once<T>(...request);
      throw error;
    }
  }
  async function once<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (token() !== '') headers['Authorization'] = `Bearer ${token()}`;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (key !== undefined) headers['Idempotency-Key'] = key;
    const text = body === undefined ? null : JSON.stringify(body);
    return payloadOf<T>(await send(`/ui/api${path}`, { method, headers, body: text }));
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body, options) =>
      call('POST', path, body, options?.key ?? crypto.randomUUID()),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
    delete: (path) => call('DELETE', path),
  };
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), TIMEOUT_MS);
  try {
    return await fetch(path, { ...init, signal: stop.signal, referrerPolicy: 'no-referrer' });
  } catch {
    throw unreachable();
  } finally {
    clearTimeout(timer);
  }
}

/** The error of a request without an answer. */
export function unreachable(): ApiError {
  return new ApiError(0, ['UNREACHABLE'], t('page.unreachable'));
}

/** The payload of an answer; throws ApiError for a refusal. */
export async function payloadOf<T>(response: Response): Promise<T> {
  if (response.status === 204) return undefined as T;
  let envelope: Envelope;
  try {
    envelope = (await response.json()) as Envelope;
  } catch {
    throw new ApiError(response.status, ['UNREADABLE'], t('page.odd'));
  }
  if (response.ok) return envelope.payload as T;
  const { codes = [], message = [], payload } = envelope;
  throw new ApiError(response.status, codes, message[0] ?? t('page.odd'), payload?.errors);
}
