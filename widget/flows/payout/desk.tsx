// The first screen of a payout: available money, amount, destination, and the cost while one types.
// Offers only what can be paid out.
import { useEffect, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Button, Money, moneyText, Notice, PoweredLine, Screen } from '../kit/index.ts';
import { minorUnits, typedAmount } from '../kit/typed-money.ts';
import { regionName } from '../kit/countries.ts';
import { offerOf, type PaymentMethod } from '../methods/choice.ts';
import { EntryScreen } from '../methods/entry-screen.tsx';
import { methodsOf } from '../methods/load.ts';
import { MethodList } from '../methods/method-list.tsx';
import { AmountBox, CurrencyBox } from './amount-box.tsx';
import { payoutsOf, problemOf, waysOf, type Request, type Ways } from './calls.ts';
import { IbanScreen } from './iban-screen.tsx';
import { PayeeScreen } from './payee-screen.tsx';
import { PendingPayouts } from './pending.tsx';
import { Price, useQuote } from './price.tsx';
import {
  amountFault,
  destinations,
  fundedWallets,
  type Payout,
  type Quote,
} from './records.ts';
import { t } from '../texts.ts';

export interface DeskProps {
  readonly context: FlowContext;
  readonly full: boolean;
  readonly methods: readonly PaymentMethod[];
  /** The method that a browser login has just added. */
  readonly added: PaymentMethod | null;
  readonly payouts: readonly Payout[];
  readonly onPriced: (priced: {
    readonly wish: Request;
    readonly quote: Quote;
    readonly destination: PaymentMethod;
  }) => void;
}

/** The screen; keeps its lists up to date. */
export function Desk(props: DeskProps) {
  const { context, full } = props;
  const [methods, setMethods] = useState(props.methods);
  const [payouts, setPayouts] = useState(props.payouts);
  const [adding, setAdding] = useState<Adding | null>(null);
  const [row, setRow] = useState(props.added?.id ?? destinations(props.methods)[0]?.id ?? null);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const fail = (error: unknown): void => setProblem(problemOf(error));
  const reload = (): void => {
    setProblem('');
    methodsOf(context).then(setMethods, fail);
    if (full) payoutsOf(context).then(setPayouts, fail);
  };
  if (adding !== null) {
    const take = (method: PaymentMethod): void => {
      setMethods([...methods.filter(({ id }) => id !== method.id), method]);
      setRow(method.id);
      setAdding(null);
    };
    const back = (): void => setAdding(null);
    return <AddScreen {...adding} context={context} onAdded={take} onCancel={back} />;
  }
  const label = context.config.section?.label;
  const pending = full && (
    <PendingPayouts context={context} payouts={payouts} methods={methods} onChanged={reload} />
  );
  return (
    <Screen
      name="payout"
      title={label ?? t('payout.title')}
      {...(label === null ? { heading: 'unseen' } : {})}
    >
      {problem !== '' && (
        <Notice tone="error" test="problem">
          {problem}
        </Notice>
      )}
      <Order
        {...props}
        {...{ methods, row, typed, setRow, setTyped }}
        onAdd={setAdding}
        onProblem={setProblem}
        onChanged={reload}
      />
      {pending}
      <PoweredLine />
    </Screen>
  );
}

/** A kind of account that is being added, for somebody of a country. */
interface Adding {
  readonly kind: Ways['ways'][number];
  readonly country: string;
}

function AddScreen({ kind, ...props }: Adding & Omit<Parameters<typeof IbanScreen>[0], 'country'>) {
  if (kind === 'iban') return <IbanScreen {...props} />;
  if (kind === 'payee') return <PayeeScreen {...props} />;
  return <EntryScreen {...props} kind={kind} />;
}

/** What can be added in a currency; null while it is asked, or where there is no answer. */
function useWays(context: FlowContext, currency: string, onProblem: (text: string) => void) {
  const [found, setFound] = useState<Ways | null>(null);
  useEffect(() => {
    let stopped = false;
    waysOf(context, currency).then(
      (ways) => stopped || setFound(ways),
      (error: unknown) => stopped || onProblem(problemOf(error)),
    );
    return () => {
      stopped = true;
    };
  }, [currency]);
  return found;
}

type OrderProps = DeskProps & {
  readonly row: string | null;
  readonly typed: string;
  readonly setRow: (row: string | null) => void;
  readonly setTyped: (typed: string) => void;
  readonly onAdd: (adding: Adding) => void;
  readonly onProblem: (text: string) => void;
  readonly onChanged: () => void;
};

/** The wallet to pay out of: that of the page's currency, or the person's choice. */
function useWallet({ context, methods }: OrderProps) {
  const { currency } = context.config;
  const all = fundedWallets(methods);
  const wallets = all.filter(
    (one) => currency === undefined || one.processing_currency === currency,
  );
  const [chosen, setChosen] = useState('');
  const wallet = wallets.find(({ id }) => id === chosen) ?? wallets[0] ?? null;
  return { wallets, wallet, setChosen };
}

function Order(props: OrderProps) {
  const { wallets, wallet, setChosen } = useWallet(props);
  if (wallet === null) return <NothingThere context={props.context} />;
  return <Asking {...props} {...{ wallets, wallet }} onWallet={setChosen} />;
}

function NothingThere({ context }: { readonly context: FlowContext }) {
  return (
    <div class="stack" data-test="payout-empty">
      <Notice title={t('payout.nothing')}>{t('payout.nothing_lead')}</Notice>
      <Button kind="secondary" test="close" onClick={() => context.finish({ state: 'cancel' })}>
        {t('page.close')}
      </Button>
    </div>
  );
}

/** No configured rail reaches the person's country. */
function NoWay({ country }: { readonly country: string }) {
  const title =
    country === ''
      ? t('payout.no_way')
      : t('payout.no_way_country', { country: regionName(country) });
  return (
    <Notice tone="warn" title={title} test="no-way">
      {t('payout.no_way_lead')}
    </Notice>
  );
}

type AskingProps = OrderProps & {
  readonly wallets: readonly PaymentMethod[];
  readonly wallet: PaymentMethod;
  readonly onWallet: (id: string) => void;
};

function Asking(props: AskingProps) {
  const { context, methods, row, typed, wallet } = props;
  const { fixedAmount, hideWalletBalance, hideExitButtons, selectButton } = context.config;
  const [tried, setTried] = useState(false);
  const currency = wallet.processing_currency;
  const amount = fixedAmount ?? minorUnits(typed, currency);
  const fault = amountFault(amount, wallet);
  // Accounts that only receive payouts can be chosen here, and nowhere else.
  const offer = { ...offerOf([], null, true), rows: destinations(methods) };
  const destination = offer.rows.find(({ id }) => id === row) ?? null;
  const wish =
    amount === null || fault !== undefined || destination === null
      ? null
      : {
          source_payment_method_id: wallet.id,
          destination_payment_method_id: destination.id,
          amount,
          currency,
        };
  const { quote, problem } = useQuote(context, wish);
  const ways = useWays(context, currency, props.onProblem);
  const go = (): void => {
    setTried(true);
    if (wish !== null && quote !== null && destination !== null) {
      props.onPriced({ wish, quote, destination });
    }
  };
  const over = amount !== null && fault !== undefined;
  const balance = moneyText(Number(wallet.wallet_balance), currency);
  return (
    <>
      {hideWalletBalance !== true && (
        <div class="available">
          <p class="muted">{t('payout.available')}</p>
          <p class="total" data-test="balance">
            <Money value={balance} />
          </p>
        </div>
      )}
      {props.wallets.length > 1 && fixedAmount === undefined && <CurrencyBox {...props} />}
      <AmountBox
        currency={currency}
        fixed={fixedAmount}
        typed={typed}
        error={tried || over ? fault : undefined}
        onInput={props.setTyped}
        onEnter={go}
        onAll={() => props.setTyped(typedAmount(Number(wallet.wallet_balance), currency))}
      />
      <MethodList
        context={context}
        label={t('payout.where')}
        offer={offer}
        choice={{ wallet: false, row }}
        error={tried && destination === null ? t('payout.where_missing') : undefined}
        adds={ways?.ways ?? []}
        onChoose={(choice) => props.setRow(choice.row)}
        onAdd={(kind) => props.onAdd({ kind, country: ways?.country ?? '' })}
        onChanged={props.onChanged}
      />
      {ways?.ways.length === 0 && <NoWay country={ways.country} />}
      <Price wish={wish} quote={quote} problem={problem} />
      <div class="actions">
        <Button
          test="payout-next"
          busy={tried && wish !== null && quote === null && problem === ''}
          onClick={go}
        >
          {selectButton?.label ?? t('page.continue')}
        </Button>
        {hideExitButtons !== true && (
          <Button kind="quiet" test="cancel" onClick={() => context.finish({ state: 'cancel' })}>
            {t('page.cancel')}
          </Button>
        )}
      </div>
    </>
  );
}
