// A list of transactions by day, loaded page by page.
import { useEffect, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Button, Money, Notice, Skeleton, Spinner } from '../kit/index.ts';
import { crashWith, sentenceOf } from '../methods/load.ts';
import { daysOf, joined, readingOf, type Transaction, type TransactionPage } from './records.ts';
import { t } from '../texts.ts';

const PAGE = 20;

interface Loaded {
  readonly list: readonly Transaction[];
  readonly total: number;
}

interface ListProps {
  readonly context: FlowContext;
  readonly statuses: string;
  readonly empty: string;
  readonly onOpen: (one: Transaction) => void;
}

function useList({ context, statuses }: ListProps) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const load = async (list: readonly Transaction[]): Promise<void> => {
    const query = new URLSearchParams({
      limit: String(PAGE),
      offset: String(list.length),
      statuses,
    });
    const path = `/invoicing/v1/transactions?${query}`;
    const { total, transactions } = await context.api.get<TransactionPage>(path);
    const next = joined(list, transactions);
    // A page without anything new is the last, whatever the count says.
    setLoaded({ list: next, total: next.length === list.length ? next.length : total });
  };
  useEffect(() => {
    load([]).then(context.ready, (error: unknown) => crashWith(context, error));
  }, []);
  const more = (): void => {
    setBusy(true);
    setProblem('');
    load(loaded?.list ?? [])
      .catch((error: unknown) => setProblem(sentenceOf(error)))
      .finally(() => setBusy(false));
  };
  return { loaded, busy, problem, more };
}

/** The list of one tab. Hooks of rows are `transaction-<id>`. */
export function TransactionList(props: ListProps) {
  const { loaded, busy, problem, more } = useList(props);
  if (loaded === null) {
    return (
      <div class="stack" aria-busy="true">
        <Spinner label={t('page.loading')} />
        <Skeleton shapes={['short', 'list']} />
      </div>
    );
  }
  if (loaded.list.length === 0) {
    return (
      <p class="nothing" data-test="transactions-empty">
        {props.empty}
      </p>
    );
  }
  return (
    <div class="stack">
      {daysOf(loaded.list, Date.now()).map(({ name, transactions }) => (
        <section key={name} class="group" aria-label={name}>
          <h2 class="day">{name}</h2>
          <div class="rows">
            {transactions.map((one) => (
              <TransactionRow key={one.transaction_id} one={one} onOpen={props.onOpen} />
            ))}
          </div>
        </section>
      ))}
      {problem !== '' && <Notice tone="error">{problem}</Notice>}
      {loaded.list.length < loaded.total && (
        <Button kind="secondary" test="show-more" busy={busy} onClick={more}>
          {t('history.more')}
        </Button>
      )}
    </div>
  );
}

function TransactionRow(props: {
  readonly one: Transaction;
  readonly onOpen: (one: Transaction) => void;
}) {
  const { one, onOpen } = props;
  const { kind, title, sign, amount, standing } = readingOf(one, () => '');
  return (
    <button
      type="button"
      class="row-button transaction"
      data-test={`transaction-${one.transaction_id}`}
      onClick={() => onOpen(one)}
    >
      <span class="row-words">
        <strong>{title}</strong>
        <small>{[kind, standing].filter(Boolean).join(' · ')}</small>
      </span>
      <SignedMoney sign={sign} amount={amount} />
    </button>
  );
}

const SIGNS = { '+': '+', '-': '−', '': '' } as const;
const CLASSES = { '+': 'signed came', '-': 'signed', '': 'signed muted' } as const;

function SignedMoney({ sign, amount }: { sign: keyof typeof SIGNS; amount: string }) {
  return (
    <bdi class={CLASSES[sign]} dir="ltr">
      {SIGNS[sign]}
      <Money value={amount} />
    </bdi>
  );
}
