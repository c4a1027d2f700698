// The actions of orders that are paid by a plan: their money is looked at, a disagreement is
// decided, a week passes.
import { formOf, goTo } from './http.ts';
import { tokenIn } from './steps.ts';
import { orderOf, type Handler } from './turn.ts';

/** Opens the page of an order's escrow, for its buyer or seller. */
export const openMoney: Handler = async (turn) => {
  const { order, escrow } = await orderOf(turn);
  const token = tokenIn(formOf(turn.visit));
  const { account_id } = turn.me;
  await turn.desk.flows.openEscrow(account_id, escrow, token, order.buyer === account_id);
  return goTo(`/flow/${token}`);
};

/** The shop decides a disagreement; whoever is in the demo plays its staff. */
export const settle: Handler = async (turn) => {
  const standing = await orderOf(turn);
  const form = formOf(turn.visit);
  const wish = { name: form.get('name') ?? '', token: tokenIn(form) };
  await turn.desk.orders.settle(standing, wish);
  return goTo(`/order/${standing.order.id}?said=settled`);
};

/** A week passes in the sandbox. */
export const passWeek: Handler = async (turn) => {
  const { order } = await orderOf(turn);
  await turn.desk.orders.passWeek(tokenIn(formOf(turn.visit)));
  return goTo(`/order/${order.id}?said=settled`);
};
