// Paying out: identity first, then amount and destination, the cost, and the status. The full flow
// also shows pending payouts. [public-facts 4.2, 4.8] [G-76]
import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import type { FlowContext } from '../flow.ts';
import { Screen, Skeleton } from '../kit/index.ts';
import { Identity } from '../kyc/identity.tsx';
import { formDue, type KycForm, type Level } from '../kyc/records.ts';
import { formOf } from '../kyc/send.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import { crashWith, useLoaded } from '../methods/load.ts';
import { loadDesk, problemOf, requestPayout, type Request } from './calls.ts';
import { ConfirmScreen } from './confirm-screen.tsx';
import { Desk } from './desk.tsx';
import { IDENTITY_CODES, type Payout, type Quote } from './records.ts';
import { RequestedScreen } from './requested-screen.tsx';
import { t } from '../texts.ts';

export interface PayoutProps {
  readonly context: FlowContext;
  /** With the list of pending payouts. */
  readonly full: boolean;
  readonly level: Level;
}

/** True if this level requires nothing more before a payout. */
function isKnown(form: KycForm, level: Level): boolean {
  const due = formDue(form, level);
  return level === 'basic_pii' ? due === null : form.state === 'ACCEPT' && due === null;
}

/** The payout flow of either kind. */
export function PayoutSteps(props: PayoutProps) {
  const { context, level } = props;
  const [wanted, setWanted] = useState<Level | null>(null);
  const [known, setKnown] = useLoaded(context, async () => {
    return isKnown(await formOf(context), level);
  });
  if (known === null) return <Loading />;
  if (known && wanted === null) {
    return <Paying {...props} onIdentity={() => setWanted('full')} />;
  }
  return (
    <Identity
      context={context}
      level={wanted ?? level}
      why={t('payout.why_identity')}
      onAccepted={() => {
        setWanted(null);
        setKnown(true);
      }}
      onLeft={() => context.finish({ state: 'cancel' })}
    />
  );
}

function Loading() {
  return (
    <Screen name="loading" title={t('payout.title')} busy>
      <Skeleton shapes={['title', 'row', 'list', 'button']} />
    </Screen>
  );
}

type PayingProps = PayoutProps & { readonly onIdentity: () => void };

function Paying(props: PayingProps) {
  const { context, full } = props;
  const [loaded] = useLoaded(context, () => loadDesk(context, full));
  return loaded === null ? <Loading /> : <Counter {...props} {...loaded} />;
}

type CounterProps = PayingProps & {
  readonly methods: readonly PaymentMethod[];
  readonly added: PaymentMethod | null;
  readonly payouts: readonly Payout[];
};

interface Priced {
  readonly wish: Request;
  readonly quote: Quote;
  readonly destination: PaymentMethod;
}

function Counter(props: CounterProps) {
  const { context } = props;
  const [priced, setPriced] = useState<Priced | null>(null);
  const [made, setMade] = useState<Payout | null>(null);
  const [problem, setProblem] = useState('');
  const { busy, ask } = useRequest(context, {
    made: setMade,
    refused: (error) => {
      setProblem(problemOf(error));
      if (IDENTITY_CODES.some((code) => error.is(code))) props.onIdentity();
    },
  });
  if (priced === null) return <Desk {...props} onPriced={setPriced} />;
  const { destination, wish, quote } = priced;
  if (made !== null) {
    const { id, psp_reference, pm_state } = destination;
    const { payout_status_id } = made;
    const result = { id, psp_reference, pm_state, payout_status_id };
    const done = (): void => context.finish({ state: 'complete', ...result });
    return <RequestedScreen payout={made} destination={destination} onDone={done} />;
  }
  return (
    <ConfirmScreen
      {...{ quote, destination, busy, problem }}
      onPay={() => ask(wish)}
      onBack={() => {
        setProblem('');
        setPriced(null);
      }}
    />
  );
}

interface Heard {
  readonly made: (payout: Payout) => void;
  readonly refused: (error: ApiError) => void;
}

/** Requests once per press; a press without an answer keeps its key. */
function useRequest(context: FlowContext, heard: Heard) {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const key = useRef('');
  const ask = async (wish: Request): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    if (key.current === '') key.current = crypto.randomUUID();
    try {
      heard.made(await requestPayout(context, wish, key.current));
    } catch (error) {
      if (!(error instanceof ApiError)) return crashWith(context, error);
      if (error.status !== 0) key.current = '';
      heard.refused(error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, ask: (wish: Request) => void ask(wish) };
}
