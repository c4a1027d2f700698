// One operation is one value: from it come the route, the check of token and scope, the validation
// in and out, the OpenAPI document, the docs row and the authorization tests. Pure; `run` is a
// function of services that the composition root supplies.
import type { z } from 'zod';
import type { RefusalSpec } from './refusal.ts';

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

/** What kind of token a caller holds. [G-12] */
export type CallerKind = 'client' | 'user' | 'session';

/** What a tenant may ask of one process; 0 for no limit. [G-06] */
export interface TenantLimits {
  /** Requests at once. */
  readonly inFlight: number;
  /** Calls a second that may change something; for a moment twice as many. */
  readonly writes: number;
  /** Calls a second that only read; for a moment twice as many. */
  readonly reads: number;
}

/** Who is calling: comes from the verified token only, never from a body or a query. */
export interface Caller {
  /** Key of every row that the caller may see. */
  readonly world: number;
  /** The tenant's id on the wire. */
  readonly integrator: string;
  readonly clientId: string;
  readonly kind: CallerKind;
  /** Wire id of the account a user or session token speaks for; null for a client. */
  readonly accountId: string | null;
  readonly scopes: ReadonlySet<string>;
  /** Of a session that a checkout link opened: the only authorized invoice it may act on. [G-12] */
  readonly authorizedInvoiceId?: string;
  /** The tenant's own limits; absent: those of the process. */
  readonly limits?: TenantLimits;
}

/**
 * Which tokens open an operation: for each kind of caller that may, the scope it must hold (exact).
 * A kind that is absent is refused with 403; `public` needs no token.
 */
export type Access =
  | 'public'
  | {
      readonly client?: string;
      /** Null: any token of a person, whatever it may do. */
      readonly user?: string | null;
      readonly session?: string | null;
      /** 401 for the three identity operations that list their statuses; else 403. [G-11] */
      readonly missingScope?: 401;
    };

/** What an operation's run receives after the pipeline has read, authenticated and validated. */
export interface OperationRequest<P, Q, B> {
  /** Null only for public operations. */
  readonly caller: Caller;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Idempotency claim, or null when the header is absent. [G-44] */
  readonly idempotency: IdempotencyClaim | null;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /**
   * Says that nothing of the body is held any more: a heavy body's place is free for the next,
   * though the answer takes its time.
   */
  readonly bodyDone?: () => void;
}

/** Identity of one idempotent request. [G-44] */
export interface IdempotencyClaim {
  /** 128 bits or more of SHA-256 over tenant world, client, user and key. */
  readonly scope: string;
  /** 128 bits or more of SHA-256 over method, path with ids, query and canonical JSON. */
  readonly fingerprint: string;
}

/**
 * An operation's answer. `payload` is put into the envelope; `bare` is sent as it is; neither: no
 * body.
 */
export interface Answer {
  readonly status: number;
  readonly payload?: unknown;
  readonly bare?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One endpoint. `S` is the services type that the domain runs on. */
export interface Operation<
  S,
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
> {
  /** Unique, camelCase; becomes operationId and the SDK's method name. */
  readonly id: string;
  readonly host: HostName;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{names}` in braces, as in the interface. */
  readonly path: string;
  readonly summary: string;
  readonly cites: string;
  readonly access: Access;
  readonly params: P;
  readonly query: Q;
  /** Null: the operation takes no body (none, empty, `null` or `{}` are accepted). [G-70] */
  readonly body: B | null;
  /** Media type of the body; `form` accepts a form and JSON alike (the OAuth endpoints). */
  readonly accepts?: 'json' | 'form';
  /** Bytes; default 1 MB. [G-70] */
  readonly bodyLimit?: number;
  /**
   * True: the body is read away from the main loop, and its long texts come as `LiftedText`. [G-70]
   * Its schema takes such texts by `fileText`, and has neither metadata nor ignored fields.
   */
  readonly heavy?: true;
  /** Success answers: status to payload schema (null: no body). */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** True when answers are sent without the envelope. */
  readonly bare?: true;
  /** Refusals of its own, beyond those of the pipeline. */
  readonly refusals: readonly RefusalSpec[];
  /** True: keeps a place when others are refused, so that what was begun is finished. [G-06] */
  readonly critical?: true;
  /** Not registered in production. [G-04] */
  readonly stagingOnly?: true;
  /** A second address of an operation that is described at its first. */
  readonly mirror?: true;
  run(
    services: S,
    request: OperationRequest<z.output<P>, z.output<Q>, z.output<B>>,
  ): Promise<Answer>;
}
