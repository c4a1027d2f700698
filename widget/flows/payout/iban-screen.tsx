// Adds a bank account by its IBAN, typed here: it is no secret, and the platform shows no more of it
// than the last four characters. [G-91]
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import { fieldTexts } from '../field-texts.ts';
import type { FlowContext } from '../flow.ts';
import { BackButton, Button, Notice, Screen, TextField } from '../kit/index.ts';
import { personal } from '../kit/personal.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import { sentenceOf } from '../methods/load.ts';
import { t } from '../texts.ts';
import { addIban } from './calls.ts';
import type * as rules from './iban.ts';

const HOLDER_MAX = 70;
/** As printed, in groups of four. */
const IBAN_MAX = 42;

export interface AddScreenProps {
  readonly context: FlowContext;
  /** Of the person or their business; '' where it is not known. */
  readonly country: string;
  readonly onAdded: (method: PaymentMethod) => void;
  readonly onCancel: () => void;
}

type Rules = typeof rules;
type Faults = Readonly<Record<string, string | undefined>>;

/** The rules of IBANs, loaded with this screen alone; null until they are there. */
function useRules(): Rules | null {
  const [rules, setRules] = useState<Rules | null>(null);
  // Without them the platform's own check is enough.
  useEffect(() => void import('./iban.ts').then(setRules, () => {}), []);
  return rules;
}

export function IbanScreen({ context, country, onAdded, onCancel }: AddScreenProps) {
  const [iban, setIban] = useState('');
  const [holder, setHolder] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const key = useRef('');
  const rules = useRules();
  const save = async (): Promise<void> => {
    const found: Faults = {
      iban: rules?.ibanFault(iban),
      holder_name: holder.trim() === '' ? t('payout.holder_missing') : undefined,
    };
    setFaults(found);
    setProblem('');
    if (busy || found['iban'] !== undefined || found['holder_name'] !== undefined) return;
    setBusy(true);
    if (key.current === '') key.current = crypto.randomUUID();
    try {
      onAdded(await addIban(context, iban, holder.trim(), key.current));
    } catch (error) {
      const refused = error instanceof ApiError;
      if (refused && error.status !== 0) key.current = '';
      setFaults(refused ? fieldTexts(error.errors) : {});
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Screen
      name="add-iban"
      title={t('methods.add_iban')}
      lead={t('payout.iban_lead')}
      above={<BackButton test="entry-cancel" onClick={onCancel} />}
    >
      <form
        class="screen"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label={t('payout.iban')}
          test="iban"
          {...personal('iban')}
          value={iban}
          maxLength={IBAN_MAX}
          spellCheck={false}
          hint={rules?.ibanWords(iban, country)}
          error={faults['iban']}
          onInput={setIban}
        />
        <TextField
          label={t('payout.holder')}
          hint={t('payout.holder_hint')}
          test="holder"
          {...personal('holder')}
          value={holder}
          maxLength={HOLDER_MAX}
          error={faults['holder_name']}
          onInput={setHolder}
        />
        <div class="actions">
          {problem !== '' && (
            <Notice tone="error" test="problem">
              {problem}
            </Notice>
          )}
          <Button type="submit" test="iban-save" busy={busy}>
            {t('payout.iban_save')}
          </Button>
        </div>
      </form>
    </Screen>
  );
}
