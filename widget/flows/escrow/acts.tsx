// What a party of an escrow can do: release, as its buyer with a link that allows it, and say what
// was delivered, as a seller. Each is asked for once more, and acts once.
import { useRef, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { amountText, Button, ConfirmDialog, Notice } from '../kit/index.ts';
import { sentenceOf } from '../methods/load.ts';
import { t } from '../texts.ts';
import type { EscrowOfParty, Line, Milestone } from './records.ts';

/** Something to do, with its words. */
export interface Act {
  readonly kind: 'release' | 'deliver';
  /** The hook of its button. */
  readonly test: string;
  readonly path: string;
  readonly body: object;
  /** Of the button; `of` is what it is about, read out after it. */
  readonly label: string;
  readonly of: string;
  readonly title: string;
  /** Said when it is done. */
  readonly done: string;
}

/** What can be done with each milestone, each line item, and all of it; null: nothing. */
export interface Acts {
  milestone(one: Milestone): Act | null;
  line(one: Line): Act | null;
  readonly all: Act | null;
}

/** What this person can do now. */
export function actsOf(one: EscrowOfParty, scopes: readonly string[]): Acts {
  const open = one.status === 'ESCROWED' && !one.frozen;
  const can = (role: EscrowOfParty['role'], scope: string): boolean =>
    open && one.role === role && scopes.includes(scope);
  const releases = can('buyer', 'release_escrow') && one.held > 0;
  const delivers = can('seller', 'deliver_escrow') && one.delivered === undefined;
  const path = `/invoicing/v2/escrow/${encodeURIComponent(one.escrow_id)}`;
  const release = (test: string, of: string, display: string, body: object): Act | null => {
    if (!releases) return null;
    const amount = amountText(display);
    return {
      ...{ kind: 'release', test, path: `${path}/release`, body, of },
      label: t(of === '' ? 'escrow.release_rest' : 'escrow.release'),
      title: t('escrow.release_title', { amount }),
      done: t('escrow.release_done', { amount }),
    };
  };
  const deliver = (test: string, of: string, body: object): Act | null => {
    if (!delivers) return null;
    return {
      ...{ kind: 'deliver', test, path: `${path}/delivered`, body, of },
      label: t(of === '' ? 'escrow.deliver_all' : 'escrow.deliver'),
      title: of === '' ? t('escrow.deliver_all') : `${t('escrow.deliver')}: ${of}`,
      done: t('escrow.deliver_done'),
    };
  };
  const held = one.line_items.filter((line) => line.held > 0);
  const rest = { line_items: held.map(({ line_item_id }) => ({ line_item_id })) };
  return {
    milestone: ({ name, status, delivered, amount_display }) => {
      if (status === 'released') return null;
      const body = { milestone: name };
      if (one.role === 'buyer') return release('release', name, amount_display, body);
      return delivered === undefined ? deliver('deliver', name, body) : null;
    },
    line: ({ line_item_id, description, held: minor, held_display }) => {
      if (minor === 0 || held.length < 2) return null;
      const body = { line_items: [{ line_item_id }] };
      return release('release', description || t('escrow.item'), held_display, body);
    },
    all:
      one.role === 'buyer'
        ? release('release-rest', '', one.held_display, rest)
        : deliver('deliver-all', '', {}),
  };
}

export function ActButton(props: {
  readonly act: Act;
  readonly wide?: boolean;
  readonly onAsk: (act: Act) => void;
}) {
  const { act, wide = false, onAsk } = props;
  return (
    <Button
      small={!wide}
      kind={wide ? 'primary' : 'secondary'}
      test={act.test}
      onClick={() => onAsk(act)}
    >
      {act.label}
      {act.of !== '' && <span class="unseen">: {act.of}</span>}
    </Button>
  );
}

/** Asks before it acts. */
export function ActDialog(props: {
  readonly context: FlowContext;
  readonly act: Act;
  readonly onClose: () => void;
  readonly onDone: (said: string) => Promise<void>;
}) {
  const { act } = props;
  const key = useRef(crypto.randomUUID());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const send = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      await props.context.api.post(act.path, act.body, { key: key.current });
      await props.onDone(act.done);
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      title={act.title}
      test="act-dialog"
      confirm={t(act.kind === 'release' ? 'escrow.release' : 'escrow.deliver')}
      busy={busy}
      onConfirm={() => void send()}
      onCancel={props.onClose}
    >
      {t(act.kind === 'release' ? 'escrow.release_note' : 'escrow.deliver_note')}
      {problem !== '' && <Notice tone="error">{problem}</Notice>}
    </ConfirmDialog>
  );
}
