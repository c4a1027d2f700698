// A date in three parts, which everybody can type without scrolling a calendar.
import { EMPTY_DATE, type DateParts } from './date.ts';
import { FieldWords, reading, useField, type FieldProps } from './fields.tsx';
import { personal } from './personal.ts';
import { datesLocale, t } from '../texts.ts';

/** The twelve months by name, and the parts in the order of the page's language. */
function calendar() {
  const name = new Intl.DateTimeFormat(datesLocale(), { month: 'long', timeZone: 'UTC' });
  const months = Array.from({ length: 12 }, (_, at) => name.format(Date.UTC(2000, at, 1)));
  const whole = new Intl.DateTimeFormat(datesLocale(), { dateStyle: 'short' });
  const parts = whole.formatToParts(0).map(({ type }) => type);
  return { months, order: parts.filter((type) => type in EMPTY_DATE) as (keyof DateParts)[] };
}

interface DateFieldProps extends FieldProps {
  readonly value: DateParts;
  readonly onInput: (value: DateParts) => void;
}

/** A date of birth as day, month and year; hooks are `<test>-day`, `<test>-month`, `<test>-year`. */
export function DateField(props: DateFieldProps) {
  const { value, test } = props;
  const { id, invalid, described } = useField(props);
  const set = (part: keyof DateParts) => (text: string) =>
    props.onInput({ ...value, [part]: text.trim() });
  const number = (part: 'day' | 'year', maxLength: number) => (
    <label key={part}>
      {t(`page.${part}`)}
      <input
        class="input"
        inputMode="numeric"
        maxLength={maxLength}
        value={value[part]}
        data-test={`${test}-${part}`}
        autocomplete={personal(`birth_${part}`).autoComplete}
        aria-invalid={invalid}
        {...reading(personal(`birth_${part}`).read, set(part))}
      />
    </label>
  );
  const { months, order } = calendar();
  const parts = {
    day: number('day', 2),
    month: (
      <label key="month">
        {t('page.month')}
        <select
          class="input"
          value={value.month}
          data-test={`${test}-month`}
          autocomplete={personal('birth_month').autoComplete}
          aria-invalid={invalid}
          onInput={({ currentTarget }) => set('month')(currentTarget.value)}
        >
          <option value="" />
          {months.map((month, at) => (
            <option key={month} value={String(at + 1).padStart(2, '0')}>
              {month}
            </option>
          ))}
        </select>
      </label>
    ),
    year: number('year', 4),
  };
  return (
    <fieldset class="field" aria-describedby={described} data-test={test}>
      <legend>{props.label}</legend>
      <div class="date-parts">{order.map((part) => parts[part])}</div>
      <FieldWords id={id} hint={props.hint} error={props.error} />
    </fieldset>
  );
}
