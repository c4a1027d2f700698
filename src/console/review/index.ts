// The pages of reviews: queues, cases of persons and businesses, the search, an account's money.
import type { ConsoleApp } from '../routes.ts';
import { businessPages } from './businesses.ts';
import { casePages } from './case.ts';
import { hitPages } from './hits.ts';
import { moneyPages } from './money.ts';
import { queuePages } from './queue.ts';
import { searchPages } from './search.ts';
import { thresholdPages } from './thresholds.ts';

/** Registers the pages of reviews. */
export function reviewPages(app: ConsoleApp): void {
  queuePages(app);
  casePages(app);
  businessPages(app);
  hitPages(app);
  searchPages(app);
  thresholdPages(app);
  moneyPages(app);
}
