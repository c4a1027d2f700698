// The amount: a text box with a button for everything, or the amount fixed by the page; and the
// wallet, if there are several.
import { Button, Money, moneyText, SelectField, TextField } from '../kit/index.ts';
import { personal } from '../kit/personal.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import { t } from '../texts.ts';

export function AmountBox(props: {
  readonly currency: string;
  /** Minor units that the page asked for; it cannot be changed then. */
  readonly fixed: number | undefined;
  readonly typed: string;
  readonly error: string | undefined;
  readonly onInput: (typed: string) => void;
  readonly onAll: () => void;
  readonly onEnter: () => void;
}) {
  const { currency, fixed, typed, error } = props;
  if (fixed !== undefined) {
    return (
      <div class="available">
        <p class="muted">{t('payout.amount')}</p>
        <p class="total" data-test="amount">
          <Money value={moneyText(fixed, currency)} />
        </p>
        {error !== undefined && (
          <p class="field-fault" role="alert">
            {error}
          </p>
        )}
      </div>
    );
  }
  return (
    <form
      class="amount-box"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onEnter();
      }}
    >
      <TextField
        label={t('payout.amount_in', { currency })}
        test="amount"
        {...personal('amount')}
        value={typed}
        inputMode="decimal"
        maxLength={18}
        error={error}
        onInput={props.onInput}
      />
      <Button small kind="quiet" test="amount-all" onClick={props.onAll}>
        {t('payout.amount_all')}
      </Button>
    </form>
  );
}

/** The wallet, by its currency. */
export function CurrencyBox(props: {
  readonly wallets: readonly PaymentMethod[];
  readonly wallet: PaymentMethod;
  readonly onWallet: (id: string) => void;
}) {
  return (
    <SelectField
      label={t('payout.currency')}
      test="currency"
      value={props.wallet.id}
      options={props.wallets.map((one) => ({ value: one.id, label: one.processing_currency }))}
      onInput={props.onWallet}
    />
  );
}
