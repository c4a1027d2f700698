// How the console's pages are declared: an address, the role that opens it, and what it shows. A
// list, so that tests can try each address with each role. Refuses to know the frame and the wire.
import type { Services } from '../domain/context.ts';
import type { Flash, OperatorSession, Role } from '../domain/operator/index.ts';
import type { PageView, Tenant } from './frame.ts';

/** What a page is asked with. Texts are as they came: nothing about them was checked. */
export interface PageRequest {
  readonly services: Services;
  readonly session: OperatorSession;
  /** The tenant that is looked at; null where there is none. */
  readonly tenant: Tenant | null;
  readonly tenants: readonly Tenant[];
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Fields of the form; none for a GET. */
  readonly form: Readonly<Record<string, string>>;
}

/** What is answered: a page, another address after a change, JSON, or a file. */
export type PageAnswer =
  | (PageView & { readonly status?: number })
  | { readonly redirect: string; readonly flash?: Flash; readonly signedOut?: true }
  | { readonly json: unknown }
  | { readonly bytes: Buffer; readonly type: string };

/** Makes the answer. A thrown `Refusal` becomes a page that says why. */
export type PageHandler = (request: PageRequest) => Promise<PageAnswer>;

/** One address of the console. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** With `:names`, as fastify reads them. */
  readonly path: string;
  readonly role: Role;
  readonly handler: PageHandler;
  /** True: open before a password of one's own was chosen. */
  readonly early: boolean;
}

/** Where routes are gathered. */
export interface ConsoleApp {
  readonly routes: Route[];
}

/** Thrown for a record that is not there, or not of a tenant that the session may see. */
export class NotThere extends Error {}

interface RouteOptions {
  readonly early?: boolean;
}

/** Declares a page. It changes nothing. */
export function get(
  app: ConsoleApp,
  path: string,
  role: Role,
  handler: PageHandler,
  { early = false }: RouteOptions = {},
): void {
  app.routes.push({ method: 'GET', path, role, handler, early });
}

/** Declares where a form goes. Origin, token and role were checked when the handler is called. */
export function post(
  app: ConsoleApp,
  path: string,
  role: Role,
  handler: PageHandler,
  { early = false }: RouteOptions = {},
): void {
  app.routes.push({ method: 'POST', path, role, handler, early });
}
