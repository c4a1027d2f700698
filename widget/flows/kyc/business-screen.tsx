// Shown for an account of a business: nothing is asked for here, because the business is verified
// instead. Shows its status and what can be done. [G-55]
import type { FlowContext } from '../flow.ts';
import { Button, Result } from '../kit/index.ts';
import type { Entity } from '../kyb/records.ts';
import { t } from '../texts.ts';

export interface BusinessProps {
  readonly context: FlowContext;
  readonly business: Entity;
  /** The business is accepted, and so is the account. */
  readonly onGo: () => void;
  readonly onClose: () => void;
}

/** Shows the status of the business. */
export function BusinessScreen({ context, business, onGo, onClose }: BusinessProps) {
  const { status } = business;
  const shop = context.session.integrator_name;
  if (status === 'ACCEPT') {
    return (
      <Result
        name="kyc-business"
        good
        title={t('kyc.business_accepted', { business: business.entity_name })}
        lead={t('kyc.business_accepted_lead')}
      >
        <Button test="continue" onClick={onGo}>
          {t('page.continue')}
        </Button>
      </Result>
    );
  }
  const checked = status === 'PROCESSING';
  return (
    <Result
      name="kyc-business"
      good={checked}
      title={t(checked ? 'kyc.business_checked' : 'kyc.business_due')}
      lead={t(checked ? 'kyc.business_checked_lead' : 'kyc.business_due_lead', { shop })}
    >
      <Button kind="quiet" test="close" onClick={onClose}>
        {t('page.close')}
      </Button>
    </Result>
  );
}
