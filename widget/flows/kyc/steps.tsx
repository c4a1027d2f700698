// The form's steps except documents: country, person, tax, address, telephone. draft.ts validates.
import { countryOptions } from '../kit/countries.ts';
import { DateField } from '../kit/date-field.tsx';
import { SelectField, SwitchRow, Rows, TextField } from '../kit/index.ts';
import { personal } from '../kit/personal.ts';
import type { Asked, Draft, Faults } from './draft.ts';
import type { Country } from './records.ts';
import { t } from '../texts.ts';
import { nameOrder } from './name-order.ts';

/** Props of a step's fields. */
export interface StepProps {
  readonly asked: Asked;
  readonly draft: Draft;
  readonly faults: Faults;
  readonly countries: readonly Country[];
  readonly set: (change: Partial<Draft>) => void;
}

type TextName = {
  [K in keyof Draft]: Draft[K] extends string ? K : never;
}[keyof Draft];

/** Props of a text field of the draft. */
export function field({ draft, faults, set }: StepProps, name: TextName) {
  return {
    ...personal(name),
    test: name.replaceAll('_', '-'),
    value: draft[name],
    error: faults[name],
    onInput: (value: string) => set({ [name]: value }),
  };
}

/** The country of the address. */
export function CountryStep(props: StepProps) {
  return (
    <SelectField
      {...field(props, 'country')}
      label={t('kyc.country_label')}
      placeholder={t('kyc.country_choose')}
      options={countryOptions(props.countries)}
      onInput={(country) => props.set({ country, state: '' })}
    />
  );
}

/** Name and date of birth, as far as they are needed. */
export function PersonStep(props: StepProps) {
  const { asked, draft, faults, set } = props;
  return (
    <>
      {asked.name && (
        <>
          {nameOrder().map((part) => (
            <TextField key={part} {...field(props, part)} label={t(`kyc.${part}`)} />
          ))}
        </>
      )}
      {asked.birth && (
        <DateField
          label={t('kyc.birth')}
          test="date-of-birth"
          value={draft.date_of_birth}
          error={faults.date_of_birth}
          onInput={(date_of_birth) => set({ date_of_birth })}
        />
      )}
    </>
  );
}

/** The tax number if one is needed, and the signature. */
export function TaxStep(props: StepProps) {
  const us = props.asked.ssn;
  return (
    <>
      {us && (
        <TextField
          {...field(props, 'ssn')}
          label={t('kyc.ssn')}
          hint={t('kyc.ssn_hint')}
          inputMode="numeric"
          maxLength={11}
        />
      )}
      <p class="certify">{t(us ? 'kyc.certify_us' : 'kyc.certify')}</p>
      <TextField {...field(props, 'signature')} label={t('kyc.sign')} spellCheck={false} />
    </>
  );
}

/** The telephone number, requested only if the one sent is wrong. */
export function PhoneStep(props: StepProps) {
  return (
    <div class="pair">
      <TextField
        {...field(props, 'phone_code')}
        label={t('kyc.phone_code')}
        inputMode="tel"
        maxLength={4}
      />
      <TextField
        {...field(props, 'phone_number')}
        label={t('kyc.phone_number')}
        inputMode="tel"
        maxLength={24}
      />
    </div>
  );
}

/** The address. */
export function AddressStep(props: StepProps) {
  const { asked, draft, set } = props;
  const regions = asked.country?.regions ?? [];
  const region = field(props, 'state');
  return (
    <>
      <TextField {...field(props, 'street')} label={t('kyc.street')} />
      <TextField {...field(props, 'street2')} label={t('kyc.street2')} />
      <TextField {...field(props, 'city')} label={t('kyc.city')} />
      <div class="pair">
        {regions.length === 0 ? (
          <TextField {...region} label={t('kyc.region')} />
        ) : (
          <SelectField
            {...region}
            label={t('kyc.state')}
            placeholder={t('page.choose')}
            options={regions.map((code) => ({ value: code, label: code }))}
          />
        )}
        <TextField
          {...field(props, 'zip')}
          label={t(regions.length === 0 ? 'kyc.postcode' : 'kyc.zip')}
        />
      </div>
      <Rows>
        <SwitchRow
          title={t('kyc.use_for_tax')}
          detail={t('kyc.use_for_tax_detail')}
          test="use-1099"
          checked={draft.use_1099}
          onChange={(use_1099) => set({ use_1099 })}
        />
      </Rows>
    </>
  );
}
