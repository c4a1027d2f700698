// Adds an account of the seller at the card processor: its page, in a window of its own, asks who
// they are and where their bank is, as their country requires. [G-91]
import { useState } from 'preact/hooks';
import { Button, BackButton, Notice, Screen } from '../kit/index.ts';
import { leaveInWindow } from '../leaving.ts';
import { methodsOf, sentenceOf } from '../methods/load.ts';
import { t } from '../texts.ts';
import { payeePage } from './calls.ts';
import type { AddScreenProps } from './iban-screen.tsx';
import { destinations } from './records.ts';

export function PayeeScreen({ context, country, onAdded, onCancel }: AddScreenProps) {
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const go = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      await leaveInWindow(await payeePage(context, country));
      const there = destinations(await methodsOf(context));
      const made = there.find(({ provider }) => provider === 'payee');
      if (made !== undefined) return onAdded(made);
      setProblem(t('payout.payee_unfinished'));
    } catch (error) {
      setProblem(sentenceOf(error));
    }
    setBusy(false);
  };
  return (
    <Screen
      name="add-payee"
      title={t('methods.add_payee')}
      lead={t('payout.payee_lead')}
      above={<BackButton test="entry-cancel" onClick={onCancel} />}
    >
      {problem !== '' && (
        <Notice tone="error" test="problem">
          {problem}
        </Notice>
      )}
      <Button test="continue" busy={busy} onClick={() => void go()}>
        {t('page.continue')}
      </Button>
    </Screen>
  );
}
