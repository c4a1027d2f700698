// Lists under every flow what the person has consented to, each with a way to withdraw it. A flow
// that relies on a withdrawn consent ends with it. [G-16]
import { useState } from 'preact/hooks';
import type { Api } from '../api.ts';
import type { Session } from '../flow.ts';
import { Button, ConfirmDialog, Notice } from '../kit/index.ts';
import { sentenceOf } from '../methods/load.ts';
import { Sentences } from './screen.tsx';
import { datesLocale, t } from '../texts.ts';

/** A consent as the platform lists it. */
interface Consent {
  readonly consent_id: string;
  readonly given_by: 'person' | 'integrator';
  readonly scopes: readonly { readonly scope: string; readonly sentence: string }[];
  readonly given: string;
}

const PATH = '/accounts/v1/consents';

function whenAndBy({ given, given_by }: Consent, name: string): string {
  const date = new Date(given).toLocaleDateString(datesLocale(), { dateStyle: 'long' });
  if (given_by === 'person') return t('agree.agreed_on', { date });
  return t('agree.agreed_on_by_shop', { date, shop: name });
}

/** Loads when opened. `ended`: the session relied on what was withdrawn. */
export function Allowed(props: {
  readonly api: Api;
  readonly session: Session;
  readonly ended: () => void;
}) {
  const { api, session, ended } = props;
  const name = session.integrator_name;
  const [consents, setConsents] = useState<readonly Consent[] | null>(null);
  const [asked, setAsked] = useState<Consent | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const load = async (): Promise<void> => {
    try {
      setConsents((await api.get<{ consents: readonly Consent[] }>(PATH)).consents);
      setProblem('');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  const takeBack = async ({ consent_id, scopes }: Consent): Promise<void> => {
    setBusy(true);
    try {
      await api.delete(`${PATH}/${consent_id}`);
      if (scopes.some(({ scope }) => session.scopes.includes(scope))) return ended();
      await load();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
    setAsked(null);
    setBusy(false);
  };
  return (
    <details
      class="allowed"
      data-test="allowed"
      onToggle={({ currentTarget }) => currentTarget.open && void load()}
    >
      <summary>{t('agree.allowed', { shop: name })}</summary>
      {problem !== '' && <Notice tone="error">{problem}</Notice>}
      {consents?.length === 0 && <p>{t('agree.allowed_nothing')}</p>}
      {consents?.map((one) => (
        <div class="stack" key={one.consent_id} data-test={`consent-${one.given_by}`}>
          <p class="small muted">{whenAndBy(one, name)}</p>
          <Sentences consent={one.scopes} />
          <Button kind="danger" small test="take-back" onClick={() => setAsked(one)}>
            {t('agree.withdraw')}
          </Button>
        </div>
      ))}
      {asked !== null && (
        <ConfirmDialog
          title={t('agree.withdraw_title')}
          test="take-back-dialog"
          confirm={t('agree.withdraw')}
          danger
          busy={busy}
          onConfirm={() => void takeBack(asked)}
          onCancel={() => setAsked(null)}
        >
          {t('agree.withdraw_note', { shop: name })}
        </ConfirmDialog>
      )}
    </details>
  );
}
