// The commit invoice of an escrow: pays its sellers and the integrator out of what is held, in its
// own commit. Answers for the lines being those of the escrow's invoice, under ids of their own;
// refuses to know the escrow's lifecycle. [G-35]
import type { Decision, Line } from '../../engine/index.ts';
import { derivedUuid } from '../../kernel/ids.ts';
import type { Agreement } from './agreement.ts';
import { birthInvoice } from './create.ts';
import { accruesIn } from './pay.ts';
import { announceInvoice } from './payment.ts';
import type { Plan } from './plan.ts';
import { creditLines } from './postings.ts';

/** Makes the invoice in success; `source` is the line that pays: minus the total. */
export function commitInvoice(
  decision: Decision,
  id: string,
  of: string,
  agreement: Agreement,
  plan: Plan,
  source: Line,
): void {
  const own = (inner: string): string => derivedUuid(`commit/${id}/${inner}`);
  const lines = agreement.lines.map((line) => ({
    ...line,
    id: own(line.id),
    share: line.share === undefined ? undefined : own(line.share),
    recipients: line.recipients.map((recipient) => ({
      ...recipient,
      id: own(recipient.id),
      fee: recipient.fee && { ...recipient.fee, id: own(recipient.fee.id) },
    })),
  }));
  const { now } = decision;
  const paid: Agreement = { ...agreement, kind: 'commit', of, created: now, lines, methods: [] };
  birthInvoice(decision, id, paid, plan.buyer, 'commit', 'success');
  decision.post(id, 1, [source, ...creditLines(decision.line, plan, accruesIn(decision))]);
  announceInvoice(decision, id, 1);
}
