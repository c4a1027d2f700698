// After the form: the running check, which may go on at the vendor's page, and its result.
// [public-facts 4.7]
import { useEffect, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Button, Notice, Result } from '../kit/index.ts';
import { leaveInWindow } from '../leaving.ts';
import { sentenceOf } from '../methods/load.ts';
import { askedWords, waitBefore, type KycForm } from './records.ts';
import { formOf, vendorPageOf } from './send.ts';

const LONG_LOOKS = 6;

/** Waits until the check is decided; a reload or another window does not affect it. */
export function CheckScreen(props: {
  readonly context: FlowContext;
  readonly onDecided: (form: KycForm) => void;
  readonly onClose: () => void;
}) {
  const { context, onDecided } = props;
  const [looks, setLooks] = useState(0);
  const [offline, setOffline] = useState(false);
  const [atVendor, setAtVendor] = useState(false);
  useEffect(() => {
    let stopped = false;
    const look = async (): Promise<void> => {
      const form = await formOf(context).catch(() => null);
      if (stopped) return;
      setOffline(form === null);
      if (form !== null) setAtVendor(form.at_vendor === true);
      if (form !== null && form.state !== 'PROCESSING') onDecided(form);
      else setLooks(looks + 1);
    };
    const timer = setTimeout(() => void look(), waitBefore(looks));
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [looks]);
  if (atVendor) return <VendorScreen context={context} onClose={props.onClose} />;
  return (
    <Result
      name="kyc-wait"
      good={null}
      title="Checking your details"
      lead={
        looks > LONG_LOOKS
          ? 'This is taking longer than usual. You can close this page: we keep checking.'
          : 'This takes a moment. Please keep this page open.'
      }
    >
      {offline && (
        <Notice tone="warn" live>
          Connection lost. Trying again.
        </Notice>
      )}
      <Button kind="quiet" test="close" onClick={props.onClose}>
        Close
      </Button>
    </Result>
  );
}

/** The vendor's page opens in a window of its own; meanwhile this page goes on looking. */
function VendorScreen({ context, onClose }: { context: FlowContext; onClose: () => void }) {
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState('');
  const [back, setBack] = useState(false);
  const load = (): void => {
    setUrl('');
    setProblem('');
    vendorPageOf(context).then(
      (page) => setUrl(page.url),
      (error: unknown) => setProblem(sentenceOf(error)),
    );
  };
  useEffect(load, []);
  const go = async (): Promise<void> => {
    await leaveInWindow(url);
    setBack(true);
    // An address opens once: whoever is not done yet goes on with another.
    load();
  };
  return (
    <Result
      name="kyc-vendor"
      good={null}
      title="Show your document"
      lead={
        back
          ? 'Thank you. If you are done, this takes a moment; if you are not, go on.'
          : 'The page of our identity partner opens in a new window. Have your document and a ' +
            'camera ready, then come back here.'
      }
    >
      {problem !== '' && !back && <Notice tone="error">{problem}</Notice>}
      {problem === '' ? (
        <Button test="kyc-vendor-go" disabled={url === ''} onClick={() => void go()}>
          Continue
        </Button>
      ) : (
        <Button kind="secondary" test="kyc-vendor-retry" onClick={load}>
          Try again
        </Button>
      )}
      <Button kind="quiet" test="close" onClick={onClose}>
        Close
      </Button>
    </Result>
  );
}

/** Accepted, or on file for taxes; Continue ends the flow. */
export function AcceptedScreen({ filed, onGo }: { filed: boolean; onGo: () => void }) {
  return (
    <Result
      name="kyc-accepted"
      good
      title={filed ? 'Your tax details are saved' : 'Your identity is confirmed'}
      lead={filed ? 'Nothing more is needed.' : 'Thank you. You only have to do this once.'}
    >
      <Button test="continue" onClick={onGo}>
        Continue
      </Button>
    </Result>
  );
}

/** In manual review. */
export function UnderReviewScreen({ onClose }: { readonly onClose: () => void }) {
  return (
    <Result
      name="kyc-review-wait"
      good
      title="We are reviewing your details"
      lead={
        'A person checks what you sent; this takes about three business days. ' +
        'You do not have to do anything. This page shows the result.'
      }
    >
      <Button test="done" onClick={onClose}>
        Done
      </Button>
    </Result>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  MANUAL_REVIEW: 'Something is missing',
  REVERIFY: 'Please send a valid document',
  CANCEL: 'The check ended early',
  'SYSTEM-CANCELLED': 'The check ended early',
};

/** Not passed, or something is missing: why, and what can be done. */
export function NotPassedScreen(props: {
  readonly context: FlowContext;
  readonly form: KycForm;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}) {
  const { form } = props;
  const asked = form.state === 'MANUAL_REVIEW' || form.state === 'REVERIFY';
  const seller = props.context.session.integrator_name;
  return (
    <Result
      name="kyc-failed"
      good={false}
      title={TITLES[form.state] ?? 'We could not confirm your identity'}
      lead={form.reasons.length > 0 ? undefined : `If you did not expect this, ask ${seller}.`}
    >
      {form.reasons.length > 0 && (
        <ul class="stack" data-test="kyc-reasons">
          {form.reasons.map((reason) => (
            <li key={reason}>
              <Notice tone="warn">{reason}</Notice>
            </li>
          ))}
        </ul>
      )}
      {form.forms.includes('full') && <p data-test="kyc-asked">{askedWords(form)}</p>}
      <div class="actions">
        {form.forms.includes('full') && (
          <Button test="kyc-again" onClick={props.onAgain}>
            {asked ? 'Send what is missing' : 'Try again'}
          </Button>
        )}
        <Button kind="quiet" test="close" onClick={props.onClose}>
          Close
        </Button>
      </div>
    </Result>
  );
}
