// The console for the people who run an installation: the list of its routes and their
// registration.
import type { FastifyInstance } from 'fastify';
import type { Services } from '../product/context.ts';
import { httpRefusals } from '../http/refusals.ts';
import type { ClientAddressOf } from '../http/client-address.ts';
import { refuse } from '../core/refusal.ts';
import { actPages } from './acts.ts';
import { bankPages } from './bank.ts';
import { clientApprovals } from './clients.ts';
import { bookFilePages } from './books.ts';
import { bookPages } from './books.ts';
import { mount, prepare } from './mount.ts';
import { disputePages } from './disputes.ts';
import { escrowPages } from './escrows.ts';
import { developerPages } from './developers/index.ts';
import { webhookPages } from './webhooks.ts';
import { findPages } from './find.ts';
import { listPages } from './lists.ts';
import { moneyPages } from './money.ts';
import { objectPages } from './objects.ts';
import { openingPages } from './openings.ts';
import { stopPages } from './stops.ts';
import { overviewPages } from './overview.ts';
import { operatorPages } from './operators.ts';
import { reviewPages } from './review/index.ts';
import { NotThere, type ConsoleApp, type Route } from './routes.ts';
import { mountJoining } from './joining.ts';
import { mountSignIn, ownPages } from './sign-in.ts';
import { statementPages } from './statements.ts';
import { payoutFilePages } from './payout-files.ts';

/** Every route that requires a session. */
export function consoleRoutes(): readonly Route[] {
  const app: ConsoleApp = { routes: [] };
  overviewPages(app);
  findPages(app);
  listPages(app);
  objectPages(app);
  actPages(app);
  moneyPages(app);
  reviewPages(app);
  bankPages(app);
  bookPages(app);
  bookFilePages(app);
  statementPages(app);
  payoutFilePages(app);
  openingPages(app);
  stopPages(app);
  disputePages(app);
  escrowPages(app);
  webhookPages(app);
  developerPages(app);
  clientApprovals(app);
  operatorPages(app);
  ownPages(app);
  return app.routes;
}

/** Registers the console on its host. */
export function consolePages(
  app: FastifyInstance,
  services: Services,
  clientAddressOf: ClientAddressOf,
): void {
  const mounted = prepare(app, services);
  mountSignIn(app, mounted, clientAddressOf);
  mountJoining(app, mounted, clientAddressOf);
  for (const route of consoleRoutes()) mount(app, mounted, route);
  // People get a page; programs get the usual envelope. [G-72]
  app.get('/*', (request) => {
    if (request.headers.accept?.includes('text/html') === true) throw new NotThere();
    throw refuse(httpRefusals.NOT_FOUND);
  });
}
