// Periodic work of identity verification: stuck checks, documents without an application, old
// webhooks.
import type { Database } from '../db/index.ts';
import { forgetEntityStrays, screenAgain } from '../product/people/business/index.ts';
import type { Services } from '../product/context.ts';
import {
  forgetIdentityNotices,
  forgetStrays,
  matchApplications,
  sweepChecks,
  wakeLapsed,
} from '../product/people/identity/index.ts';
import { continueEstimate } from '../product/people/matching/index.ts';
import { keyAgain } from '../product/people/screening/index.ts';
import type { UpkeepRow } from './upkeep.ts';

/** The rows of identity. Safe in several processes. */
export function identityRows(
  db: Database,
  { engine, keys, random }: Pick<Services, 'engine' | 'keys' | 'random'>,
): readonly UpkeepRow[] {
  const compare = (): Promise<number> => matchApplications({ db, keys, random });
  return [
    { name: 'applications that were not compared', everySeconds: 2, run: compare },
    {
      name: 'persons and businesses to screen against a new watch-list',
      everySeconds: 2,
      run: () => screenAgain({ db, engine, keys, random }),
    },
    {
      name: 'entries of watch-lists as an earlier release stored them',
      everySeconds: 3_600,
      run: () => keyAgain(db),
    },
    {
      name: 'what thresholds of matches cost',
      everySeconds: 2,
      // One part in each turn, so that requests never wait for more than that.
      run: async () => {
        await continueEstimate({ db, keys, random }, Math.random);
        return 0;
      },
    },
    { name: 'checks that nobody ended in time', everySeconds: 2, run: () => wakeLapsed(db) },
    { name: 'checks at the vendor without a job', everySeconds: 10, run: () => sweepChecks(db) },
    { name: 'documents of no application', everySeconds: 3_600, run: () => forgetStrays(db) },
    { name: 'documents of no business', everySeconds: 3_600, run: () => forgetEntityStrays(db) },
    {
      name: 'old notices of the identity vendor',
      everySeconds: 3_600,
      run: () => forgetIdentityNotices(db),
    },
  ];
}
