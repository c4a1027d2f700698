// Rows to choose from: a fieldset with its question and rows in one box. Buttons at a row's end are
// not part of its label.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Switch } from './fields.tsx';

/** How a row looks: icon, name, and a quieter line. */
export interface RowFace {
  readonly icon?: ComponentChildren;
  readonly title: ComponentChildren;
  readonly detail?: ComponentChildren;
}

function Words({ title, detail }: RowFace) {
  return (
    <span class="row-words">
      <strong>{title}</strong>
      {detail !== undefined && <small>{detail}</small>}
    </span>
  );
}

/** A box of rows without a question. */
export function Rows({ children }: { readonly children: ComponentChildren }) {
  return <div class="rows">{children}</div>;
}

/** The question, the rows, and the error. */
export function RadioGroup(props: {
  readonly label: string;
  readonly test?: string;
  readonly error?: string | undefined;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <fieldset
      class="group"
      data-test={props.test}
      aria-describedby={props.error === undefined ? undefined : id}
    >
      <legend>{props.label}</legend>
      <div class="rows">{props.children}</div>
      <div class="field" role="alert">
        {props.error !== undefined && (
          <p class="error" id={id}>
            {props.error}
          </p>
        )}
      </div>
    </fieldset>
  );
}

interface RadioRowProps extends RowFace {
  /** The same for all rows of a group. */
  readonly name: string;
  readonly checked: boolean;
  readonly test: string;
  readonly onChoose: () => void;
  /** Buttons at the end of the row. */
  readonly actions?: ComponentChildren;
  /** Opened below the row. */
  readonly more?: ComponentChildren;
}

/** One choice. The hook is on the radio button. */
export function RadioRow(props: RadioRowProps) {
  return (
    <div class="row">
      <div class="row-line">
        <label>
          <input
            type="radio"
            name={props.name}
            checked={props.checked}
            data-test={props.test}
            onChange={props.onChoose}
          />
          {props.icon}
          <Words {...props} />
        </label>
        {props.actions}
      </div>
      {props.more}
    </div>
  );
}

/** A row that only shows something, or holds a control at its end. */
export function Row(props: RowFace & { readonly test?: string; readonly end?: ComponentChildren }) {
  return (
    <div class="row" data-test={props.test}>
      <div class="row-line">
        <div class="row-still">
          {props.icon}
          <Words {...props} />
          {props.end}
        </div>
      </div>
    </div>
  );
}

type SwitchRowProps = RowFace & {
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly test: string;
  readonly onChange: (checked: boolean) => void;
};

/** A row with a switch. The hook is on the switch. */
export function SwitchRow({ icon, title, detail, ...control }: SwitchRowProps) {
  return (
    <div class="row">
      <div class="row-line">
        <Switch {...control}>
          {icon}
          <Words title={title} detail={detail} />
        </Switch>
      </div>
    </div>
  );
}
