// The operation that shows what of sellers' earnings is in reserve.
import { operation, type DomainOperation } from '../../context.ts';
import { listReserves, reservePage, reservesQuery } from './read.ts';

const listSellerReserves = operation({
  id: 'listSellerReserves',
  route: 'GET invoicing /v1/seller_reserves',
  summary: "Lists what of sellers' earnings is in reserve against disputes, and until when.",
  cites: 'G-93',
  access: { client: 'read_invoices' },
  query: reservesQuery,
  answers: { 200: reservePage },
  async run({ db }, { caller, query }) {
    return { status: 200, payload: await listReserves(db, caller.workspace, query) };
  },
});

export const operations: readonly DomainOperation[] = [listSellerReserves];
