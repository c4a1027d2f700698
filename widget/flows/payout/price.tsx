// What a payout costs, requested from the platform a moment after the last keystroke.
import { useEffect, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Money, Notice, Skeleton } from '../kit/index.ts';
import { problemOf, quoteOf, type Request } from './calls.ts';
import type { Quote } from './records.ts';
import { t } from '../texts.ts';

const AFTER_MS = 300;

interface Answer {
  /** The request it is for. */
  readonly about: string;
  readonly quote: Quote | null;
  readonly problem: string;
}

/** The quote for a payout; null while there is none. */
export function useQuote(context: FlowContext, wish: Request | null) {
  const [answer, setAnswer] = useState<Answer>({ about: '', quote: null, problem: '' });
  const about = JSON.stringify(wish);
  useEffect(() => {
    if (wish === null) return;
    let stale = false;
    const timer = setTimeout(() => {
      quoteOf(context, wish).then(
        (quote) => stale || setAnswer({ about, quote, problem: '' }),
        (error: unknown) => stale || setAnswer({ about, quote: null, problem: problemOf(error) }),
      );
    }, AFTER_MS);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [about]);
  return answer.about === about ? answer : { quote: null, problem: '' };
}

/** Fee and net amount of a quote. */
export function PriceLines({ quote }: { readonly quote: Quote }) {
  const lines = [
    [t('payout.amount'), quote.display_amount],
    [t('payout.fee'), quote.display_fee_amount],
    [t('payout.you_receive'), quote.display_net_amount],
  ] as const;
  return (
    <dl class="lines" data-test="price">
      {lines.map(([name, value], at) => (
        <div key={name} class={at === 2 ? 'sum' : ''}>
          <dt>{name}</dt>
          <dd>
            <Money value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The known price; its place is kept while it loads. */
export function Price(props: {
  readonly wish: Request | null;
  readonly quote: Quote | null;
  readonly problem: string;
}) {
  const { wish, quote, problem } = props;
  if (problem !== '') {
    return (
      <Notice tone="error" test="problem">
        {problem}
      </Notice>
    );
  }
  if (quote !== null) return <PriceLines quote={quote} />;
  return wish === null ? null : (
    <div class="lines price-waits">
      <Skeleton shapes={['text', 'text', 'text']} />
    </div>
  );
}
