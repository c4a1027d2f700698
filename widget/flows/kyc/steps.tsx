// The form's steps except documents: country, person, tax, address, telephone. draft.ts validates.
import { DateField, SelectField, SwitchRow, Rows, TextField } from '../kit/index.ts';
import type { Asked, Draft, Faults, StepId } from './draft.ts';
import type { Country } from './records.ts';

/** Props of a step's fields. */
export interface StepProps {
  readonly asked: Asked;
  readonly draft: Draft;
  readonly faults: Faults;
  readonly countries: readonly Country[];
  readonly set: (change: Partial<Draft>) => void;
}

/** Headings of the steps. */
export const STEP_WORDS: Readonly<
  Record<StepId, { readonly title: string; readonly lead: string }>
> = {
  country: { title: 'Where do you live?', lead: 'The questions depend on your country.' },
  person: { title: 'Who are you?', lead: 'As on your passport or identity card.' },
  tax: { title: 'Tax details', lead: 'The law requires them before you can be paid.' },
  address: { title: 'Your address', lead: 'Where you live, not your mailing address.' },
  phone: { title: 'Your telephone number', lead: 'With the calling code of your country.' },
  documents: { title: 'Your document', lead: 'All four corners visible, no glare.' },
};

/** Countries to choose from. */
export function countryOptions(countries: readonly Country[]) {
  return countries.map(({ code, name }) => ({ value: code, label: name }));
}

type TextName = {
  [K in keyof Draft]: Draft[K] extends string ? K : never;
}[keyof Draft];

/** Props of a text field of the draft. */
export function field({ draft, faults, set }: StepProps, name: TextName) {
  return {
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
      label="Country"
      placeholder="Choose your country"
      autoComplete="country"
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
          <TextField {...field(props, 'first')} label="First name" autoComplete="given-name" />
          <TextField
            {...field(props, 'middle')}
            label="Middle name (if you have one)"
            autoComplete="additional-name"
          />
          <TextField {...field(props, 'last')} label="Last name" autoComplete="family-name" />
        </>
      )}
      {asked.birth && (
        <DateField
          label="Date of birth"
          test="date-of-birth"
          birthday
          value={draft.date_of_birth}
          error={faults.date_of_birth}
          onInput={(date_of_birth) => set({ date_of_birth })}
        />
      )}
    </>
  );
}

const CERTIFY_US =
  'Under penalties of perjury I certify that the number above is my own, that I am a US person, ' +
  'and that what I state here is true.';
const CERTIFY =
  'Under penalties of perjury I certify that I am not a US person, and that what I state here is ' +
  'true.';

/** The tax number if one is needed, and the signature. */
export function TaxStep(props: StepProps) {
  const us = props.asked.ssn;
  return (
    <>
      {us && (
        <TextField
          {...field(props, 'ssn')}
          label="Social security number"
          hint="Nine digits. It is stored encrypted and never shown again."
          inputMode="numeric"
          maxLength={11}
        />
      )}
      <p class="certify">{us ? CERTIFY_US : CERTIFY}</p>
      <TextField
        {...field(props, 'signature')}
        label="Sign by typing your full name"
        autoComplete="name"
        spellCheck={false}
      />
    </>
  );
}

/** The telephone number, requested only if the one sent is wrong. */
export function PhoneStep(props: StepProps) {
  return (
    <div class="pair">
      <TextField
        {...field(props, 'phone_code')}
        label="Calling code, such as 33"
        inputMode="tel"
        maxLength={4}
        autoComplete="tel-country-code"
      />
      <TextField
        {...field(props, 'phone_number')}
        label="Number"
        inputMode="tel"
        maxLength={24}
        autoComplete="tel-national"
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
      <TextField
        {...field(props, 'street')}
        label="Street and number"
        autoComplete="address-line1"
      />
      <TextField
        {...field(props, 'street2')}
        label="Flat, floor (if any)"
        autoComplete="address-line2"
      />
      <TextField {...field(props, 'city')} label="Town" autoComplete="address-level2" />
      <div class="pair">
        {regions.length === 0 ? (
          <TextField {...region} label="Region (if any)" autoComplete="address-level1" />
        ) : (
          <SelectField
            {...region}
            label="State"
            placeholder="Choose"
            autoComplete="address-level1"
            options={regions.map((code) => ({ value: code, label: code }))}
          />
        )}
        <TextField
          {...field(props, 'zip')}
          label={regions.length === 0 ? 'Postcode (if any)' : 'ZIP code'}
          autoComplete="postal-code"
        />
      </div>
      <Rows>
        <SwitchRow
          title="Use it for tax documents"
          detail="They will show this address."
          test="use-1099"
          checked={draft.use_1099}
          onChange={(use_1099) => set({ use_1099 })}
        />
      </Rows>
    </>
  );
}
