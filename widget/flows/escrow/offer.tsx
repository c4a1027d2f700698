// The split that is on the table, and the way to offer one: how much goes back to the buyer.
import { useRef, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Button, ConfirmDialog, FormDialog, Money } from '../kit/index.ts';
import { moneyText, Notice, TextField } from '../kit/index.ts';
import { personal } from '../kit/personal.ts';
import { minorUnits } from '../kit/typed-money.ts';
import { t } from '../texts.ts';
import { faultsOf, splitOf } from './disagreement-records.ts';
import type { Disagreement, Side, Sums } from './disagreement-records.ts';

export interface OfferProps {
  readonly context: FlowContext;
  readonly path: string;
  readonly one: Disagreement;
  readonly onDone: () => Promise<void>;
}

/** Who gets how much. */
export function Split({ sums, one, shop }: {
  readonly sums: Sums;
  readonly one: Disagreement;
  readonly shop: string;
}) {
  return (
    <>
      <dl class="lines" data-test="split">
        {splitOf(sums, one, shop).map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Money value={amount} />
            </dd>
          </div>
        ))}
      </dl>
      {sums.to_sellers > 0 && <p class="small muted">{t('disagreement.fees')}</p>}
    </>
  );
}

/** An offer, with the answers to one of the other side where this person may give them. */
export function Offer(
  props: OfferProps & {
    readonly offer: NonNullable<Disagreement['proposal']>;
    /** Of whoever reads it. */
    readonly own: Side;
    readonly speaks: boolean;
  },
) {
  const { context, offer, one, own } = props;
  const { currency } = one;
  const shop = context.boot.integrator_name;
  const keys = useRef({ accept: crypto.randomUUID(), decline: crypto.randomUUID() });
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const answer = async (said: 'accept' | 'decline'): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      const body = { proposal_id: offer.proposal_id, answer: said };
      await context.api.post(`${props.path}/answer`, body, { key: keys.current[said] });
      await props.onDone();
    } catch (error) {
      setProblem(faultsOf(error).form ?? faultsOf(error).amount ?? '');
      setBusy(false);
    }
  };
  const sellers = moneyText(offer.to_sellers, currency);
  const buyer = moneyText(offer.to_buyer, currency);
  const heading = t(offer.side === own ? 'disagreement.offer_own' : 'disagreement.offer_other');
  return (
    <section class="group" data-test="offer" aria-label={heading}>
      <h2>{heading}</h2>
      <Split sums={offer} one={one} shop={shop} />
      {offer.side === own && <p class="small muted">{t('disagreement.offer_waits')}</p>}
      {!asked && problem !== '' && <Notice tone="error">{problem}</Notice>}
      {offer.side !== own && props.speaks && (
        <div class="actions">
          <Button test="accept" onClick={() => setAsked(true)}>
            {t('disagreement.accept')}
          </Button>
          <Button
            kind="secondary"
            test="decline"
            busy={busy && !asked}
            onClick={() => void answer('decline')}
          >
            {t('disagreement.decline')}
          </Button>
        </div>
      )}
      {asked && (
        <ConfirmDialog
          title={t('disagreement.accept_title')}
          test="accept-dialog"
          confirm={t('disagreement.accept')}
          busy={busy}
          onConfirm={() => void answer('accept')}
          onCancel={() => setAsked(false)}
        >
          {t('disagreement.accept_note', { sellers, buyer })}
          {problem !== '' && <Notice tone="error">{problem}</Notice>}
        </ConfirmDialog>
      )}
    </section>
  );
}

/** Minor units of what is typed, which may be nothing at all; null: no amount up to the most. */
function shareOf(typed: string, { amount, currency }: Disagreement): number | null {
  const share = /^0+(?:[.,]0+)?$/.test(typed) ? 0 : minorUnits(typed, currency);
  return share !== null && share <= amount ? share : null;
}

/** Asks how much goes back to the buyer; the rest is the seller's. */
export function OfferDialog({ context, path, one, onDone, onClose }: OfferProps & {
  readonly onClose: () => void;
}) {
  const { amount, currency } = one;
  const [typed, setTyped] = useState('');
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const share = shareOf(typed, one);
  const send = async (): Promise<void> => {
    if (share === null) {
      setFault(t('disagreement.offer_wrong', { amount: moneyText(amount, currency) }));
      return;
    }
    setBusy(true);
    const sums: Sums = { to_sellers: amount - share, to_buyer: share, to_integrator: 0 };
    try {
      await context.api.post(`${path}/proposal`, sums, { key });
      await onDone();
    } catch (error) {
      setFault(Object.values(faultsOf(error))[0]);
      setBusy(false);
    }
  };
  const rest = share === null ? null : moneyText(amount - share, currency);
  return (
    <FormDialog
      title={t('disagreement.offer')}
      test="offer-dialog"
      confirm={t('disagreement.offer_send')}
      busy={busy}
      onConfirm={() => void send()}
      onCancel={onClose}
    >
      <TextField
        label={t('disagreement.offer_amount', { currency })}
        test="offer-amount"
        {...personal('amount')}
        value={typed}
        inputMode="decimal"
        maxLength={18}
        hint={rest === null ? undefined : t('disagreement.offer_rest', { amount: rest })}
        error={fault}
        onInput={(value) => {
          setTyped(value);
          setKey(crypto.randomUUID());
          setFault(undefined);
        }}
      />
    </FormDialog>
  );
}
