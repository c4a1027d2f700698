// The shell of every flow: opens the link, asks for agreement, runs the flow and ends it, with an
// error boundary around everything. Only the shell reports to the surroundings.
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FlowConfig, FlowName, FlowResult } from '../protocol.ts';
import { Agreeing } from './agree/agreeing.tsx';
import { Allowed } from './agree/allowed.tsx';
import { ApiError } from './api.ts';
import type { Boot, FlowComponent, FlowContext, Session } from './flow.ts';
import { sentenceOf } from './methods/load.ts';
import { leaveInWindow, ownAddress, returnedEntry } from './leaving.ts';
import { loadFlow } from './router.tsx';
import type { Door } from './session.ts';
import * as screens from './shell-screens.tsx';
import type { Surroundings } from './surroundings.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { pageLanguage, speak } from './language.ts';
import { t } from './texts.ts';

export interface ShellProps {
  readonly boot: Boot;
  readonly door: Door;
  readonly surroundings: Surroundings;
  /** On a page of its own. */
  readonly page: boolean;
  /** The requested flow; null: neither link nor URL names one. */
  readonly flow: FlowName | null;
  readonly config: FlowConfig;
  readonly debug: boolean;
}

type Stage =
  | { readonly at: 'continue' | 'wait' }
  | { readonly at: 'agree'; readonly session: Session }
  | { readonly at: 'flow'; readonly session: Session; readonly Flow: FlowComponent }
  | { readonly at: 'crash'; readonly obstacle: screens.Obstacle }
  | { readonly at: 'end'; readonly done: boolean };

function obstacleOf(error: unknown): screens.Obstacle {
  if (error instanceof ApiError) return { code: error.codes[0] ?? '', message: sentenceOf(error) };
  return { code: 'PAGE_FAILED', message: t('page.crashed') };
}

export function Shell(props: ShellProps) {
  const { boot, door, page } = props;
  const [stage, setStage] = useState<Stage>(() => firstStage(props));
  const voice = useVoice(props, setStage);
  const [again, answer] = useNewTerms(door);
  // A page in another language is drawn again.
  const [spoken, setSpoken] = useState(0);
  const hear = (): void => {
    setSpoken(spoken + 1);
    void door.spoken();
  };
  const failed = (error: unknown): void => voice.crash(obstacleOf(error), error);

  const enter = async (session: Session): Promise<void> => {
    voice.name.current = session.flow;
    if (session.to_agree !== null) setStage({ at: 'agree', session });
    else {
      const texts = speak(boot, pageLanguage(), session.flow);
      const Flow = await loadFlow(session.flow);
      await texts;
      setStage({ at: 'flow', session, Flow });
    }
  };
  const open = (): void => {
    if (page) door.hideNonce();
    void door.open(props.flow, null).then(enter).catch(failed);
  };
  useEffect(() => {
    if (stage.at === 'wait') open();
    if (stage.at === 'crash') voice.crash(stage.obstacle);
  }, []);
  useEffect(() => {
    if (stage.at === 'agree' || stage.at === 'crash') voice.ready();
  }, [stage.at]);

  const go = (): void => {
    setStage({ at: 'wait' });
    open();
  };
  const close = (): void => voice.finish({ state: 'error', trigger: 'close-button' });
  const cancel = (): void => voice.finish({ state: 'cancel' });
  const nobody = page && boot.return_url === null;
  const agreeing = { boot, door, config: props.config, failed };
  return (
    <Boundary failed={failed} key={stage.at}>
      {boot.env === 'staging' && <screens.SandboxBadge boot={boot} />}
      {page && boot.integrator_name !== '' && <screens.Brand boot={boot} />}
      {stage.at === 'continue' && <screens.ContinueScreen boot={boot} go={go} />}
      {stage.at === 'wait' && <screens.WaitScreen />}
      {stage.at === 'agree' && (
        <Agreeing {...agreeing} session={stage.session} agreed={enter} cancel={cancel} />
      )}
      {stage.at === 'flow' && (
        <div hidden={again !== null}>
          <FlowStage {...props} voice={voice} stage={stage} />
          {stage.session.scopes.length > 0 && (
            <Allowed api={door.api} session={stage.session} ended={cancel} />
          )}
        </div>
      )}
      {stage.at === 'flow' && again !== null && (
        <Agreeing
          {...agreeing}
          session={again}
          agreed={() => answer(true)}
          cancel={() => answer(false)}
          failed={(error) => {
            answer(false);
            failed(error);
          }}
        />
      )}
      {stage.at === 'crash' && (
        <screens.CrashScreen
          obstacle={stage.obstacle}
          reload={page && door.opened ? () => location.reload() : go}
          close={nobody ? null : close}
          home={page && nobody ? boot.home : null}
        />
      )}
      {stage.at === 'end' && <screens.EndScreen done={stage.done} />}
      <LanguageSwitch boot={boot} flow={voice.name.current} onSpoken={hear} />
    </Boundary>
  );
}

/**
 * Terms that came into force during a flow: the session that must agree to them, null for none, and
 * the function that takes the answer. The flow waits hidden.
 */
function useNewTerms(door: Door): readonly [Session | null, (agreed: boolean) => void] {
  const [session, setSession] = useState<Session | null>(null);
  const waiting = useRef<(agreed: boolean) => void>(() => {});
  const before = useRef<Element | null>(null);
  useEffect(() => {
    door.ask = (asked) => {
      before.current = document.activeElement;
      setSession(asked);
      return new Promise((answered) => (waiting.current = answered));
    };
  }, []);
  useEffect(() => {
    if (session === null && before.current instanceof HTMLElement) before.current.focus();
  }, [session]);
  const answer = (agreed: boolean): void => {
    setSession(null);
    waiting.current(agreed);
  };
  return [session, answer];
}

/**
 * In a frame the page above has asked already; a link in use continues after a reload. A whole page
 * asks for a click. [G-13]
 */
function firstStage({ boot, door, page, flow }: ShellProps): Stage {
  const dead = (code: string): Stage => ({ at: 'crash', obstacle: { code, message: '' } });
  if (boot.link === 'expired') return dead('LINK_EXPIRED');
  if (boot.link === 'unknown') return dead('LINK_NOT_FOUND');
  if (door.lost) return dead('LINK_USED');
  if (flow === null) return dead('LINK_FLOW_MISMATCH');
  return { at: page && boot.link === 'unused' ? 'continue' : 'wait' };
}

/** What is reported to the surroundings, each thing once. */
interface Voice {
  /** The flow that events are named after. */
  readonly name: { current: string };
  ready(): void;
  finish(result: FlowResult): void;
  crash(obstacle: screens.Obstacle, details?: unknown): void;
}

function useVoice(props: ShellProps, setStage: (stage: Stage) => void): Voice {
  const name = useRef<string>(props.flow ?? props.boot.flow ?? 'widget');
  const said = useRef({ ready: false, finished: false });
  return useMemo(() => {
    const { boot, surroundings, door, debug } = props;
    const told = (what: string) => ({
      source: boot.word,
      event: `${boot.word}.${name.current}.${what}`,
    });
    return {
      name,
      ready() {
        if (!said.current.ready) surroundings.ready();
        said.current.ready = true;
      },
      finish(result) {
        if (said.current.finished) return;
        said.current.finished = true;
        void door.close();
        if (surroundings.complete({ ...result, ...told('complete') })) setStage({ at: 'wait' });
        else setStage({ at: 'end', done: result.state === 'complete' });
      },
      crash(obstacle, details) {
        if (said.current.finished) return;
        if (debug) console.error(obstacle.code, details);
        surroundings.error({
          ...told('error'),
          code: obstacle.code,
          message: screens.sentenceOf(obstacle),
        });
        setStage({ at: 'crash', obstacle });
      },
    };
  }, []);
}

type FlowStageProps = ShellProps & {
  readonly voice: Voice;
  readonly stage: Extract<Stage, { at: 'flow' }>;
};

function FlowStage({ boot, door, page, config, voice, stage }: FlowStageProps) {
  const context = useMemo<FlowContext>(
    () => ({
      boot,
      session: stage.session,
      api: door.api,
      config,
      page,
      returnUrl: config.postOAuthURLOverride ?? ownAddress(),
      returnedEntry: returnedEntry(),
      finish: voice.finish,
      crash: (code, message, details) => voice.crash({ code, message }, details),
      ready: voice.ready,
      leave(url) {
        if (!page) return leaveInWindow(url);
        location.assign(url);
        return new Promise(() => {});
      },
    }),
    [],
  );
  return <stage.Flow context={context} />;
}

/** Catches errors while a screen is drawn. */
class Boundary extends Component<{
  failed: (error: unknown) => void;
  children?: ComponentChildren;
}> {
  override state = { failed: false };

  override componentDidCatch(error: unknown): void {
    this.setState({ failed: true });
    this.props.failed(error);
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
