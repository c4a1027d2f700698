// What a run has broken: each method of a port, each call over a socket and each place of the
// database, with each fault. The methods are those of the ports' types, the places of the database
// those whose SQL was seen.
import { FAULTS, OF_SOCKETS, type Coverage, type Fault, type Wanted } from './draws.ts';
import { UNANSWERED } from './ports.ts';

/** Calls that the sandbox's providers never get; where they are proved instead. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'processor.onceKinds': 'src/providers/stripe/once.test.ts',
  'processor.payoutEntries': 'src/providers/stripe/payouts.test.ts',
  'identityVendor.page': 'test/prove/identity-vendor.test.ts',
  'identityVendor.abandon': 'test/prove/identity-vendor.test.ts',
  'identityVendor.forget': 'src/product/people/retention/erase.test.ts',
};
/** What servers of the battery are asked over a socket. */
const SOCKETS = ['outbound.post', 'mail.send', 'keys.encrypt', 'keys.decrypt'];

/** The other ports: tests that break their calls, by file and title. */
export const PROVED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  anchors: {
    'test/audit/live.test.ts': [
      'the anchor file grows by whole lines and is read up to a fixed end',
    ],
    'test/audit/chain.pg.test.ts': ['hashes that the anchor does not take are sent again'],
  },
  files: {
    'src/providers/files/inspector/threads.test.ts': [
      'a thread that dies costs one job; the next job gets a new thread',
      'a job that never ends is killed, which is not reported as a fault',
    ],
  },
  'sign-on': {
    'test/prove/sign-on.test.ts': [
      'a provider that is away is said so, and passwords work on',
      'an answer that breaks off lets nobody in, and the next one does',
    ],
  },
  spans: {
    'test/prove/seen.test.ts': [
      'a collector that is silent or away costs spans, and no request waits for it',
    ],
  },
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

/** The faults that each of them must have met. */
const DUE = new Map<string, readonly Fault[]>([
  ...METHODS.map((method) => [method, FAULTS] as const),
  ...SOCKETS.map((place) => [place, OF_SOCKETS] as const),
]);

/** The folder in src/providers of the port that a place is one of. */
function folderOf(place: string): string {
  const [port = ''] = place.split('.');
  if (port === 'identityVendor') return 'identity';
  return port.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The ports whose calls break here, by their folders. */
export const BROKEN_PORTS: readonly string[] = [...new Set([...DUE.keys()].map(folderOf))];

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
  return `${faults} faults in the histories, at ${rows.length} places, ${DUE.size} of ports`;
}

/** The faults that no call of a port or over a socket has met. */
export function wantedBy(coverage: Coverage): Wanted[] {
  return [...DUE].flatMap(([place, faults]) => {
    const { played } = coverage.get(place) ?? NONE;
    return faults.filter((fault) => !played.has(fault)).map((fault): Wanted => [place, fault]);
  });
}

/** Where a call of a port missed a fault, or an often reached place of the database. */
export function missedBy(coverage: Coverage): string[] {
  const missed = wantedBy(coverage).map((one) => one.join(': '));
  for (const [place, { reached, played }] of coverage) {
    const all = place.endsWith(': rollback') ? 1 : place.endsWith(': connect') ? 3 : 4;
    const ports = !place.includes(': ');
    if (!ports && reached >= OFTEN && played.size < all) missed.push(`${place}: a fault`);
    if (played.size === 0 && reached >= OFTEN / 3) missed.push(place);
  }
  return missed;
}
