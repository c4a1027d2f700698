// A screen: one heading, then its content. When it replaces another, the heading takes the focus,
// so that keyboard and screen reader continue there; a page without the focus (a frame in someone's
// page) never takes it.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Spinner } from './feedback.tsx';
import { ResultMark } from './icons.tsx';

/** Props of a screen. `name` becomes its hook `screen-<name>`. */
interface ScreenProps {
  readonly name: string;
  readonly title: string;
  /** A sentence under the heading. */
  readonly lead?: ComponentChildren;
  /** Above the heading: a progress line. */
  readonly above?: ComponentChildren;
  /** Draws the heading as a small line above a large amount, or only reads it out. */
  readonly heading?: 'payee' | 'unseen';
  /** Drawn together with the heading. */
  readonly below?: ComponentChildren;
  readonly busy?: boolean;
  readonly children?: ComponentChildren;
}

function useFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!document.hasFocus()) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return heading;
}

export function Screen(props: ScreenProps) {
  const heading = useFocus();
  return (
    <section class="screen" data-test={`screen-${props.name}`} aria-busy={props.busy ?? false}>
      <header>
        {props.above}
        <h1 ref={heading} tabIndex={-1} class={props.heading ?? ''}>
          {props.title}
        </h1>
        {props.lead !== undefined && <p class="lead">{props.lead}</p>}
        {props.below}
      </header>
      {props.children}
    </section>
  );
}

/** A result screen: a mark, the heading, a sentence, what to do next. */
export function Result(props: {
  readonly name: string;
  /** Good or bad; null: not decided. */
  readonly good: boolean | null;
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  const heading = useFocus();
  const { good } = props;
  return (
    <section class="screen" data-test={`screen-${props.name}`} aria-busy={good === null}>
      <header class="result">
        {good === null ? <Spinner large /> : <ResultMark good={good} />}
        <h1 ref={heading} tabIndex={-1}>
          {props.title}
        </h1>
        {props.lead !== undefined && (
          <p class="lead" role={good === null ? 'status' : undefined}>
            {props.lead}
          </p>
        )}
      </header>
      {props.children}
    </section>
  );
}
