// Form fields: label above, hint and error below, all tied together for screen readers. Validation
// is the flow's part.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { AlertIcon, DownIcon } from './icons.tsx';

/** Props of every field. */
export interface FieldProps {
  readonly label: string;
  readonly test: string;
  /** A sentence under the field. */
  readonly hint?: string | undefined;
  /** What is wrong; replaces the hint. */
  readonly error?: string | undefined;
}

/** Ids and states that tie a control to its texts. */
export function useField({ hint, error }: Pick<FieldProps, 'hint' | 'error'>) {
  const id = useId();
  const described = error !== undefined || hint !== undefined ? `${id}-words` : undefined;
  return { id, invalid: error !== undefined, described };
}

type Words = Pick<FieldProps, 'hint' | 'error'> & { readonly id: string };

/** The texts under a field. */
export function FieldWords({ id, hint, error }: Words) {
  if (error !== undefined) {
    return (
      <p class="error" id={`${id}-words`}>
        <AlertIcon />
        <span>{error}</span>
      </p>
    );
  }
  return hint === undefined ? null : <small id={`${id}-words`}>{hint}</small>;
}

type Typing = (InputEvent | CompositionEvent) & { readonly currentTarget: HTMLInputElement };

/** Tells what is in a field with each change, as `read` reads it. */
export function reading(
  read: ((typed: string) => string) | undefined,
  take: (text: string) => void,
) {
  const hear = (event: Typing): void => {
    const field = event.currentTarget;
    const { value, selectionStart: at } = field;
    // What is still being put together must not change under the hand.
    const composing = 'isComposing' in event && event.isComposing;
    const text = read === undefined || composing ? value : read(value);
    if (text !== value) {
      field.value = text;
      // An address field has no selection.
      if (at !== null && text.length === value.length) field.setSelectionRange(at, at);
    }
    take(text);
  };
  return { onInput: hear, onCompositionEnd: hear };
}

interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'email';
  /** These two of a person's field come from personal.ts. */
  readonly autoComplete?: string;
  readonly read?: (typed: string) => string;
  readonly inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'tel';
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly spellCheck?: boolean;
}

/** A line of text. */
export function TextField(props: TextFieldProps) {
  const { id, invalid, described } = useField(props);
  // Input types are distinguished by literals; all of ours take the same attributes.
  const kind = { type: (props.type ?? 'text') as 'text' };
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        class="input"
        id={id}
        {...kind}
        value={props.value}
        data-test={props.test}
        autocomplete={props.autoComplete ?? 'off'}
        inputMode={props.inputMode}
        maxLength={props.maxLength}
        placeholder={props.placeholder}
        spellcheck={props.spellCheck}
        aria-invalid={invalid}
        aria-describedby={described}
        {...reading(props.read, props.onInput)}
      />
      <FieldWords id={id} hint={props.hint} error={props.error} />
    </div>
  );
}

/** One option of a select. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

interface SelectFieldProps extends FieldProps {
  readonly value: string;
  readonly options: readonly Option[];
  readonly onInput: (value: string) => void;
  readonly autoComplete?: string;
  /** Shown while nothing is chosen. */
  readonly placeholder?: string;
}

/** One of several, from the browser's own list. */
export function SelectField(props: SelectFieldProps) {
  const { id, invalid, described } = useField(props);
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <div class="select">
        <select
          class="input"
          id={id}
          value={props.value}
          data-test={props.test}
          autocomplete={props.autoComplete ?? 'off'}
          aria-invalid={invalid}
          aria-describedby={described}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        >
          {props.placeholder !== undefined && <option value="">{props.placeholder}</option>}
          {props.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <DownIcon />
      </div>
      <FieldWords id={id} hint={props.hint} error={props.error} />
    </div>
  );
}

interface SwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly test: string;
  readonly disabled?: boolean;
  readonly describedBy?: string | undefined;
  readonly children: ComponentChildren;
}

/** An immediate on/off switch, with its text before it. */
export function Switch(props: SwitchProps) {
  return (
    <label class="switch">
      {props.children}
      <input
        type="checkbox"
        role="switch"
        checked={props.checked}
        disabled={props.disabled ?? false}
        data-test={props.test}
        aria-describedby={props.describedBy}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
    </label>
  );
}
