// The first step: what the business is. Saved when the person moves on, so that it can be continued
// later.
import { useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import { fieldTexts } from '../field-texts.ts';
import { SelectField, TextField } from '../kit/index.ts';
import { personal } from '../kit/personal.ts';
import { countryOptions } from '../kit/countries.ts';
import { sentenceOf } from '../methods/load.ts';
import { save } from './calls.ts';
import { companyOf, isAbroad, peopleOf, type Company } from './draft.ts';
import { checkedFaults, companyFaults, countryOf } from './faults.ts';
import type { StepProps } from './step.ts';
import { reasonText, typeText } from './records.ts';
import { RegistrationFields } from './registration-fields.tsx';
import { StepScreen } from './step-screen.tsx';
import { t } from '../texts.ts';

function field(company: Company, faults: Readonly<Record<string, string>>, name: keyof Company) {
  const test = name.split('_').join('-');
  return { ...personal(name), test, value: company[name], error: faults[name] };
}

export function CompanyStep(props: StepProps) {
  const { context, form, countries } = props;
  const [company, setCompany] = useState(() => companyOf(form));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const go = async (): Promise<void> => {
    const found = companyFaults(company, form.tax_id_given, countries);
    setFaults(found);
    setProblem('');
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      const saved = await save(context, company, peopleOf(form));
      if (!saved.needs.includes('address')) return props.onForm(saved, 'people');
      setFaults(checkedFaults(['postal_code']));
    } catch (error) {
      setProblem(sentenceOf(error));
      const errors = error instanceof ApiError ? error.errors : {};
      setFaults({ ...fieldTexts(errors), ...checkedFaults(Object.keys(errors)) });
    }
    setBusy(false);
  };
  const of = (name: keyof Company) => ({
    ...field(company, faults, name),
    onInput: (value: string) => setCompany({ ...company, [name]: value }),
  });
  return (
    <StepScreen
      name="company"
      title={t('kyb.company_title')}
      lead={t('kyb.company_lead')}
      at={0}
      faults={faults}
      problem={problem}
      reasons={form.reasons.map(reasonText)}
      busy={busy}
      go={t('page.continue')}
      onGo={() => void go()}
      onCancel={props.onCancel}
    >
      <TextField {...of('entity_name')} label={t('kyb.entity_name')} />
      <SelectField
        {...of('country')}
        label={t('kyb.country')}
        placeholder={t('page.choose_country')}
        options={countryOptions(countries)}
      />
      {isAbroad(company) ? (
        <RegistrationFields of={of} country={countryOf(company, countries)} />
      ) : (
        <>
          <SelectField
            {...of('entity_type')}
            label={t('kyb.entity_type')}
            placeholder={t('page.choose')}
            options={form.entity_types.map((type) => ({ value: type, label: typeText(type) }))}
          />
          <TextField
            {...of('tax_id')}
            label={t('kyb.tax_id')}
            hint={t(form.tax_id_given ? 'kyb.tax_id_saved' : 'kyb.tax_id_hint')}
            inputMode="numeric"
            maxLength={11}
          />
          <TextField {...of('naics_numbers')} label={t('kyb.naics')} hint={t('kyb.naics_hint')} />
          <TextField {...of('duns_numbers')} label={t('kyb.duns')} hint={t('kyb.duns_hint')} />
        </>
      )}
      <TextField {...of('user_email')} label={t('kyb.email')} type="email" />
    </StepScreen>
  );
}
