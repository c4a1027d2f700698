// Adding a payment method: what is secret is typed in a page of the processor, framed here, or
// after a login in the browser; this screen asks for that page and takes the finished entry in.
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import type { FlowContext } from '../flow.ts';
import { Button, ExternalFrame, Notice, Screen, Skeleton } from '../kit/index.ts';
import { attachEntry, sentenceOf } from './load.ts';
import type { PaymentMethod } from './choice.ts';

/** Kinds of methods that a person can add. */
export type EntryKind = 'card' | 'bank' | 'paypal';

interface Entry {
  readonly entry_id: string;
  readonly url: string;
  readonly origin: string;
}

const WORDS: Readonly<Record<EntryKind, { readonly title: string; readonly lead: string }>> = {
  card: {
    title: 'Add a card',
    lead: 'Your card details go straight to the payment processor.',
  },
  bank: {
    title: 'Add a bank account',
    lead: 'Your account details go straight to the payment processor.',
  },
  paypal: {
    title: 'Add PayPal',
    lead: 'You log in at PayPal, then come back here.',
  },
};

/** What the screen is given. */
export interface EntryScreenProps {
  readonly context: FlowContext;
  readonly kind: EntryKind;
  readonly onAdded: (method: PaymentMethod) => void;
  readonly onCancel: () => void;
}

const UNFINISHED = 'PAYMENT_METHOD_ENTRY_INCOMPLETE';

/** Asks for an entry on mount; `take` attaches it when the person has finished. */
function useEntry({ context, kind, onAdded }: EntryScreenProps) {
  const [entry, setEntry] = useState<Entry | null>(null);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const begin = (): void => {
    setEntry(null);
    context.api
      .post<Entry>('/payments/v1/payment_method/entry', { kind, return_url: context.returnUrl })
      .then(setEntry, (error: unknown) => setProblem(sentenceOf(error)));
  };
  useEffect(begin, []);
  const take = async (unfinished: string): Promise<void> => {
    if (entry === null) return;
    setBusy(true);
    try {
      onAdded(await attachEntry(context, entry.entry_id));
    } catch (error) {
      const early = error instanceof ApiError && error.is(UNFINISHED);
      setProblem(early ? unfinished : sentenceOf(error));
      // An entry that was refused is spent: the form comes back empty.
      if (!early) begin();
      setBusy(false);
    }
  };
  return { entry, problem, busy, take, setProblem, begin };
}

/** The screen on which a method is added. */
export function EntryScreen(props: EntryScreenProps) {
  const { context, kind, onCancel } = props;
  const { entry, problem, busy, take, setProblem, begin } = useEntry(props);
  const leave = async (): Promise<void> => {
    if (entry === null) return;
    setProblem('');
    await context.leave(entry.url);
    await take('The login was not finished. You can try again.');
  };
  const failed = entry === null && problem !== '';
  return (
    <Screen name={`add-${kind}`} title={WORDS[kind].title} lead={WORDS[kind].lead}>
      {problem !== '' && <Notice tone="error">{problem}</Notice>}
      {failed && (
        <Button kind="secondary" test="entry-retry" onClick={begin}>
          Try again
        </Button>
      )}
      {kind === 'paypal' && (
        <Button test="continue" busy={busy} disabled={entry === null} onClick={() => void leave()}>
          Continue to PayPal
        </Button>
      )}
      {kind !== 'paypal' && !failed && (
        <div aria-busy={busy}>
          {entry === null ? (
            <div class="external">
              <Skeleton shapes={['frame']} />
            </div>
          ) : (
            <ExternalFrame
              key={entry.entry_id}
              src={entry.url}
              origin={entry.origin}
              title={WORDS[kind].title}
              test="entry-frame"
              onComplete={() => void take('The form is not finished yet.')}
              onCancel={onCancel}
            />
          )}
        </div>
      )}
      <Button kind="quiet" test="entry-cancel" onClick={onCancel}>
        Back
      </Button>
    </Screen>
  );
}
