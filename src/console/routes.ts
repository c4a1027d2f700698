// How the console's pages are declared: path, right and handler. A list, so that tests can try each
// path with each role.
import type { Services } from '../product/context.ts';
import type { Flash, OperatorSession, Right } from '../product/access/operator/index.ts';
import type { PageView, Tenant } from './frame.ts';

/** What a handler receives. Texts are unchecked, as sent. */
export interface PageRequest {
  readonly services: Services;
  readonly session: OperatorSession;
  /** The chosen tenant; null for none. */
  readonly tenant: Tenant | null;
  readonly tenants: readonly Tenant[];
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Fields of the form; none for a GET. */
  readonly form: Readonly<Record<string, string>>;
}

/** The answer: a page, a redirect after a change, JSON, or a file. */
export type PageAnswer =
  | (PageView & { readonly status?: number; readonly frames?: true })
  | { readonly redirect: string; readonly flash?: Flash; readonly signedOut?: true }
  | { readonly json: unknown }
  /** A document of others, for a frame of a page that has `frames`. */
  | { readonly framed: string }
  /** A file that is made while it is sent. */
  | { readonly stream: AsyncIterable<string>; readonly type: string; readonly name: string }
  /** `name`: of the file that the browser saves. */
  | { readonly bytes: Buffer; readonly type: string; readonly name?: string };

/** Back to a page, which shows the message once. */
export function backTo(redirect: string, text: string, kind: Flash['kind'] = 'good') {
  return { redirect, flash: { kind, text } };
}

/** Makes the answer. A thrown `Refusal` becomes a page that gives its reason. */
export type PageHandler = (request: PageRequest) => Promise<PageAnswer>;

/** One route of the console. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** With `:names`, in fastify's syntax. */
  readonly path: string;
  readonly right: Right;
  readonly handler: PageHandler;
  /** True: open before the operator has chosen a password. */
  readonly early: boolean;
  /** True: its form may have a file. */
  readonly upload: boolean;
}

/** Collects routes. */
export interface ConsoleApp {
  readonly routes: Route[];
}

/** Thrown for a record that does not exist or belongs to a tenant that the session may not see. */
export class NotThere extends Error {}

/** What was looked for. Throws `NotThere` where it is null. */
export function there<T>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw new NotThere();
  return found;
}

/** The chosen tenant; without one there is nothing to be seen. */
export function tenantOf({ tenant }: Pick<PageRequest, 'tenant'>): Tenant {
  return there(tenant);
}

/** The workspace of the chosen tenant. */
export function workspaceOf(request: Pick<PageRequest, 'tenant'>): number {
  return tenantOf(request).workspace;
}

interface RouteOptions {
  readonly early?: boolean;
  readonly upload?: boolean;
}

/** Declares a page. It must change nothing. */
export function get(
  app: ConsoleApp,
  path: string,
  right: Right,
  handler: PageHandler,
  { early = false }: RouteOptions = {},
): void {
  app.routes.push({ method: 'GET', path, right, handler, early, upload: false });
}

/** Declares a form's target. Origin, token and right are checked before the handler runs. */
export function post(
  app: ConsoleApp,
  path: string,
  right: Right,
  handler: PageHandler,
  { early = false, upload = false }: RouteOptions = {},
): void {
  app.routes.push({ method: 'POST', path, right, handler, early, upload });
}
