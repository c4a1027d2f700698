// Checkout: what is bought, how to pay, paying, the result. After a reload it continues with a
// payment in progress. [public-facts 4.6]
import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import type { FlowContext } from '../flow.ts';
import { Screen, Skeleton } from '../kit/index.ts';
import {
  firstChoice,
  keptChoice,
  offerOf,
  onceMethods,
  type Choice,
  type PaymentMethod,
  type PaymentPart,
} from '../methods/choice.ts';
import { EntryScreen, type EntryKind } from '../methods/entry-screen.tsx';
import { crashWith, methodsOf, sentenceOf, useLoaded } from '../methods/load.ts';
import {
  authorizedInvoice,
  createAndPay,
  invoiceIdOf,
  loadCheckout,
  paidInvoice,
} from './calls.ts';
import { FailureScreen, SuccessScreen } from './ending.tsx';
import { PayScreen } from './pay-screen.tsx';
import { adviceOf, billOf, type AuthorizedInvoice, type Invoice } from './records.ts';
import { WaitScreen } from './wait-screen.tsx';
import { t } from '../texts.ts';

type Stage =
  | { readonly at: 'choose'; readonly problem: string }
  | { readonly at: 'add'; readonly kind: EntryKind }
  | { readonly at: 'wait'; readonly id: string }
  | { readonly at: 'success'; readonly paid: Invoice }
  | { readonly at: 'failure'; readonly failed: Invoice };

const CHOOSE: Stage = { at: 'choose', problem: '' };

interface Loaded {
  readonly invoice: AuthorizedInvoice;
  readonly methods: readonly PaymentMethod[];
  /** The method that a browser login has just added. */
  readonly added: PaymentMethod | null;
  readonly stage: Stage;
}

/** The screen for a loaded authorized invoice. Throws ApiError. */
async function stageOf(context: FlowContext, invoice: AuthorizedInvoice): Promise<Stage> {
  if (invoice.state === 'open') return CHOOSE;
  const id = await invoiceIdOf(context, invoice);
  if (invoice.state === 'processing') return { at: 'wait', id };
  return { at: 'success', paid: await paidInvoice(context, id) };
}

async function load(context: FlowContext): Promise<Loaded> {
  try {
    const loaded = await loadCheckout(context);
    return { ...loaded, stage: await stageOf(context, loaded.invoice) };
  } catch (error) {
    throw expired(error) ?? error;
  }
}

/** The error of an expired offer; null for other failures. */
function expired(error: unknown): ApiError | null {
  if (!(error instanceof ApiError)) return null;
  if (error.status !== 410 && !error.is('AUTHORIZED_INVOICE_EXPIRED')) return null;
  return new ApiError(error.status, ['AUTHORIZED_INVOICE_EXPIRED'], error.message);
}

/** The screen after a payment; a buyer who gave one up chooses again. */
function stageAfter(ended: Invoice): Stage {
  if (ended.state === 'success') return { at: 'success', paid: ended };
  const cancelled = ended.failure_code === 'payment_cancelled';
  if (cancelled) return { at: 'choose', problem: adviceOf(ended) };
  return { at: 'failure', failed: ended };
}

export function CheckoutFlow({ context }: { readonly context: FlowContext }) {
  const [loaded] = useLoaded(context, () => load(context));
  return loaded === null ? <Loading /> : <Checkout context={context} start={loaded} />;
}

function Loading() {
  return (
    <Screen name="loading" title={t('checkout.loading')} heading="payee" busy>
      <Skeleton shapes={['title', 'box', 'short', 'list', 'button']} />
    </Screen>
  );
}

function Checkout({ context, start }: { context: FlowContext; start: Loaded }) {
  const { invoice } = start;
  const [methods, setMethods] = useState(start.methods);
  const [stage, setStage] = useState(start.stage);
  const bill = billOf(invoice);
  const all = [...methods, ...onceMethods(invoice.pay_once ?? [], bill)];
  const offer = offerOf(all, bill, context.config.hideUserWallets === true);
  const [chosen, setChoice] = useState<Choice>(() =>
    start.added === null ? firstChoice(offer) : { wallet: false, row: start.added.id },
  );
  const choice = keptChoice(chosen, offer);
  const { busy, pay } = usePayment(context, invoice, setStage);
  const reload = (): void => {
    methodsOf(context).then(setMethods, (error: unknown) =>
      setStage({ at: 'choose', problem: sentenceOf(error) }),
    );
  };
  if (stage.at === 'success') {
    const { paid } = stage;
    return <SuccessScreen context={context} invoice={invoice} paid={paid} methods={methods} />;
  }
  if (stage.at === 'failure') {
    const again = (): void => setStage(CHOOSE);
    return <FailureScreen context={context} failed={stage.failed} onAgain={again} />;
  }
  if (stage.at === 'wait') {
    const decided = (ended: Invoice): void => setStage(stageAfter(ended));
    return <WaitScreen context={context} id={stage.id} onDecided={decided} />;
  }
  if (stage.at === 'add') {
    const added = (method: PaymentMethod): void => {
      setMethods([...methods.filter(({ id }) => id !== method.id), method]);
      setChoice({ wallet: choice.wallet && !offer.covers, row: method.id });
      setStage(CHOOSE);
    };
    const back = (): void => setStage(CHOOSE);
    return <EntryScreen context={context} kind={stage.kind} onAdded={added} onCancel={back} />;
  }
  return (
    <PayScreen
      context={context}
      invoice={invoice}
      offer={offer}
      choice={choice}
      problem={stage.problem}
      busy={busy}
      onChoose={setChoice}
      onAdd={(kind) => setStage({ at: 'add', kind })}
      onChanged={reload}
      onPay={pay}
    />
  );
}

/** Pays once per press: a second press while one runs does nothing. */
function usePayment(
  context: FlowContext,
  invoice: AuthorizedInvoice,
  setStage: (stage: Stage) => void,
) {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  // A press without an answer keeps its key, so that pressing again is the same payment.
  const attempt = useRef({ parts: '', key: '' });
  const send = async (parts: readonly PaymentPart[]): Promise<Stage> => {
    const text = JSON.stringify(parts);
    if (attempt.current.parts !== text) {
      attempt.current = { parts: text, key: crypto.randomUUID() };
    }
    try {
      const id = await createAndPay(context, invoice.is_escrow, parts, attempt.current.key);
      attempt.current = { parts: '', key: '' };
      return { at: 'wait', id };
    } catch (error) {
      const known = error instanceof ApiError && error.status !== 0;
      if (known) attempt.current = { parts: '', key: '' };
      if (known && error.is('INVOICE_SUPERSEDED')) {
        return { at: 'choose', problem: t('checkout.changed') };
      }
      // Another window may be paying or have paid: then this one continues with that payment.
      const now = known ? await authorizedInvoice(context) : invoice;
      const stage = await stageOf(context, now);
      return stage.at === 'choose' ? { at: 'choose', problem: sentenceOf(error) } : stage;
    }
  };
  const pay = (parts: readonly PaymentPart[]): void => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    send(parts)
      .then(setStage, (error: unknown) => crashWith(context, expired(error) ?? error))
      .finally(() => {
        running.current = false;
        setBusy(false);
      });
  };
  return { busy, pay };
}
