// What mails about a disagreement say of it: who opened it and why, the split that is offered or
// done, and its limit. Never what was stated. Pure.
import { displayAmount } from '../../../core/currency.ts';
import { amountText } from '../../../../texts/amount.ts';
import { say } from '../../../texts/index.ts';
import type { DisagreementRecord } from '../../money/disagreement/index.ts';
import type { MailWords } from './queue.ts';
import { dayOf, type Shop } from './receipt-view.ts';

/** The values of its texts, in the language of the shop's mail. */
export function wordsOfDisagreement(
  { opened_by, reason, default_outcome: outcome, currency, due_by, ...one }: DisagreementRecord,
  { texts }: Shop,
): MailWords {
  const { proposal, settlement } = one;
  const { to_sellers = 0, to_buyer = 0, to_integrator = 0 } = settlement ?? proposal ?? {};
  const money = (minor: number): string =>
    amountText(displayAmount(minor, currency), texts.about.locale);
  return {
    by: settlement?.by ?? opened_by,
    reason: say(texts, `disagreement.reason_${reason}`),
    sellers: money(to_sellers),
    buyer: money(to_buyer),
    kept: money(to_integrator),
    keeps: to_integrator > 0 ? 'yes' : 'no',
    outcome,
    date: dayOf(due_by, texts),
  };
}
