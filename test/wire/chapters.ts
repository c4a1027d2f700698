// Every chapter of the walk through the interface, in its order.
import * as accounts from './chapters/accounts.ts';
import * as books from './chapters/books.ts';
import * as identity from './chapters/identity.ts';
import * as listed from './chapters/lists.ts';
import * as back from './chapters/money-back.ts';
import * as outside from './chapters/outside.ts';
import * as sales from './chapters/sales.ts';
import * as sandbox from './chapters/sandbox.ts';
import * as tokens from './chapters/tokens.ts';
import * as wallets from './chapters/wallets.ts';
import * as webhooks from './chapters/webhooks.ts';
import type { Walk } from './walk.ts';

export const CHAPTERS: readonly ((walk: Walk) => Promise<void>)[] = [
  tokens.tokens,
  tokens.links,
  accounts.accounts,
  accounts.terms,
  sales.invoices,
  sales.authorized,
  sales.escrows,
  back.refunds,
  back.disputes,
  back.payouts,
  back.reconciliation,
  wallets.wallets,
  wallets.methods,
  identity.kyc,
  identity.business,
  webhooks.webhooks,
  webhooks.events,
  webhooks.settings,
  sandbox.sandbox,
  sandbox.receivers,
  sandbox.workspaces,
  outside.processor,
  outside.vendor,
  outside.health,
  wallets.bank,
  back.bankPayouts,
  back.payees,
  back.evidence,
  books.books,
  listed.lists,
  sales.taxes,
];
