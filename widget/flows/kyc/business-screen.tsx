// Shown for an account of a business: nothing is asked for here, because the business is verified
// instead. Shows its status and what can be done. [G-55]
import type { FlowContext } from '../flow.ts';
import { Button, Result } from '../kit/index.ts';
import type { Entity } from '../kyb/records.ts';

const INSTEAD = 'This account belongs to a business, which we verify instead of a person.';

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
  const seller = context.session.integrator_name;
  if (status === 'ACCEPT') {
    return (
      <Result
        name="kyc-business"
        good
        title={`${business.entity_name} is confirmed`}
        lead={`${INSTEAD} Nothing more is needed.`}
      >
        <Button test="continue" onClick={onGo}>
          Continue
        </Button>
      </Result>
    );
  }
  const checked = status === 'PROCESSING';
  return (
    <Result
      name="kyc-business"
      good={checked}
      title={checked ? 'Your business is being checked' : 'Your business must be verified'}
      lead={
        checked
          ? `${INSTEAD} Each of its people must use their personal link.`
          : `${INSTEAD} Ask ${seller} for the link to its form.`
      }
    >
      <Button kind="quiet" test="close" onClick={onClose}>
        Close
      </Button>
    </Result>
  );
}
