// The list of payment methods that flows share: the wallet's switch, a row per method, changing a
// row, and what can be added.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import {
  AddGlyph,
  BankGlyph,
  IconButton,
  LoginGlyph,
  methodName,
  Money,
  moneyText,
  MoreIcon,
  RadioGroup,
  RadioRow,
  RowButton,
  SwitchRow,
  WalletGlyph,
} from '../kit/index.ts';
import { ChangeDialog, ChangeStrip, type Change } from './change.tsx';
import {
  partsOf,
  restOf,
  walletUsable,
  type Choice,
  type Offer,
  type PaymentMethod,
} from './choice.ts';
import { ADD_WORDS, type AddKind } from './entry-screen.tsx';
import { faceOf, plainBalance } from './face.tsx';
import { sentenceOf } from './load.ts';
import { drawn, t } from '../texts.ts';

export interface MethodListProps<Kind extends AddKind = AddKind> {
  readonly context: FlowContext;
  /** The question above the rows. */
  readonly label: string;
  readonly offer: Offer;
  readonly choice: Choice;
  /** What is wrong with the choice. */
  readonly error?: string | undefined;
  readonly adds: readonly Kind[];
  readonly onChoose: (choice: Choice) => void;
  readonly onAdd: (kind: Kind) => void;
  /** A method was renamed or removed: the list must be loaded again. */
  readonly onChanged: () => void;
}

const ADDS: Readonly<Record<AddKind, () => VNode>> = {
  card: () => <AddGlyph />,
  bank: () => <BankGlyph />,
  paypal: () => <LoginGlyph />,
  iban: () => <BankGlyph />,
  payee: () => <BankGlyph />,
};

/** Reports what was done; takes the focus after its row is gone. */
function Said({ text }: { readonly text: string }) {
  const words = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (text !== '') words.current?.focus({ preventScroll: true });
  }, [text]);
  return (
    <p ref={words} tabIndex={-1} role="status" class={text === '' ? 'unseen' : 'small muted'}>
      {text}
    </p>
  );
}

export function MethodList<Kind extends AddKind>(props: MethodListProps<Kind>) {
  const { context, offer, choice } = props;
  const [change, setChange] = useState<{ method: PaymentMethod; change: Change } | null>(null);
  const [said, setSaid] = useState('');
  const prefer = ({ id, display_string }: PaymentMethod): void => {
    const path = `/payments/v1/payment_method/${id}`;
    context.api.patch(path, { is_default: true }).then(
      () => {
        setSaid(t('methods.is_default', { name: methodName(display_string) }));
        props.onChanged();
      },
      (error: unknown) => setSaid(sentenceOf(error)),
    );
  };
  // A balance that pays everything leaves no row chosen; choosing one pays without the wallet.
  const still = choice.wallet && offer.covers;
  return (
    <div class="stack">
      <RadioGroup label={props.label} error={props.error} test="methods">
        <WalletRow {...props} />
        {offer.rows.map((method) => (
          <MethodRow
            key={method.id}
            method={method}
            checked={!still && choice.row === method.id}
            onChoose={() => props.onChoose({ wallet: choice.wallet && !still, row: method.id })}
            onChange={(kind) => setChange({ method, change: kind })}
            onDefault={() => prefer(method)}
          />
        ))}
        {props.adds.map((kind) => (
          <RowButton
            key={kind}
            icon={ADDS[kind]()}
            test={`add-${kind}`}
            onClick={() => props.onAdd(kind)}
          >
            {t(ADD_WORDS[kind])}
          </RowButton>
        ))}
      </RadioGroup>
      <Said text={said} />
      {change !== null && (
        <ChangeDialog
          context={context}
          {...change}
          onCancel={() => setChange(null)}
          onDone={(text) => {
            setChange(null);
            setSaid(text);
            props.onChanged();
          }}
        />
      )}
    </div>
  );
}

function WalletRow({
  offer,
  choice,
  onChoose,
}: Pick<MethodListProps, 'offer' | 'choice' | 'onChoose'>) {
  const { wallet, covers, bill } = offer;
  if (wallet === null || bill === null) return null;
  const amount = moneyText(restOf(offer), bill.currency);
  const usable = walletUsable(offer);
  const balance = plainBalance(wallet);
  const detail = covers
    ? t('methods.balance_covers')
    : !usable
      ? t('methods.balance_low', { amount })
      : t(choice.wallet ? 'methods.balance_rest' : 'methods.balance_leaves', { amount });
  return (
    <SwitchRow
      icon={<WalletGlyph />}
      title={drawn<VNode>('methods.balance_use', {
        amount: balance,
        money: () => <Money value={balance} />,
      })}
      detail={detail}
      checked={choice.wallet}
      disabled={!usable}
      test="wallet-switch"
      onChange={(on) => onChoose(withWallet(offer, choice, on))}
    />
  );
}

/** Switching the wallet off leaves a row chosen if there is one. */
function withWallet(offer: Offer, choice: Choice, on: boolean): Choice {
  const next = { ...choice, wallet: on };
  return partsOf(offer, next) === null ? { ...next, row: offer.rows[0]?.id ?? null } : next;
}

interface MethodRowProps {
  readonly method: PaymentMethod;
  readonly checked: boolean;
  readonly onChoose: () => void;
  readonly onChange: (change: Change) => void;
  readonly onDefault: () => void;
}

function MethodRow({ method, checked, onChoose, onChange, onDefault }: MethodRowProps) {
  const [open, setOpen] = useState(false);
  const fixed = method.provider === 'wallet' || method.provider === 'once';
  const actions = fixed ? undefined : (
    <IconButton
      label={t('methods.change', { name: methodName(method.display_string) })}
      test={`method-menu-${method.id}`}
      expanded={open}
      onClick={() => setOpen(!open)}
    >
      <MoreIcon />
    </IconButton>
  );
  return (
    <RadioRow
      {...faceOf(method)}
      name="method"
      test={`method-${method.id}`}
      checked={checked}
      onChoose={onChoose}
      actions={actions}
      more={open && <ChangeStrip {...{ method, onChange, onDefault }} />}
    />
  );
}
