// A date in three parts, which everybody can type without scrolling a calendar.
import type { DateParts } from './date.ts';
import { FieldWords, useField, type FieldProps } from './fields.tsx';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

interface DateFieldProps extends FieldProps {
  readonly value: DateParts;
  readonly onInput: (value: DateParts) => void;
  /** The date is a date of birth, which the browser may know. */
  readonly birthday?: boolean;
}

/** Day, month and year; hooks are `<test>-day`, `<test>-month`, `<test>-year`. */
export function DateField(props: DateFieldProps) {
  const { value, test, birthday = false } = props;
  const { id, invalid, described } = useField(props);
  const set = (part: keyof DateParts) => (event: { currentTarget: { value: string } }) =>
    props.onInput({ ...value, [part]: event.currentTarget.value.trim() });
  const number = (part: 'day' | 'year', label: string, maxLength: number) => (
    <label>
      {label}
      <input
        class="input"
        inputMode="numeric"
        maxLength={maxLength}
        value={value[part]}
        data-test={`${test}-${part}`}
        autocomplete={birthday ? `bday-${part}` : 'off'}
        aria-invalid={invalid}
        onInput={set(part)}
      />
    </label>
  );
  return (
    <fieldset class="field" aria-describedby={described} data-test={test}>
      <legend>{props.label}</legend>
      <div class="date-parts">
        {number('day', 'Day', 2)}
        <label>
          Month
          <select
            class="input"
            value={value.month}
            data-test={`${test}-month`}
            autocomplete={birthday ? 'bday-month' : 'off'}
            aria-invalid={invalid}
            onInput={set('month')}
          >
            <option value="" />
            {MONTHS.map((month, at) => (
              <option key={month} value={String(at + 1).padStart(2, '0')}>
                {month}
              </option>
            ))}
          </select>
        </label>
        {number('year', 'Year', 4)}
      </div>
      <FieldWords id={id} hint={props.hint} error={props.error} />
    </fieldset>
  );
}
