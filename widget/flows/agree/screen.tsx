// Keeps the place of the agree screen until it lands.
import type { Boot, ToAgree } from '../flow.ts';

/** What the agree screen is given by the shell. */
export interface AgreeProps {
  readonly boot: Boot;
  readonly toAgree: ToAgree;
  /** True while the agreement is being sent. */
  readonly busy: boolean;
  /** A sentence when sending failed; '' otherwise. */
  readonly problem: string;
  accept(): void;
  cancel(): void;
}

/** Terms and consent, to be agreed to or not. */
export function AgreeScreen({ toAgree, accept, cancel }: AgreeProps) {
  return (
    <section data-test="screen-agree">
      <h1 tabIndex={-1}>Terms of service</h1>
      <p>{toAgree.terms?.content}</p>
      <button data-test="agree-accept" onClick={accept}>
        Accept
      </button>
      <button data-test="agree-cancel" onClick={cancel}>
        Cancel
      </button>
    </section>
  );
}
