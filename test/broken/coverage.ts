// What a run has broken: each method of a port and each place of the database, with each fault. The
// methods are those of the ports' types, the places those whose SQL was seen.
import { FAULTS, type Coverage } from './draws.ts';
import { UNANSWERED } from './ports.ts';

/** Calls that the sandbox's providers never get; where they are proved instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'processor.onceKinds': 'src/providers/stripe/once.test.ts',
  'processor.payoutEntries': 'src/providers/stripe/payouts.test.ts',
  'identityVendor.page': 'test/prove/identity-vendor.test.ts',
  'identityVendor.abandon': 'test/prove/identity-vendor.test.ts',
  'identityVendor.forget': 'src/product/people/retention/erase.test.ts',
};
/** A place that is reached so often has met each fault; a third as often, at least one. */
const OFTEN = 300;
const NONE = { reached: 0, played: new Map<string, number>() };

/** The methods of all ports that call somebody, and are called in the sandbox. */
const METHODS = Object.entries(UNANSWERED).flatMap(([port, methods]) =>
  Object.entries(methods)
    .filter(([method, unanswered]) => unanswered !== null && !(`${port}.${method}` in ELSEWHERE))
    .map(([method]) => `${port}.${method}`),
);

/** A line for each place: how often it was reached, and each fault played there. */
export function table(coverage: Coverage): string[] {
  const head = `${'place'.padEnd(60)} reached, ${FAULTS.join(', ')}`;
  const rows = [...coverage].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [head, ...rows.map(([place, { reached, played }]) => {
    const faults = FAULTS.map((fault) => String(played.get(fault) ?? 0).padStart(4));
    return `${place.slice(0, 60).padEnd(60)} ${String(reached).padStart(7)} ${faults.join('')}`;
  })];
}

/** How much was broken in all. */
export function summary(coverage: Coverage): string {
  const rows = [...coverage.values()];
  const counts = rows.flatMap(({ played }) => [...played.values()]);
  const faults = counts.reduce((sum, count) => sum + count, 0);
  return `${faults} faults in the histories, at ${rows.length} places, ${METHODS.length} of ports`;
}

/** Where a method of a port missed a fault, or an often reached place of the database. */
export function missedBy(coverage: Coverage): string[] {
  const missed = METHODS.flatMap((method) => {
    const { played } = coverage.get(method) ?? NONE;
    return FAULTS.filter((fault) => !played.has(fault)).map((fault) => `${method}: ${fault}`);
  });
  for (const [place, { reached, played }] of coverage) {
    const all = place.endsWith(': rollback') ? 1 : place.endsWith(': connect') ? 3 : 4;
    const ports = !place.includes(': ');
    if (!ports && reached >= OFTEN && played.size < all) missed.push(`${place}: a fault`);
    if (played.size === 0 && reached >= OFTEN / 3) missed.push(place);
  }
  return missed;
}
