// The commit invoice of an escrow pays sellers and integrator out of the held funds, within the
// escrow's own commit. It repeats the line items of the escrow's invoice under new ids. [G-35]
import type { Decision, LedgerEntry } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import type { SaleTerms } from './sale-terms.ts';
import { birthInvoice } from './create.ts';
import { creditsOf } from './credits.ts';
import type { Allocation } from './allocation.ts';

/** Creates the invoice in success; `source` is the ledger entry that pays: minus the total. */
export function commitInvoice(
  decision: Decision,
  id: string,
  of: string,
  saleTerms: SaleTerms,
  allocation: Allocation,
  source: LedgerEntry,
): void {
  const own = (inner: string): string => derivedUuid(`commit/${id}/${inner}`);
  const lines = saleTerms.lines.map((line) => ({
    ...line,
    id: own(line.id),
    share: line.share === undefined ? undefined : own(line.share),
    tax: line.tax && { ...line.tax, id: own(line.tax.id ?? '') },
    recipients: line.recipients.map((recipient) => ({
      ...recipient,
      id: own(recipient.id),
      fee: recipient.fee && { ...recipient.fee, id: own(recipient.fee.id) },
    })),
  }));
  const { now } = decision;
  const paid: SaleTerms = { ...saleTerms, kind: 'commit', of, created: now, lines, methods: [] };
  birthInvoice(decision, id, paid, allocation.buyer, 'commit', 'success');
  decision.post(id, 1, [source, ...creditsOf(decision, allocation, id)]);
}
