// Waits for a payment's outcome: polls the invoice and shows the bank's page if the buyer must
// confirm. Closing the page does not affect the payment.
import { useEffect, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Button, ExternalFrame, Notice, Result, Screen } from '../kit/index.ts';
import { leaveInWindow } from '../leaving.ts';
import { sentenceOf } from '../methods/load.ts';
import { giveUp, watchInvoice } from './calls.ts';
import type { Invoice } from './records.ts';
import { t } from '../texts.ts';

const LONG_AFTER_MS = 15_000;

/** True after a while, when the text changes once. */
function useLong(): boolean {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return long;
}

/** Waits until `id` has succeeded or failed. */
export function WaitScreen(props: {
  readonly context: FlowContext;
  readonly id: string;
  readonly onDecided: (invoice: Invoice) => void;
}) {
  const { context, id, onDecided } = props;
  const [seen, setSeen] = useState<Invoice | null>(null);
  const [offline, setOffline] = useState(false);
  const [answered, setAnswered] = useState('');
  const long = useLong();
  const hear = (invoice: Invoice | null): void => {
    setOffline(invoice === null);
    if (invoice === null) return;
    if (invoice.state === 'success' || invoice.state === 'failed') onDecided(invoice);
    else setSeen(invoice);
  };
  useEffect(() => watchInvoice(context, id, hear), [id]);
  const url = seen?.authentication_url ?? '';
  if (url !== '' && seen?.authentication_framed === false) {
    return <AwayScreen url={url} onGiveUp={() => giveUp(context, id)} />;
  }
  if (url !== '' && url !== answered) {
    return (
      <Screen
        name="authenticate"
        title={t('checkout.bank')}
        lead={t('checkout.bank_lead')}
      >
        <ExternalFrame
          src={url}
          origin={new URL(url).origin}
          title={t('checkout.bank_frame')}
          test="authentication-frame"
          onComplete={() => setAnswered(url)}
          onCancel={() => setAnswered(url)}
        />
      </Screen>
    );
  }
  return (
    <Result
      name="wait"
      good={null}
      title={t('checkout.waiting')}
      lead={t(long ? 'checkout.wait_long' : 'checkout.wait')}
    >
      {offline && (
        <Notice tone="warn" live>
          {t('page.offline')}
        </Notice>
      )}
    </Result>
  );
}

/** Sends the buyer to the processor's page, which opens in a window of its own. */
function AwayScreen(props: { readonly url: string; readonly onGiveUp: () => Promise<unknown> }) {
  const [back, setBack] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const leave = async (): Promise<void> => {
    setBack(false);
    await leaveInWindow(props.url);
    setBack(true);
  };
  const end = (): void => {
    setBusy(true);
    // The invoice is polled, and says how it ended.
    props.onGiveUp().catch((error: unknown) => {
      setProblem(sentenceOf(error));
      setBusy(false);
    });
  };
  return (
    <Screen
      name="pay-once"
      title={t('checkout.away')}
      lead={t('checkout.away_lead')}
    >
      {back && (
        <Notice test="back" live>
          {t('checkout.away_back')}
        </Notice>
      )}
      <div class="actions">
        {problem !== '' && <Notice tone="error">{problem}</Notice>}
        <Button test="continue" disabled={busy} onClick={() => void leave()}>
          {t(back ? 'checkout.away_again' : 'page.continue')}
        </Button>
        <Button kind="quiet" test="give-up" busy={busy} onClick={end}>
          {t('checkout.another_way')}
        </Button>
      </div>
    </Screen>
  );
}
