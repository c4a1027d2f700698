// The books, and what programs read of lifecycles and codes.
import type { Walk } from '../walk.ts';
import { NOBODY } from './cast.ts';

export async function books(walk: Walk): Promise<void> {
  walk.chapter('30-books');
  // What is available at the processor is known from its statement.
  await walk.read();
  await walk.ok('listLifecycles');
  await walk.no('listLifecycles', { token: null });
  await walk.ok('listErrors');
  await walk.no('listErrors', { token: null });
  await walk.ok('getCoverageSettings');
  await walk.no('getCoverageSettings', { token: null });
  await walk.ok('getCoverage');
  await walk.no('getCoverage', { token: null });
  const at = { integrator: walk.api.ready.integrator };
  await walk.no('getPublishedCoverage', { at, token: null });
  await walk.no('getPublishedCoverage', { at: { integrator: NOBODY.id }, token: null });
  await walk.ok('changeCoverageSettings', { body: { published: true } });
  await walk.ok('getPublishedCoverage', { at, token: null });
  await walk.no('changeCoverageSettings', { body: { published: 'yes' } });
  await walk.ok('getMailSettings');
  await walk.no('getMailSettings', { token: null });
  await walk.ok('changeMailSettings', { body: { enabled: true, reply_to: 'help@shop.example' } });
  await walk.no('changeMailSettings', { body: { enabled: true, reply_to: 'help' } });
  await walk.ok('getTrialBalance');
  const past = { at: '2020-01-01T00:00:00Z' };
  await walk.ok('getTrialBalance', { query: past });
  await walk.no('getTrialBalance', { query: { at: 'yesterday' } });
  const { account_id } = walk.api.ready.accounts.seller;
  const one = { account_id };
  const none = { account_id: NOBODY.account };
  await walk.ok('getBalancesAt', { at: one, query: past });
  await walk.no('getBalancesAt', { at: none });
  const month = { month: '2020-01' };
  await walk.ok('getStatement', { query: month });
  await walk.no('getStatement', { query: { month: '2020-13' } });
  await walk.ok('getAccountStatement', { at: one, query: month });
  await walk.no('getAccountStatement', { at: none, query: month });
  await walk.ok('listSellerTotals', { query: { year: 2020 } });
  await walk.no('listSellerTotals', { query: { year: 2020, after: NOBODY.account } });
}
