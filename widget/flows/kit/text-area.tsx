// A text of several lines.
import { FieldWords, useField, type FieldProps } from './fields.tsx';

export function TextArea(
  props: FieldProps & {
    readonly value: string;
    readonly maxLength: number;
    readonly onInput: (value: string) => void;
  },
) {
  const { id, invalid, described } = useField(props);
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <textarea
        class="input"
        id={id}
        dir="auto"
        rows={4}
        value={props.value}
        maxLength={props.maxLength}
        data-test={props.test}
        aria-invalid={invalid}
        aria-describedby={described}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
      <FieldWords id={id} hint={props.hint} error={props.error} />
    </div>
  );
}
