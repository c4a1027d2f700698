// One transaction by its id, for a page that has its own list. [public-facts 4.3, 4.8]
import { ApiError } from '../api.ts';
import type { FlowContext } from '../flow.ts';
import { Screen, Skeleton } from '../kit/index.ts';
import { methodsOf, useLoaded } from '../methods/load.ts';
import { CloseCorner } from './close-corner.tsx';
import { TransactionScreen } from './details.tsx';
import type { Transaction } from './records.ts';
import { t } from '../texts.ts';

/** The transaction that the page named, which must be the account's. Throws ApiError. */
async function load(context: FlowContext) {
  const id = context.config.transactionId ?? '';
  if (id === '') {
    throw new ApiError(400, ['TRANSACTION_NOT_NAMED'], t('history.not_named'));
  }
  const path = `/invoicing/v1/transaction/${encodeURIComponent(id)}`;
  const [one, methods] = await Promise.all([
    context.api.get<Transaction>(path),
    methodsOf(context).catch(() => []),
  ]);
  return { one, methods };
}

export function DetailsFlow({ context }: { readonly context: FlowContext }) {
  const [loaded] = useLoaded(context, () => load(context));
  if (loaded === null) {
    return (
      <Screen name="loading" title={t('history.one')} heading="payee" busy>
        <Skeleton shapes={['title', 'box', 'row']} />
      </Screen>
    );
  }
  return <TransactionScreen {...loaded} above={<CloseCorner context={context} />} />;
}
