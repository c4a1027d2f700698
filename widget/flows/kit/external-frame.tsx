// Frames a page of the processor: card numbers are typed there and never reach us. Accepts messages
// of exactly that frame and origin, resizes with it, and says if it does not load.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Notice, Skeleton } from './feedback.tsx';
import { frameEvent } from './frame-message.ts';
import { t } from '../texts.ts';

const READY_WITHIN_MS = 15_000;

export interface ExternalFrameProps {
  /** Its URL at the processor. */
  readonly src: string;
  /** The exact origin its messages come from. */
  readonly origin: string;
  /** Name of the frame for screen readers. */
  readonly title: string;
  readonly test: string;
  readonly onComplete: () => void;
  readonly onCancel: () => void;
}

function grow(frame: HTMLIFrameElement | null, height: number): void {
  frame?.style.setProperty('block-size', `${height}px`);
}

/** Frames a page of the processor. */
export function ExternalFrame(props: ExternalFrameProps) {
  const [attempt, setAttempt] = useState(0);
  const [stage, setStage] = useState<'waits' | 'ready' | 'missing'>('waits');
  const frame = useRef<HTMLIFrameElement>(null);
  const newest = useRef(props);
  newest.current = props;
  useEffect(() => {
    const hear = (message: MessageEvent): void => {
      const { origin, onComplete, onCancel } = newest.current;
      const event = frameEvent(message, frame.current?.contentWindow ?? null, origin);
      if (event === null) return;
      setStage('ready');
      // A frame removed while it has the focus takes the focus from the page.
      if (event.type === 'complete' || event.type === 'cancel') frame.current?.blur();
      if (event.type === 'complete') onComplete();
      else if (event.type === 'cancel') onCancel();
      else if (event.type === 'resize') grow(frame.current, event.height);
    };
    window.addEventListener('message', hear);
    const late = (): void => setStage((now) => (now === 'waits' ? 'missing' : now));
    const timer = setTimeout(late, READY_WITHIN_MS);
    return () => {
      window.removeEventListener('message', hear);
      clearTimeout(timer);
    };
  }, [attempt, props.src]);
  if (stage === 'missing') {
    const again = (): void => {
      setStage('waits');
      setAttempt(attempt + 1);
    };
    return (
      <div class="stack">
        <Notice tone="error" title={t('page.frame_missing_title')}>
          {t('page.frame_missing')}
        </Notice>
        <Button kind="secondary" test={`${props.test}-retry`} onClick={again}>
          {t('page.try_again')}
        </Button>
      </div>
    );
  }
  return (
    <div class={stage === 'waits' ? 'external external-waits' : 'external'} data-test={props.test}>
      {stage === 'waits' && <Skeleton shapes={['frame']} />}
      <iframe ref={frame} key={attempt} src={props.src} title={props.title} allow="payment" />
    </div>
  );
}
