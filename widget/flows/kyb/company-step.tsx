// The first step: what the business is. Saved when the person moves on, so that it can be continued
// later.
import { useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import { SelectField, TextField } from '../kit/index.ts';
import { sentenceOf } from '../methods/load.ts';
import { save } from './calls.ts';
import { companyFaults, companyOf, needsTaxId, peopleOf, type Company } from './draft.ts';
import type { StepProps } from './step.ts';
import { TYPES } from './records.ts';
import { StepScreen } from './step-screen.tsx';

function field(company: Company, faults: Readonly<Record<string, string>>, name: keyof Company) {
  return { test: name.split('_').join('-'), value: company[name], error: faults[name] };
}

export function CompanyStep(props: StepProps) {
  const { context, form, countries } = props;
  const [company, setCompany] = useState(() => companyOf(form));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const go = async (): Promise<void> => {
    const found = companyFaults(company, form.tax_id_given);
    setFaults(found);
    setProblem('');
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      props.onForm(await save(context, company, peopleOf(form)), 'people');
    } catch (error) {
      setBusy(false);
      setProblem(sentenceOf(error));
      setFaults(error instanceof ApiError ? error.errors : {});
    }
  };
  const of = (name: keyof Company) => ({
    ...field(company, faults, name),
    onInput: (value: string) => setCompany({ ...company, [name]: value }),
  });
  return (
    <StepScreen
      name="company"
      title="Your business"
      lead="As in its registration."
      at={0}
      faults={faults}
      problem={problem}
      reasons={form.reasons.map(({ sentence }) => sentence)}
      busy={busy}
      go="Continue"
      onGo={() => void go()}
      onCancel={props.onCancel}
    >
      <TextField {...of('entity_name')} label="Legal name" autoComplete="organization" />
      <SelectField
        {...of('entity_type')}
        label="Kind of business"
        placeholder="Choose"
        options={TYPES}
      />
      <SelectField
        {...of('country')}
        label="Registered in"
        placeholder="Choose a country"
        autoComplete="country"
        options={countries.map(({ code, name }) => ({ value: code, label: name }))}
      />
      {needsTaxId(company) && (
        <TextField
          {...of('tax_id')}
          label="Tax number (EIN)"
          hint={
            form.tax_id_given
              ? 'Already saved. Leave this empty to keep it.'
              : 'Nine digits. It is stored encrypted and never shown again.'
          }
          inputMode="numeric"
          maxLength={11}
        />
      )}
      <TextField {...of('user_email')} label="E-mail of the business (if any)" type="email" />
      <TextField
        {...of('naics_numbers')}
        label="NAICS codes (if you know them)"
        hint="Six digits each, with commas between."
      />
      <TextField
        {...of('duns_numbers')}
        label="D-U-N-S numbers (if any)"
        hint="Nine digits each, with commas between."
      />
    </StepScreen>
  );
}
