// Every route of the shop, as rows.
import type { Visit } from './http.ts';
import * as plans from './plans.ts';
import * as shows from './shows.ts';
import * as steps from './steps.ts';
import type { Handler } from './turn.ts';

/** A method, a path in which `:id` stands for a name, and its handler. */
const ROUTES: readonly (readonly [string, string, Handler])[] = [
  ['GET', '/', shows.showMarket],
  ['GET', '/product/:id', shows.showProduct],
  ['GET', '/orders', shows.showOrders],
  ['POST', '/orders', steps.startOrder],
  ['GET', '/order/:id', shows.showOrder],
  ['GET', '/order/:id/back', steps.comeBack],
  ['POST', '/order/:id/open', steps.openAgain],
  ['POST', '/order/:id/result', steps.hearOrder],
  ['GET', '/order/:id/receipt', steps.openReceipt],
  ['POST', '/order/:id/shipped', steps.ship],
  ['POST', '/order/:id/cancel', steps.cancel],
  ['POST', '/order/:id/money', plans.openMoney],
  ['POST', '/order/:id/settle', plans.settle],
  ['POST', '/order/:id/week', plans.passWeek],
  ['GET', '/mail', shows.showMail],
  ['GET', '/account', shows.showAccount],
  ['POST', '/flow', steps.openFlow],
  ['GET', '/flow/:id', shows.showFlow],
  ['POST', '/flow/:id/result', steps.hearFlow],
  ['POST', '/payout', steps.bankSaysYes],
  ['POST', '/identity', steps.decideIdentity],
  ['GET', '/visitor', shows.showVisitor],
  ['POST', '/visitor', steps.registerVisitor],
  ['POST', '/who', steps.changeWho],
  ['POST', '/language', steps.changeLanguage],
];
const PATTERNS = ROUTES.map(([method, path, handler]) => ({
  method,
  path: new RegExp(`^${path.replace(':id', '([a-z0-9-]{1,40})')}$`),
  handler,
}));

/** The handler of a request; null if there is none. */
export function routeOf({ method, path }: Visit): { handler: Handler; id: string } | null {
  const wanted = method === 'HEAD' ? 'GET' : method;
  for (const one of PATTERNS) {
    const found = one.method === wanted ? one.path.exec(path) : null;
    if (found !== null) return { handler: one.handler, id: found[1] ?? '' };
  }
  return null;
}
