// The screen of the flows that end with a chosen method: load, choose or add, confirm.
import { useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Button, Notice, PoweredLine, Screen, Skeleton } from '../kit/index.ts';
import {
  firstChoice,
  keptChoice,
  partsOf,
  type Choice,
  type Offer,
  type PaymentMethod,
  type PaymentPart,
} from './choice.ts';
import { EntryScreen, type EntryKind } from './entry-screen.tsx';
import { methodsAfterReturn, methodsOf, sentenceOf, useLoaded } from './load.ts';
import { MethodList } from './method-list.tsx';
import { t } from '../texts.ts';

export interface ChooserProps {
  readonly context: FlowContext;
  readonly title: string;
  readonly lead?: string;
  /** The question above the rows. */
  readonly label: string;
  /** Label of the button; the page may have set its own. */
  readonly button: string;
  readonly adds: readonly EntryKind[];
  /** Which of the account's methods can be chosen. */
  readonly offer: (methods: readonly PaymentMethod[]) => Offer;
  readonly onChosen: (parts: readonly PaymentPart[], methods: readonly PaymentMethod[]) => void;
}

/** Loads the methods, then lets one be chosen. */
export function Chooser(props: ChooserProps) {
  const [loaded] = useLoaded(props.context, () => methodsAfterReturn(props.context));
  if (loaded === null) {
    return (
      <Screen name="loading" title={props.title} busy>
        <Skeleton shapes={['short', 'list', 'button']} />
      </Screen>
    );
  }
  return <Loaded {...props} {...loaded} />;
}

type LoadedProps = ChooserProps & {
  readonly methods: readonly PaymentMethod[];
  readonly added: PaymentMethod | null;
};

function Loaded(props: LoadedProps) {
  const { context, added } = props;
  const [methods, setMethods] = useState(props.methods);
  const [adding, setAdding] = useState<EntryKind | null>(null);
  const [problem, setProblem] = useState('');
  const [missing, setMissing] = useState(false);
  const offer = props.offer(methods);
  const [chosen, setChoice] = useState<Choice>(() =>
    added === null ? firstChoice(offer) : { wallet: false, row: added.id },
  );
  const choice = keptChoice(chosen, offer);
  const parts = partsOf(offer, choice);
  if (adding !== null) {
    const take = (method: PaymentMethod): void => {
      setMethods([...methods.filter(({ id }) => id !== method.id), method]);
      setChoice({ wallet: choice.wallet && !offer.covers, row: method.id });
      setAdding(null);
    };
    const back = (): void => setAdding(null);
    return <EntryScreen context={context} kind={adding} onAdded={take} onCancel={back} />;
  }
  const reload = (): void => {
    methodsOf(context).then(setMethods, (error: unknown) => setProblem(sentenceOf(error)));
  };
  const choose = (): void => {
    setMissing(parts === null);
    if (parts !== null) props.onChosen(parts, methods);
  };
  return (
    <Screen name="methods" title={props.title} lead={props.lead}>
      <MethodList
        {...props}
        offer={offer}
        choice={choice}
        error={missing && parts === null ? t('methods.missing') : undefined}
        onChoose={setChoice}
        onAdd={setAdding}
        onChanged={reload}
      />
      <div class="actions">
        {problem !== '' && <Notice tone="error">{problem}</Notice>}
        <Button test="select-method" onClick={choose}>
          {context.config.selectButton?.label ?? props.button}
        </Button>
        {context.config.hideExitButtons !== true && (
          <Button kind="quiet" test="cancel" onClick={() => context.finish({ state: 'cancel' })}>
            {t('page.cancel')}
          </Button>
        )}
        <PoweredLine />
      </div>
    </Screen>
  );
}
