// Adds a payment method: anything secret is typed in a page of the processor, framed here or
// reached by a browser login; this screen requests that page and attaches the finished entry.
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import type { FlowContext } from '../flow.ts';
import {
  BackButton,
  Button,
  ExternalFrame,
  Notice,
  Screen,
  Skeleton,
  Switch,
} from '../kit/index.ts';
import { leaveInWindow } from '../leaving.ts';
import { attachEntry, sentenceOf } from './load.ts';
import type { PaymentMethod } from './choice.ts';
import { t, type Key } from '../texts.ts';

/** Kinds of methods that a person can add. */
export type EntryKind = 'card' | 'bank' | 'paypal';
/** What can be added: entries at the processor, and accounts that only receive payouts. */
export type AddKind = EntryKind | 'iban' | 'payee';

interface Entry {
  readonly entry_id: string;
  readonly url: string;
  readonly origin: string;
  /** False: the page refuses to be framed. */
  readonly framed?: false;
}

/** What adding one is called. */
export const ADD_WORDS: Readonly<Record<AddKind, Key>> = {
  card: 'methods.add_card',
  bank: 'methods.add_bank',
  paypal: 'methods.add_paypal',
  iban: 'methods.add_iban',
  payee: 'methods.add_payee',
};

export interface EntryScreenProps {
  readonly context: FlowContext;
  readonly kind: EntryKind;
  readonly onAdded: (method: PaymentMethod) => void;
  readonly onCancel: () => void;
}

const UNFINISHED = 'PAYMENT_METHOD_ENTRY_INCOMPLETE';
/** The person cancelled at the processor's page, which is no error. */
const REFUSED = 'PAYMENT_METHOD_ENTRY_CANCELLED';

/** This page's colours, so that the framed form looks like part of it. */
function colours(): Record<string, string> {
  const { style } = document.documentElement;
  const background_color = style.getPropertyValue('--background');
  const primary_color = style.getPropertyValue('--primary');
  return background_color === '' ? {} : { background_color, primary_color };
}

/** Requests an entry on mount; `take` attaches it when the person has finished. */
function useEntry({ context, kind, onAdded }: EntryScreenProps) {
  const [entry, setEntry] = useState<Entry | null>(null);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const [keep, setKeep] = useState(true);
  const begin = (): void => {
    setEntry(null);
    const dir = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr';
    const page = context.session.mechanism === 'widget' ? 'widget' : 'hosted';
    const back = kind === 'paypal' ? { return_url: context.returnUrl } : {};
    context.api
      .post<Entry>('/payments/v1/payment_method/entry', { ...colours(), kind, page, dir, ...back })
      .then(setEntry, (error: unknown) => setProblem(sentenceOf(error)));
  };
  useEffect(begin, []);
  const take = async (unfinished: string): Promise<void> => {
    if (entry === null) return;
    setBusy(true);
    try {
      onAdded(await attachEntry(context, entry.entry_id, keep));
    } catch (error) {
      const early = error instanceof ApiError && error.is(UNFINISHED);
      const refused = error instanceof ApiError && error.is(REFUSED);
      setProblem(early || refused ? unfinished : sentenceOf(error));
      // A refused entry is used up: the form comes back empty.
      if (!early) begin();
      setBusy(false);
    }
  };
  return { entry, problem, busy, keep, setKeep, take, setProblem, begin };
}

const UNSEEN = { heading: 'unseen' } as const;

/** The screen on which a method is added. */
export function EntryScreen(props: EntryScreenProps) {
  const { context, kind, onCancel } = props;
  const { entry, problem, busy, keep, setKeep, take, setProblem, begin } = useEntry(props);
  // Only a sale can be paid with a card that is not kept.
  const asks = kind === 'card' && context.session.authorized_invoice_id !== '';
  const login = kind === 'paypal';
  const title = t(ADD_WORDS[kind]);
  const framed = !login && entry?.framed !== false;
  const leave = async (): Promise<void> => {
    if (entry === null) return;
    setProblem('');
    // Only a login brings a whole page back here.
    await (login ? context.leave(entry.url) : leaveInWindow(entry.url));
    await take(t(login ? 'methods.login_unfinished' : 'methods.form_unfinished'));
  };
  // A framed page has a heading of its own.
  const face = framed ? UNSEEN : { lead: t(login ? 'methods.at_paypal' : 'methods.at_processor') };
  const failed = entry === null && problem !== '';
  return (
    <Screen
      name={`add-${kind}`}
      title={title}
      {...face}
      above={<BackButton test="entry-cancel" onClick={onCancel} />}
    >
      {problem !== '' && <Notice tone="error">{problem}</Notice>}
      {failed && (
        <Button kind="secondary" test="entry-retry" onClick={begin}>
          {t('page.try_again')}
        </Button>
      )}
      {asks && (
        <Switch checked={keep} test="keep-card" onChange={setKeep}>
          <span>{t('methods.keep_card')}</span>
        </Switch>
      )}
      {!framed && (
        <Button test="continue" busy={busy} disabled={entry === null} onClick={() => void leave()}>
          {t(login ? 'methods.to_paypal' : 'page.continue')}
        </Button>
      )}
      {framed && !failed && (
        <div aria-busy={busy}>
          {entry === null ? (
            <div class="external external-waits">
              <Skeleton shapes={['frame']} />
            </div>
          ) : (
            <ExternalFrame
              key={entry.entry_id}
              src={entry.url}
              origin={entry.origin}
              title={title}
              test="entry-frame"
              onComplete={() => void take(t('methods.form_first'))}
              onCancel={onCancel}
            />
          )}
        </div>
      )}
    </Screen>
  );
}
