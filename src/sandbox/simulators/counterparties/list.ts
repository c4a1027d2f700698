// All counterparties with their scenarios, with the URLs of this installation.
import type { CounterpartyFact } from '../../ports/counterparties.ts';
import { PROCESSOR_EXCHANGES, RECEIVER_EXCHANGES, VENDOR_EXCHANGES } from './exchanges.ts';
import { EVENT_ROWS } from './bank-rows.ts';
import { howTo, type CalledUrls } from './how.ts';
import { ACCOUNT_ROWS, PROCESSOR_ROWS } from './processor-rows.ts';
import { RECEIVER_ROWS } from './receiver-rows.ts';
import type { Row } from './rows.ts';
import { VENDOR_ROWS } from './vendor-rows.ts';

type Unaddressed = Omit<CounterpartyFact, 'scenarios'> & { readonly scenarios: readonly Row[] };

const ALL: readonly Unaddressed[] = [
  {
    name: 'processor',
    story: 'Authorizes, captures and refunds card payments, sends payouts, and keeps a statement.',
    scenarios: PROCESSOR_ROWS,
    exchanges: PROCESSOR_EXCHANGES,
  },
  {
    name: 'bank',
    story: 'Banks and PayPal-like accounts behind the processor, and cardholders who dispute.',
    scenarios: [...ACCOUNT_ROWS, ...EVENT_ROWS],
    exchanges: [],
  },
  {
    name: 'vendor',
    story: 'Checks persons, decides at once or later, and sends webhooks.',
    scenarios: VENDOR_ROWS,
    exchanges: VENDOR_EXCHANGES,
  },
  {
    name: 'receiver',
    story: 'Webhook receivers hosted by the sandbox; deliveries work as for your own.',
    scenarios: RECEIVER_ROWS,
    exchanges: RECEIVER_EXCHANGES,
  },
];

/** Base URLs. */
export type ListUrls = CalledUrls & { readonly processor: string };

/** URL of a scenario's page; without a name, of the overview. */
export function pageAddress(base: string, name?: string): string {
  return name === undefined ? `${base}/scenarios` : `${base}/scenarios/${name}`;
}

/** All counterparties. */
export function counterpartiesAt(urls: ListUrls): readonly CounterpartyFact[] {
  return ALL.map((one) => ({
    ...one,
    scenarios: one.scenarios.map((row) => ({
      ...row,
      how: howTo(urls, row.how),
      page: pageAddress(urls.processor, row.name),
    })),
  }));
}
