// The operation that shows what of sellers' earnings is in reserve.
import { accountListed, operation, type DomainOperation } from '../../context.ts';
import { listReserves, reservePage, reservesQuery } from './read.ts';

const listSellerReserves = operation({
  id: 'listSellerReserves',
  route: 'GET invoicing /v1/seller_reserves',
  summary: "Lists what of sellers' earnings is in reserve; a session sees its own account's.",
  cites: 'G-93',
  access: { client: 'read_invoices', session: 'read_invoices' },
  query: reservesQuery,
  answers: { 200: reservePage },
  async run({ db }, { caller, query }) {
    const asked = { ...query, account_id: accountListed(caller, query.account_id) };
    return { status: 200, payload: await listReserves(db, caller.workspace, asked) };
  },
});

export const operations: readonly DomainOperation[] = [listSellerReserves];
