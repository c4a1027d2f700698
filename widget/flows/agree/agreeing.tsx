// Asks for terms and consent until they are agreed to: what changed meanwhile is read again, a
// failed send can be repeated.
import { useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import type { FlowConfig } from '../../protocol.ts';
import type { Boot, Session } from '../flow.ts';
import type { Agreement, Door } from '../session.ts';
import { sentenceOf } from '../methods/load.ts';
import { isFinal } from '../shell-screens.tsx';
import { AgreeScreen } from './screen.tsx';

/** From the shell; `session` has something to agree to. */
export interface AgreeingProps {
  readonly boot: Boot;
  readonly door: Door;
  readonly session: Session;
  readonly config: FlowConfig;
  /** Its failure is shown like a failed send. */
  agreed(session: Session): void | Promise<void>;
  cancel(): void;
  /** Called with an error that a retry cannot fix. */
  failed(error: unknown): void;
}

/** The agree screen and its sending. */
export function Agreeing(props: AgreeingProps) {
  const { boot, door, session, config, agreed, cancel, failed } = props;
  const [asked, setAsked] = useState({ session, problem: '' });
  const [busy, setBusy] = useState(false);
  const send = async (agree: Agreement | null, problem = ''): Promise<void> => {
    setBusy(true);
    try {
      const now = await door.open(null, agree);
      if (now.to_agree === null) await agreed(now);
      else setAsked({ session: now, problem });
    } catch (error) {
      const known = error instanceof ApiError ? error : null;
      if (known?.is('TERMS_VERSION_STALE')) await send(null, sentenceOf(error));
      else if (known === null || known.codes.some(isFinal)) failed(error);
      else setAsked({ ...asked, problem: sentenceOf(error) });
    }
    setBusy(false);
  };
  const toAgree = asked.session.to_agree;
  if (toAgree === null) return null;
  // A different text must be agreed to anew.
  const version = toAgree.terms === null ? {} : { terms_version: toAgree.terms.version };
  return (
    <AgreeScreen
      key={toAgree.terms?.version}
      boot={boot}
      toAgree={toAgree}
      config={config}
      busy={busy}
      problem={asked.problem}
      accept={() => void send({ ...version, consent: true })}
      cancel={cancel}
    />
  );
}
