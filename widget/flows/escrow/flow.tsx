// An escrow for its buyer or a seller of it: where the money is, what comes next, and what the
// person can do: release as the buyer and disagree, where the link allows it; as a seller say what
// was delivered.
import { useState } from 'preact/hooks';
import type { FunctionComponent } from 'preact';
import { ApiError } from '../api.ts';
import type { FlowContext } from '../flow.ts';
import { CloseCorner } from '../history/close-corner.tsx';
import { AlertIcon, Money, Notice, PoweredLine, Row } from '../kit/index.ts';
import { RowButton, Rows, Screen, Skeleton } from '../kit/index.ts';
import { crashWith, useLoaded } from '../methods/load.ts';
import { t } from '../texts.ts';
import { ActButton, ActDialog, actsOf, type Act } from './acts.tsx';
import { milestoneText, movementText, nextText, statusText, sumsOf } from './records.ts';
import type { EscrowOfParty } from './records.ts';

/** The escrow that the page named, of which the account must be a party. Throws ApiError. */
async function load({ api, config }: FlowContext): Promise<EscrowOfParty> {
  const id = config.transactionId ?? '';
  if (id === '') throw new ApiError(400, ['TRANSACTION_NOT_NAMED'], t('escrow.not_named'));
  return api.get(`/invoicing/v2/escrow/${encodeURIComponent(id)}/party`);
}

type DisagreementPage = FunctionComponent<{
  readonly context: FlowContext;
  readonly escrow: EscrowOfParty;
  readonly onBack: () => void;
}>;

/** True where there is a disagreement to see, or one can be opened. */
function mayDisagree(one: EscrowOfParty, { session }: FlowContext): boolean {
  const speaks = session.scopes.includes('write_disagreements');
  return one.disagreement !== undefined || (speaks && one.status === 'ESCROWED');
}

export function EscrowFlow({ context }: { readonly context: FlowContext }) {
  const [loaded, setLoaded] = useLoaded(context, () => load(context));
  const [asked, setAsked] = useState<Act | null>(null);
  const [said, setSaid] = useState('');
  const [Disagreement, setDisagreement] = useState<DisagreementPage | null>(null);
  if (loaded === null) {
    return (
      <Screen name="loading" title={t('escrow.title')} heading="payee" busy>
        <Skeleton shapes={['title', 'box', 'row']} />
      </Screen>
    );
  }
  const done = async (text: string): Promise<void> => {
    // What was done stands, whether or not it can be read again.
    setLoaded(await load(context).catch(() => loaded));
    setAsked(null);
    setSaid(text);
  };
  if (Disagreement !== null) {
    const back = (): void => {
      void done('').then(() => setDisagreement(null));
    };
    return <Disagreement context={context} escrow={loaded} onBack={back} />;
  }
  const disagree = async (): Promise<void> => {
    const { DisagreementScreen } = await import('./disagreement.tsx');
    setDisagreement(() => DisagreementScreen);
  };
  return (
    <Screen
      name="escrow"
      title={loaded.description || t(loaded.role === 'buyer' ? 'escrow.title' : 'escrow.sale')}
      above={<CloseCorner context={context} />}
      lead={statusText(loaded)}
    >
      <p role="status" class={said === '' ? 'unseen' : 'small muted'} data-test="said">
        {said}
      </p>
      <Standing one={loaded} />
      <Parts one={loaded} context={context} onAsk={setAsked} />
      {mayDisagree(loaded, context) && (
        <Rows>
          <RowButton
            icon={<AlertIcon />}
            test="disagreement"
            onClick={() => void disagree().catch((error: unknown) => crashWith(context, error))}
          >
            {t(loaded.disagreement === undefined ? 'disagreement.begin' : 'disagreement.see')}
          </RowButton>
        </Rows>
      )}
      <PoweredLine />
      {asked !== null && (
        <ActDialog context={context} act={asked} onClose={() => setAsked(null)} onDone={done} />
      )}
    </Screen>
  );
}

/** The sums, and what comes next by itself. */
function Standing({ one }: { readonly one: EscrowOfParty }) {
  const next = nextText(one);
  const named = one.next?.milestone;
  return (
    <>
      <dl class="lines" data-test="sums">
        {sumsOf(one).map(([name, amount], at, all) => (
          <div key={name} class={at === all.length - 1 ? 'sum' : ''}>
            <dt>{name}</dt>
            <dd>
              <Money value={amount} />
            </dd>
          </div>
        ))}
      </dl>
      {next !== null && (
        <Notice title={named ?? t('escrow.next')} test="next">
          {next}
        </Notice>
      )}
      {one.delivered !== undefined && <Notice tone="success">{t('escrow.all_delivered')}</Notice>}
    </>
  );
}

function Parts(props: {
  readonly one: EscrowOfParty;
  readonly context: FlowContext;
  readonly onAsk: (act: Act) => void;
}) {
  const { one, onAsk } = props;
  const acts = actsOf(one, props.context.session.scopes);
  const shown = one.milestones.length > 0 ? [] : one.line_items;
  return (
    <>
      {one.milestones.length > 0 && (
        <Group title={t('escrow.milestones')}>
          {one.milestones.map((milestone, at) => (
            <Row
              key={milestone.name}
              test={`milestone-${at}`}
              title={milestone.name}
              detail={milestoneText(milestone)}
              end={
                <End
                  amount={milestone.amount_display}
                  act={acts.milestone(milestone)}
                  onAsk={onAsk}
                />
              }
            />
          ))}
        </Group>
      )}
      {shown.length > 0 && (
        <Group title={t('escrow.items')}>
          {shown.map((line, at) => (
            <Row
              key={line.line_item_id}
              test={`line-${at}`}
              title={line.description || t('escrow.item')}
              end={<End amount={line.amount_display} act={acts.line(line)} onAsk={onAsk} />}
            />
          ))}
        </Group>
      )}
      {one.movements.length > 0 && (
        <Group title={t('escrow.history')}>
          {one.movements.map((movement, at) => (
            <Row
              key={at}
              test={`movement-${at}`}
              title={<Money value={movement.amount_display} />}
              detail={movementText(one, movement)}
            />
          ))}
        </Group>
      )}
      {acts.all !== null && <ActButton act={acts.all} wide onAsk={onAsk} />}
    </>
  );
}

function Group(props: { readonly title: string; readonly children: preact.ComponentChildren }) {
  return (
    <section class="group" aria-label={props.title}>
      <h2>{props.title}</h2>
      <Rows>{props.children}</Rows>
    </section>
  );
}

/** The amount at the end of a row, and what can be done with it. */
function End(props: {
  readonly amount: string;
  readonly act: Act | null;
  readonly onAsk: (act: Act) => void;
}) {
  return (
    <span class="row-end">
      <Money value={props.amount} />
      {props.act !== null && <ActButton act={props.act} onAsk={props.onAsk} />}
    </span>
  );
}
