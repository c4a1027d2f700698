// Pending payouts, each with a way to cancel it while that is possible. [public-facts 4.8]
import { useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { amountText, Button, ConfirmDialog, methodName, Money, Notice, Row, Rows } from '../kit/index.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import { cancelPayout, problemOf } from './calls.ts';
import { isCancelable, pendingText, type Payout } from './records.ts';
import { t } from '../texts.ts';

/** The list; empty if nothing is pending. */
export function PendingPayouts(props: {
  readonly context: FlowContext;
  readonly payouts: readonly Payout[];
  readonly methods: readonly PaymentMethod[];
  readonly onChanged: () => void;
}) {
  const [asked, setAsked] = useState<Payout | null>(null);
  const [said, setSaid] = useState('');
  const pending = props.payouts.filter(({ status }) => pendingText(status) !== null);
  if (pending.length === 0 && said === '') return null;
  const nameOf = ({ credit }: Payout): string => {
    const found = props.methods.find(({ id }) => id === credit.destination_payment_method_id);
    return found === undefined ? '' : ` · ${methodName(found.display_string)}`;
  };
  return (
    <section class="group" data-test="pending-payouts" aria-label={t('payout.pending')}>
      <h2>{t('payout.pending')}</h2>
      <p role="status" class={said === '' ? 'unseen' : 'small muted'}>
        {said}
      </p>
      {pending.length > 0 && (
        <Rows>
          {pending.map((payout) => (
            <Row
              key={payout.payout_status_id}
              test={`payout-${payout.payout_status_id}`}
              title={<Money value={payout.display_amount} />}
              detail={`${pendingText(payout.status)}${nameOf(payout)}`}
              end={
                isCancelable(payout.status) && (
                  <Button small kind="danger" test="payout-cancel" onClick={() => setAsked(payout)}>
                    {t('page.cancel')}
                    <span class="unseen">: {amountText(payout.display_amount)}</span>
                  </Button>
                )
              }
            />
          ))}
        </Rows>
      )}
      {asked !== null && (
        <CancelDialog
          context={props.context}
          payout={asked}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null);
            setSaid(t('payout.cancelled', { amount: amountText(asked.display_amount) }));
            props.onChanged();
          }}
        />
      )}
    </section>
  );
}

function CancelDialog(props: {
  readonly context: FlowContext;
  readonly payout: Payout;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { context, payout } = props;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const cancel = async (): Promise<void> => {
    setBusy(true);
    try {
      await cancelPayout(context, payout.payout_status_id);
      props.onDone();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      title={t('payout.cancel_title')}
      test="payout-cancel-dialog"
      confirm={t('payout.cancel')}
      danger
      busy={busy}
      onConfirm={() => void cancel()}
      onCancel={props.onClose}
    >
      {t('payout.cancel_note', { amount: amountText(payout.display_amount) })}
      {problem !== '' && <Notice tone="error">{problem}</Notice>}
    </ConfirmDialog>
  );
}
