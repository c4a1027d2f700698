// After the form: the running check, which may go on at the vendor's page, and its result.
// [public-facts 4.7]
import { useEffect, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Button, Notice, Result } from '../kit/index.ts';
import { leaveInWindow } from '../leaving.ts';
import { sentenceOf } from '../methods/load.ts';
import { askedWords, reasonTexts, waitBefore, type KycForm } from './records.ts';
import { formOf, vendorPageOf } from './send.ts';
import { t, type Key } from '../texts.ts';

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
      title={t('kyc.checking')}
      lead={t(looks > LONG_LOOKS ? 'kyc.check_long' : 'kyc.check')}
    >
      {offline && (
        <Notice tone="warn" live>
          {t('page.offline')}
        </Notice>
      )}
      <Button kind="quiet" test="close" onClick={props.onClose}>
        {t('page.close')}
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
      title={t('kyc.vendor')}
      lead={t(back ? 'kyc.vendor_back' : 'kyc.vendor_lead')}
    >
      {problem !== '' && !back && <Notice tone="error">{problem}</Notice>}
      {problem === '' ? (
        <Button test="kyc-vendor-go" disabled={url === ''} onClick={() => void go()}>
          {t('page.continue')}
        </Button>
      ) : (
        <Button kind="secondary" test="kyc-vendor-retry" onClick={load}>
          {t('page.try_again')}
        </Button>
      )}
      <Button kind="quiet" test="close" onClick={onClose}>
        {t('page.close')}
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
      title={t(filed ? 'kyc.filed' : 'kyc.accepted')}
      lead={t(filed ? 'kyc.nothing_more' : 'kyc.accepted_lead')}
    >
      <Button test="continue" onClick={onGo}>
        {t('page.continue')}
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
      title={t('kyc.reviewing')}
      lead={t('kyc.reviewing_lead')}
    >
      <Button test="done" onClick={onClose}>
        {t('page.done')}
      </Button>
    </Result>
  );
}

const TITLES: Readonly<Record<string, Key>> = {
  MANUAL_REVIEW: 'kyc.missing_title',
  REVERIFY: 'kyc.expired_title',
  CANCEL: 'kyc.ended_early',
  'SYSTEM-CANCELLED': 'kyc.ended_early',
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
  const shop = props.context.session.integrator_name;
  return (
    <Result
      name="kyc-failed"
      good={false}
      title={t(TITLES[form.state] ?? 'kyc.denied')}
      lead={form.reasons.length > 0 ? undefined : t('kyc.denied_lead', { shop })}
    >
      {form.reasons.length > 0 && (
        <ul class="stack" data-test="kyc-reasons">
          {reasonTexts(form).map((reason) => (
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
            {t(asked ? 'kyc.send_missing' : 'page.try_again')}
          </Button>
        )}
        <Button kind="quiet" test="close" onClick={props.onClose}>
          {t('page.close')}
        </Button>
      </div>
    </Result>
  );
}
