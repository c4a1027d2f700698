// The screens around a flow: before a link is opened, when it cannot be, after an error, and at the
// end. Each says plainly what to do next.
import type { VNode } from 'preact';
import type { Boot } from './flow.ts';
import { Button, Screen, Spinner } from './kit/index.ts';
import { drawn, t, type Key } from './texts.ts';

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
export function SandboxBadge({ boot: { mails } }: { boot: Boot }) {
  if (mails === null) {
    return (
      <p class="sandbox-badge" data-test="sandbox-badge">
        {t('page.sandbox')}
      </p>
    );
  }
  const link = (words: readonly (VNode | string)[]): VNode => (
    <a href={mails} target="_blank" rel="noopener" data-test="sandbox-mails">
      {words}
    </a>
  );
  return (
    <details class="sandbox-badge">
      <summary data-test="sandbox-badge">{t('page.sandbox')}</summary>
      {drawn<VNode>('page.sandbox_mails', { link })}
    </details>
  );
}

/** Asks for the click that opens the link: link preloaders do not click. [G-13] */
export function ContinueScreen({ boot, go }: { boot: Boot; go: () => void }) {
  const flow = (boot.flow ?? boot.flow_query ?? '').replace('-', '_');
  return (
    <Screen name="continue" title={t('page.purpose', { flow })}>
      <p>{t('page.sent_here', { flow, shop: boot.integrator_name })}</p>
      <Button test="continue" onClick={go}>
        {t('page.continue')}
      </Button>
    </Screen>
  );
}

/** Something is loading. */
export function WaitScreen() {
  return (
    <div class="wait" data-test="screen-wait">
      <Spinner label={t('page.loading')} large />
    </div>
  );
}

/** An obstacle, as shown to a person. */
export interface Obstacle {
  readonly code: string;
  readonly message: string;
}

/** Links that cannot be opened, by refusal code. */
const LINK_TEXTS: Readonly<Record<string, Key>> = {
  LINK_USED: 'link.LINK_USED',
  LINK_EXPIRED: 'link.LINK_EXPIRED',
  LINK_NOT_FOUND: 'link.LINK_NOT_FOUND',
  AUTHORIZED_INVOICE_EXPIRED: 'link.AUTHORIZED_INVOICE_EXPIRED',
  LINK_FLOW_MISMATCH: 'link.LINK_FLOW_MISMATCH',
  ACCOUNT_BLOCKED: 'link.ACCOUNT_BLOCKED',
};

/** True if a retry cannot help. */
export function isFinal(code: string): boolean {
  return code in LINK_TEXTS;
}

/** The sentence for a refusal's code, or the one that came with it. */
export function sentenceOf({ code, message }: Obstacle): string {
  const key = LINK_TEXTS[code];
  return key === undefined ? message : t(key);
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
      title={t(final ? 'link.title' : 'page.crash_title')}
    >
      <p role="alert">{sentenceOf(obstacle)}</p>
      <div class="stack">
        {!final && (
          <Button test="reload" onClick={reload}>
            {t('page.reload')}
          </Button>
        )}
        {close !== null && (
          <Button test="close" kind="secondary" onClick={close}>
            {t('page.close')}
          </Button>
        )}
        {home !== null && (
          <a class="button button-secondary button-wide" href={home} data-test="home">
            {t('page.home')}
          </a>
        )}
      </div>
    </Screen>
  );
}

/** After the end, if no page waits for the person. */
export function EndScreen({ done }: { done: boolean }) {
  return (
    <Screen name="end" title={t(done ? 'page.ended_done' : 'page.ended_cancelled')}>
      <p>{t('page.ended')}</p>
    </Screen>
  );
}

/** A frame without a page above it. */
export function LonelyScreen() {
  return (
    <Screen name="lonely" title={t('page.lonely_title')}>
      <p>{t('page.lonely')}</p>
    </Screen>
  );
}
