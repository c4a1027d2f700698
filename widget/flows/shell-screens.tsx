// The screens around a flow: before a link is opened, when it cannot be, after an error, and at the
// end. Each says plainly what to do next.
import type { Boot } from './flow.ts';
import { Button, Screen, Spinner } from './kit/index.ts';

/** Names of flows for people. */
const PURPOSES: Readonly<Record<string, string>> = {
  'payment-selection': 'choose how to pay',
  checkout: 'check your order and pay',
  tos: 'read the terms of service and agree to them',
  kyc: 'confirm your identity',
  kyb: 'verify your business',
  purchase: 'add or choose a payment method',
  payout: 'choose where to receive your money',
  'payout-full': 'request a payout',
  txnhistory: 'see your transactions',
  txndetails: 'see a transaction',
};

/** The tenant's logo, or its name. */
export function Brand({ boot }: { boot: Boot }) {
  const { logo } = boot.look;
  if (logo === '') return <p class="brand">{boot.integrator_name}</p>;
  return (
    <p class="brand">
      <img src={logo} alt={boot.integrator_name} />
    </p>
  );
}

/** On every page of a sandbox, so that nobody takes it for the real thing. */
export function SandboxBadge() {
  return (
    <p class="sandbox-badge" data-test="sandbox-badge">
      Sandbox: no real money moves
    </p>
  );
}

/** Asks for the click that opens the link: link preloaders do not click. [G-13] */
export function ContinueScreen({ boot, go }: { boot: Boot; go: () => void }) {
  const purpose = PURPOSES[boot.flow ?? boot.flow_query ?? ''] ?? 'continue';
  return (
    <Screen name="continue" title={purpose.charAt(0).toUpperCase() + purpose.slice(1)}>
      <p>
        {boot.integrator_name} sent you here to {purpose}. The link works once, in this browser.
      </p>
      <Button test="continue" onClick={go}>
        Continue
      </Button>
    </Screen>
  );
}

/** Something is loading. */
export function WaitScreen() {
  return (
    <div class="wait" data-test="screen-wait">
      <Spinner label="Loading" large />
    </div>
  );
}

/** An obstacle, as shown to a person. */
export interface Obstacle {
  readonly code: string;
  readonly message: string;
}

const ASK_AGAIN = 'Go back to where you got it and ask for a new link.';

/** Sentences for links that cannot be opened, by refusal code. */
const LINK_SENTENCES: Readonly<Record<string, string>> = {
  LINK_USED:
    'This link was already used. If that was you and you finished, there is nothing left to do ' +
    `here. If not: ${ASK_AGAIN.charAt(0).toLowerCase()}${ASK_AGAIN.slice(1)}`,
  LINK_EXPIRED: `This link is no longer valid. ${ASK_AGAIN}`,
  LINK_NOT_FOUND: `This link is unknown. ${ASK_AGAIN}`,
  AUTHORIZED_INVOICE_EXPIRED: `This order can no longer be paid. ${ASK_AGAIN}`,
  LINK_FLOW_MISMATCH: `This link is for another page. ${ASK_AGAIN}`,
  ACCOUNT_BLOCKED: 'This account cannot be used at the moment. Ask the shop what to do.',
};

/** True if a retry cannot help. */
export function isFinal(code: string): boolean {
  return code in LINK_SENTENCES;
}

/** The sentence for a refusal's code, or the one that came with it. */
export function sentenceOf({ code, message }: Obstacle): string {
  return LINK_SENTENCES[code] ?? message;
}

/** A full-screen error. `close` null: there is nobody to return to. */
export function CrashScreen(props: {
  readonly obstacle: Obstacle;
  readonly reload: () => void;
  readonly close: (() => void) | null;
  /** The shop's own page, if a person is to be led there. */
  readonly home: string | null;
}) {
  const { obstacle, reload, close, home } = props;
  const final = isFinal(obstacle.code);
  return (
    <Screen
      name={final ? 'link' : 'crash'}
      title={final ? 'This link cannot be opened' : 'Something went wrong'}
    >
      <p role="alert">{sentenceOf(obstacle)}</p>
      <div class="stack">
        {!final && (
          <Button test="reload" onClick={reload}>
            Reload
          </Button>
        )}
        {close !== null && (
          <Button test="close" kind="secondary" onClick={close}>
            Close
          </Button>
        )}
        {home !== null && (
          <a class="button button-secondary button-wide" href={home} data-test="home">
            Back to the shop
          </a>
        )}
      </div>
    </Screen>
  );
}

/** After the end, if no page waits for the person. */
export function EndScreen({ done }: { done: boolean }) {
  return (
    <Screen name="end" title={done ? 'Done' : 'Cancelled'}>
      <p>You can close this page.</p>
    </Screen>
  );
}

/** A frame without a page above it. */
export function LonelyScreen() {
  return (
    <Screen name="lonely" title="Nothing to show">
      <p>The page around this form did not respond. Open that page again.</p>
    </Screen>
  );
}
