// The fields of a business that is registered outside the US: its register and, in the form of its
// country, its address. The platform checks numbers and postcodes. [G-54]
import { TextField } from '../kit/index.ts';
import type { Country } from './records.ts';
import type { Registered } from './registered.ts';
import { t } from '../texts.ts';

interface RegistrationFieldsProps {
  /** Hook, value, error and handler of a field. */
  readonly of: (name: Registered) => Omit<Parameters<typeof TextField>[0], 'label'>;
  readonly country: Country | undefined;
}

export function RegistrationFields({ of, country }: RegistrationFieldsProps) {
  const parts = country?.address ?? ['city', 'region', 'postal_code'];
  const has = (part: Country['address'][number]): boolean => parts.includes(part);
  return (
    <>
      <TextField
        {...of('legal_form')}
        label={t('kyb.legal_form')}
        hint={t('kyb.legal_form_hint')}
      />
      <TextField
        {...of('registration_number')}
        label={t('kyb.registration_number')}
        maxLength={50}
        spellCheck={false}
      />
      <TextField {...of('register')} label={t('kyb.register')} hint={t('kyb.register_hint')} />
      <TextField {...of('street')} label={t('kyb.street')} />
      <TextField {...of('street2')} label={t('kyb.street2')} />
      {has('postal_code') && (
        <TextField {...of('postal_code')} label={t('kyb.postal_code')} maxLength={20} />
      )}
      {has('city') && <TextField {...of('city')} label={t('kyb.city')} />}
      {has('region') && <TextField {...of('region')} label={t('kyb.region')} />}
      <TextField
        {...of('vat_number')}
        label={t('kyb.vat_number')}
        hint={t('kyb.vat_number_hint')}
        maxLength={24}
        spellCheck={false}
      />
    </>
  );
}
