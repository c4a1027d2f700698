// Terms and consent, agreed to with one switch or not at all.
import { useState } from 'preact/hooks';
import type { FlowConfig } from '../../protocol.ts';
import { Lines, PayBar, Total } from '../checkout/summary.tsx';
import type { Boot, ToAgree } from '../flow.ts';
import { Button, CheckIcon, Notice, Screen, Switch } from '../kit/index.ts';
import { t, textOf } from '../texts.ts';

/** What the shell gives to the agree screen. */
export interface AgreeProps {
  readonly boot: Boot;
  readonly toAgree: ToAgree;
  readonly config: FlowConfig;
  /** True while the agreement is being sent. */
  readonly busy: boolean;
  /** A sentence if sending failed; else ''. */
  readonly problem: string;
  accept(): void;
  cancel(): void;
}

/** What scopes mean, a line for each. */
export function Sentences({ consent }: Pick<ToAgree, 'consent'>) {
  return (
    <ul class="bullets">
      {consent.map(({ scope, sentence }) => (
        <li key={scope}>
          <CheckIcon />
          <span>{textOf('consent', scope) ?? sentence}</span>
        </li>
      ))}
    </ul>
  );
}

type ConsentProps = Pick<AgreeProps, 'boot'> & Pick<ToAgree, 'consent'>;

function Consent({ boot, consent }: ConsentProps) {
  return (
    <div class="stack">
      <h2>{t('agree.consent', { shop: boot.integrator_name })}</h2>
      <Sentences consent={consent} />
    </div>
  );
}

/** The text opens on a tap; at once where it is all that the person is here for. */
function Terms({ text, open }: { readonly text: string; readonly open: boolean }) {
  return (
    <details class="terms-fold" data-test="terms" open={open}>
      <summary>
        <h2 id="terms-heading">{t('agree.terms')}</h2>
      </summary>
      <div class="terms" tabIndex={0} role="region" aria-labelledby="terms-heading">
        {text}
      </div>
    </details>
  );
}

/** Terms and consent, below what they are for. [public-facts 4.6, G-16] */
export function AgreeScreen(props: AgreeProps) {
  const { boot, toAgree, config, busy, problem, accept, cancel } = props;
  const [agreed, setAgreed] = useState(false);
  const [missing, setMissing] = useState(false);
  const { sale, terms, consent } = toAgree;
  const shop = boot.integrator_name;
  const both = terms !== null && consent.length > 0;
  const what = both ? 'both' : terms === null ? 'consent' : 'terms';
  const send = (): void => {
    setMissing(!agreed);
    if (agreed) accept();
  };
  return (
    <Screen
      name="agree"
      title={sale === null ? t('agree.title') : t('agree.title_sale', { shop })}
      {...(sale !== null && { heading: 'payee', below: <Total invoice={sale} /> })}
    >
      {sale !== null && sale.description !== '' && <p class="muted">{sale.description}</p>}
      {sale !== null && <Lines invoice={sale} config={config} />}
      {consent.length > 0 && <Consent boot={boot} consent={consent} />}
      {terms !== null && <Terms text={terms.content} open={sale === null && consent.length === 0} />}
      <div class="rows">
        <div class="row-line">
          <Switch
            checked={agreed}
            test="agree-switch"
            describedBy={missing && !agreed ? 'agree-missing' : undefined}
            onChange={setAgreed}
          >
            <span>{t('agree.agree', { what })}</span>
          </Switch>
        </div>
      </div>
      <div class="field" role="alert">
        {missing && !agreed && (
          <p class="error" id="agree-missing">
            {t('agree.missing')}
          </p>
        )}
      </div>
      {problem !== '' && <Notice tone="error">{problem}</Notice>}
      <PayBar total={sale?.display_amount ?? null}>
        <Button test="agree-accept" busy={busy} onClick={send}>
          {t('agree.accept')}
        </Button>
      </PayBar>
      <div class="actions">
        <Button kind="quiet" test="agree-cancel" disabled={busy} onClick={cancel}>
          {t('page.cancel')}
        </Button>
      </div>
    </Screen>
  );
}
