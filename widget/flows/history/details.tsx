// Everything about one transaction, as its party sees it: bought, sold, paid out, refunded.
import type { ComponentChildren } from 'preact';
import { methodName, Money, PoweredLine, Screen } from '../kit/index.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import { readingOf, timeText, type Pair, type Transaction } from './records.ts';
import { t } from '../texts.ts';

/** Names of the account's methods. */
export function namesOf(methods: readonly PaymentMethod[]): (id: string) => string {
  return (id) => {
    const found = methods.find((method) => method.id === id);
    return found === undefined ? t('history.removed_method') : methodName(found.display_string);
  };
}

function Amounts({ pairs, sum = false }: { pairs: readonly Pair[]; sum?: boolean }) {
  return pairs.map(([name, amount], at) => (
    <div key={at} class={sum && at === pairs.length - 1 ? 'sum' : ''}>
      <dt>{name}</dt>
      <dd>
        <Money value={amount} />
      </dd>
    </div>
  ));
}

export function TransactionScreen(props: {
  readonly one: Transaction;
  readonly methods: readonly PaymentMethod[];
  /** The link back. */
  readonly above: ComponentChildren;
}) {
  const { one } = props;
  const { kind, title, amount, standing, lines, sums, facts } = readingOf(
    one,
    namesOf(props.methods),
  );
  const all: readonly Pair[] = [
    [t('history.status'), standing === '' ? t('history.completed') : standing],
    [t('history.date'), timeText(one.transaction_date)],
    ...facts,
    [t('history.number'), one.transaction_id],
  ];
  return (
    <Screen
      name="transaction"
      title={kind}
      heading="payee"
      above={props.above}
      below={
        <p class="total" data-test="total">
          <Money value={amount} />
        </p>
      }
    >
      {title !== kind && <p class="transaction-title">{title}</p>}
      <dl class="lines" data-test="lines">
        <Amounts pairs={lines} />
        <Amounts pairs={sums} sum />
      </dl>
      <dl class="facts" data-test="facts">
        {all.map(([name, value], at) => (
          <div key={at}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <PoweredLine />
    </Screen>
  );
}
