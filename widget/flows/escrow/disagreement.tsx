// The disagreement about an escrow, for its buyer or seller: opened by a form; then what was said,
// what is offered, and how it ended. Loaded only where somebody looks at it.
import { useEffect, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { BackButton, Button, Money, moneyText, Notice } from '../kit/index.ts';
import { Row, Rows, Screen, Skeleton } from '../kit/index.ts';
import { dateText } from '../kit/date.ts';
import { crashWith } from '../methods/load.ts';
import { t } from '../texts.ts';
import {
  limitText,
  pathOf,
  readSeen,
  standingText,
  statementOf,
  whoText,
  type Disagreement,
  type Seen,
} from './disagreement-records.ts';
import { Offer, OfferDialog, Split, type OfferProps } from './offer.tsx';
import type { EscrowOfParty } from './records.ts';
import { StatementForm } from './statement-form.tsx';

interface DisagreementProps {
  readonly context: FlowContext;
  readonly escrow: EscrowOfParty;
  readonly onBack: () => void;
}

export function DisagreementScreen({ context, escrow, onBack }: DisagreementProps) {
  const { disagreement, role } = escrow;
  const path = pathOf(escrow);
  const shop = context.boot.integrator_name;
  const [begun, setBegun] = useState(disagreement !== undefined);
  const [seen, setSeen] = useState<Seen | null>(null);
  const [said, setSaid] = useState('');
  const load = async (): Promise<void> => setSeen(await readSeen(context, path));
  useEffect(() => {
    if (begun) load().catch((error: unknown) => crashWith(context, error));
  }, [begun]);
  const above = <BackButton test="back" onClick={onBack} />;
  if (!begun) {
    const open = (reason: string, key: string): Promise<unknown> =>
      context.api.post(path, { opened_by: role, reason }, { key });
    return (
      <Screen
        key="begin"
        name="disagreement-begin"
        title={t('disagreement.begin')}
        above={above}
        lead={t('disagreement.begin_lead', { shop })}
      >
        <StatementForm
          context={context}
          path={path}
          label={t('disagreement.start')}
          begin={open}
          onDone={async () => setBegun(true)}
        />
      </Screen>
    );
  }
  if (seen === null) {
    return (
      <Screen key="wait" name="loading" title={t('disagreement.title')} heading="payee" busy>
        <Skeleton shapes={['title', 'box', 'row']} />
      </Screen>
    );
  }
  const done = async (): Promise<void> => {
    // What was sent stands, whether or not it can be read again.
    await load().catch(() => {});
    setSaid(t('disagreement.sent'));
  };
  const { one } = seen;
  const speaks = one.status === 'open' && context.session.scopes.includes('write_disagreements');
  const parts = { context, path, one, onDone: done };
  return (
    <Screen
      key="seen"
      name="disagreement"
      title={t('disagreement.title')}
      above={above}
      lead={standingText(one, shop)}
    >
      <p role="status" class={said === '' ? 'unseen' : 'small muted'} data-test="said">
        {said}
      </p>
      <Facts one={one} escrow={escrow} shop={shop} />
      {one.settlement && <Split sums={one.settlement} one={one} shop={shop} />}
      {one.proposal && (
        <Offer
          key={one.proposal.proposal_id}
          {...parts}
          offer={one.proposal}
          own={role}
          speaks={speaks}
        />
      )}
      {speaks && <OfferButton {...parts} />}
      <Statements seen={seen} escrow={escrow} context={context} />
      {speaks && (
        <section class="group" aria-label={t('disagreement.add')}>
          <h2>{t('disagreement.add')}</h2>
          <StatementForm context={context} path={path} label={t('page.send')} onDone={done} />
        </section>
      )}
    </Screen>
  );
}

function Facts({ one, escrow, shop }: {
  readonly one: Disagreement;
  readonly escrow: EscrowOfParty;
  readonly shop: string;
}) {
  const facts = [
    [t('disagreement.reason_label'), t(`disagreement.reason_${one.reason}`)],
    [t('disagreement.opened_by'), whoText(one.opened_by, escrow.role, shop)],
  ] as const;
  return (
    <>
      <dl class="facts" data-test="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>{t('escrow.held')}</dt>
          <dd>
            <Money value={moneyText(one.amount, one.currency)} />
          </dd>
        </div>
      </dl>
      {one.status === 'open' && (
        <Notice title={t('escrow.next')} test="limit">
          {limitText(one, shop)}
        </Notice>
      )}
    </>
  );
}

function OfferButton(props: OfferProps) {
  const [asks, setAsks] = useState(false);
  const done = async (): Promise<void> => {
    await props.onDone();
    setAsks(false);
  };
  return (
    <>
      <Button kind="secondary" test="make-offer" onClick={() => setAsks(true)}>
        {t('disagreement.offer')}
      </Button>
      {asks && <OfferDialog {...props} onDone={done} onClose={() => setAsks(false)} />}
    </>
  );
}

function Statements({ seen: { one, texts }, escrow, context }: {
  readonly seen: Seen;
  readonly escrow: EscrowOfParty;
  readonly context: FlowContext;
}) {
  const shop = context.boot.integrator_name;
  if (one.statements.length === 0) return null;
  return (
    <section class="group" aria-label={t('disagreement.statements')}>
      <h2>{t('disagreement.statements')}</h2>
      <Rows>
        {one.statements.map(({ statement_id: id, side, file_name, created }, at) => (
          <Row
            key={id}
            test={`statement-${at}`}
            title={
              file_name === '' ? (
                <bdi class="stated">{texts.get(id) ?? t('disagreement.erased')}</bdi>
              ) : (
                <FileButton {...{ context, id, at }} path={pathOf(escrow)} name={file_name} />
              )
            }
            detail={`${whoText(side, escrow.role, shop)} · ${dateText(created)}`}
          />
        ))}
      </Rows>
    </section>
  );
}

/** Fetches a file when it is asked for, and saves it under its name. */
function FileButton({ context, path, id, name, at }: {
  readonly context: FlowContext;
  readonly path: string;
  readonly id: string;
  readonly name: string;
  readonly at: number;
}) {
  const [gone, setGone] = useState(false);
  const [busy, setBusy] = useState(false);
  const open = async (): Promise<void> => {
    setBusy(true);
    const said = await statementOf(context, path, id).catch(() => null);
    if (said === null) setGone(true);
    else {
      const link = document.createElement('a');
      link.href = said.file;
      link.download = name;
      link.click();
    }
    setBusy(false);
  };
  if (gone) return <>{t('disagreement.erased')}</>;
  return (
    <Button small kind="secondary" test={`file-${at}`} busy={busy} onClick={() => void open()}>
      {t('disagreement.open_file')}
    </Button>
  );
}
