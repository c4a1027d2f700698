// Sellers' accounts at Stripe: Express accounts, which Stripe verifies on its own pages and pays
// out by itself to the bank account that the seller gave there.
import type Stripe from 'stripe';
import { instantFromMillis } from '../../core/time.ts';
import type { PayeeOutcome, Payees } from '../payees/port.ts';
import { isTrouble, underKey, unknownOf, type StripeLink, type Trouble } from './connection.ts';
import { isFresh, KEY, madeAfter } from './intents.ts';

/** Accounts that are looked through. */
const LOOKED_AT = 1_000;

export function payeesOf(link: StripeLink): Payees {
  const { stripe, tried, workspace } = link;
  return {
    async open({ key, country }) {
      const request: Stripe.AccountCreateParams = {
        type: 'express',
        capabilities: { transfers: { requested: true } },
        ...(country !== '' && { country }),
        metadata: { [KEY]: key, holdfast_workspace: String(workspace) },
      };
      const known = isFresh(key) ? null : await findAccount(link, key);
      const made =
        known ??
        (await underKey<Stripe.Account>(
          key,
          (idempotencyKey) => tried(() => stripe.accounts.create(request, { idempotencyKey })),
          () => findAccount(link, key),
        ));
      if (!isTrouble(made)) return outcomeOf(made);
      return made.trouble === 'no' ? { state: 'refused' } : unknownOf(made);
    },
    async retrieve(_workspace, reference) {
      const seen: Stripe.Account | Trouble = await tried(() =>
        stripe.accounts.retrieve(reference),
      );
      if (!isTrouble(seen)) return outcomeOf(seen);
      return seen.trouble === 'missing' ? { state: 'closed' } : unknownOf(seen);
    },
    async page(_workspace, account, { returnUrl, refreshUrl }) {
      const made = await tried(() =>
        stripe.accountLinks.create({
          ...{ account, type: 'account_onboarding' },
          ...{ return_url: returnUrl, refresh_url: refreshUrl },
        }),
      );
      if (isTrouble(made)) return null;
      return { url: made.url, expires: instantFromMillis(made.expires_at * 1_000) };
    },
  };
}

/** The account of a key; null for none. */
async function findAccount(
  { stripe, tried }: StripeLink,
  key: string,
): Promise<Stripe.Account | Trouble | null> {
  const created = { gte: madeAfter(key) };
  const list = await tried(() =>
    stripe.accounts.list({ created, limit: 100 }).autoPagingToArray({ limit: LOOKED_AT }),
  );
  if (isTrouble(list)) return list;
  return list.find(({ metadata }) => metadata?.[KEY] === key) ?? null;
}

function outcomeOf(account: Stripe.Account): PayeeOutcome {
  const { id: reference, payouts_enabled, capabilities, requirements, deleted } = account;
  if (deleted !== undefined) return { state: 'closed' };
  const due = requirements?.currently_due ?? [];
  const barred = (requirements?.disabled_reason ?? null) !== null;
  const takes = payouts_enabled && capabilities?.transfers === 'active';
  return { state: 'open', reference, payable: takes && !barred && due.length === 0, due };
}
