// The declaration of one API operation. From it come the route, token and scope checks, validation
// in and out, the OpenAPI document, the docs and the authorization tests.
import type { z } from 'zod';
import type { RefusalSpec } from './refusal.ts';
import { strictObject } from './schema.ts';

/**
 * Hosts in the order of the ready line, which is also the order of their default ports. [G-02,
 * G-03]
 */
export const HOST_NAMES = [
  'pii',
  'invoicing',
  'payments',
  'auth',
  'widget',
  'hosted',
  'console',
  'accounts',
  'wallets',
  'shop',
  'processor',
  'internal',
] as const;
export type HostName = (typeof HOST_NAMES)[number];
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The kind of token a caller holds. [G-12] */
export type CallerKind = 'client' | 'user' | 'session';

/** A tenant's limits per process; 0 for none. [G-06] */
export interface TenantLimits {
  /** Concurrent requests. */
  readonly inFlight: number;
  /** Writing calls per second; twice as many in a burst. */
  readonly writes: number;
  /** Reading calls per second; twice as many in a burst. */
  readonly reads: number;
}

/** The caller, taken from the verified token only, never from a body or query. */
export interface Caller {
  /** Key of every row that the caller may see. */
  readonly workspace: number;
  /** The tenant's id on the wire. */
  readonly integrator: string;
  readonly clientId: string;
  readonly kind: CallerKind;
  /** Wire id of the account a user or session token acts for; null for a client. */
  readonly accountId: string | null;
  readonly scopes: ReadonlySet<string>;
  /** For a checkout link's session: the only authorized invoice it may act on. [G-12] */
  readonly authorizedInvoiceId?: string;
  /** For an operator at the console, who acts in place of a client: the operator's UUID. */
  readonly operatorId?: string;
  /** The tenant's own limits; absent: the process's. */
  readonly limits?: TenantLimits;
}

/**
 * What keeps a caller out: the writes of all or of its tenant are stopped, or its tenant is being
 * moved to another installation, or is there.
 */
export type Shut = 'all' | 'tenant' | 'moving' | 'moved';

/**
 * Who may call: for each kind of token, the exact scope it needs. A kind that is absent is refused
 * with 403; `public` needs no token.
 */
export type Access =
  | 'public'
  | {
      readonly client?: string;
      /** Null: any user token, whatever its scopes. */
      readonly user?: string | null;
      readonly session?: string | null;
      /** 401 for the three identity operations that list their statuses; else 403. [G-11] */
      readonly missingScope?: 401;
    };

/** What `run` receives once the request is read, authenticated and validated. */
export interface OperationRequest<P, Q, B> {
  /** Null only for public operations. */
  readonly caller: Caller;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Null without the header. [G-44] */
  readonly idempotency: IdempotencyClaim | null;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /**
   * Call when nothing of the body is held any more: a large body's slot is then free for the next
   * one while the answer is prepared.
   */
  readonly bodyDone?: () => void;
}

/** Identity of one idempotent request. [G-44] */
export interface IdempotencyClaim {
  /** At least 128 bits of SHA-256 over tenant workspace, client, user and key. */
  readonly scope: string;
  /** At least 128 bits of SHA-256 over method, path with ids, query and canonical JSON. */
  readonly fingerprint: string;
}

/** The answer: `payload` goes into the envelope, `bare` is sent as is; neither means no body. */
export interface Answer {
  readonly status: number;
  readonly payload?: unknown;
  readonly bare?: unknown;
  /** The media type of a `bare` text that is not JSON. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation. `S` is the type of the services that `run` uses. */
export interface Operation<
  S,
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
> {
  /** Unique, camelCase; the operationId and the SDK's method name. */
  readonly id: string;
  readonly host: HostName;
  readonly method: Method;
  /** With `{names}` in braces, as in the interface. */
  readonly path: string;
  readonly summary: string;
  readonly cites: string;
  readonly access: Access;
  readonly params: P;
  readonly query: Q;
  /** Null: no body (none, empty, `null` or `{}` are accepted). [G-70] */
  readonly body: B | null;
  /**
   * Media type of the body; `form` accepts form and JSON (the OAuth endpoints). `bytes` accepts any
   * and reads none: the body is `rawBody`.
   */
  readonly accepts?: 'json' | 'form' | 'bytes';
  /** Bytes; default 1 MB. [G-70] */
  readonly bodyLimit?: number;
  /**
   * Large body: parsed off the main thread, its long texts arrive as `OffloadedText`. [G-70] Its
   * schema reads them by `fileText` and has neither metadata nor ignored fields.
   */
  readonly heavy?: true;
  /** Success answers: status to payload schema (null: no body). */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Answers are sent without the envelope. */
  readonly bare?: true;
  /** Its own refusals, beyond those of the pipeline. */
  readonly refusals: readonly RefusalSpec[];
  /** High priority: keeps a slot when others are refused, so that begun work finishes. [G-06] */
  readonly highPriority?: true;
  /** Not registered in production. [G-04] */
  readonly stagingOnly?: true;
  /** A second path of an operation that is documented under its first. */
  readonly mirror?: true;
  run(
    services: S,
    request: OperationRequest<z.output<P>, z.output<Q>, z.output<B>>,
  ): Promise<Answer>;
}

const NONE = strictObject({});

/** What a module says of an operation. Absent: no parameters, no body, no refusals of its own. */
export interface OperationSpec<
  S,
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
> extends Omit<
  Operation<S, P, Q, B>,
  'method' | 'host' | 'path' | 'params' | 'query' | 'body' | 'refusals'
> {
  /** Method, host and path, with `{names}` in braces, as in the interface. */
  readonly route: `${Method} ${HostName} /${string}`;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly refusals?: readonly RefusalSpec[];
}

/** Declares an operation; its types are inferred from its schemas. */
export function defineOperation<
  S,
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
>({ route, ...spec }: OperationSpec<S, P, Q, B>): Operation<S> {
  const [method, host, path] = route.split(' ');
  const none = { params: NONE, query: NONE, body: null, refusals: [] };
  return { ...none, ...spec, method, host, path } as unknown as Operation<S>;
}
