// The commands of the operators' pages that a test cannot type as they stand, each with the test
// that does the same; all others are typed by the test of their page.

/** A page of commands, and the files that type them. */
export interface WalkedPage {
  readonly page: string;
  /** The files that take commands from it, of which a battery runs the first. */
  readonly by: readonly string[];
  /** True: all blocks in their order; else each by its heading and number, which the files name. */
  readonly whole: boolean;
}

export const WALKED: readonly WalkedPage[] = [
  { page: 'docs/going-live.md', by: ['test/prove/going-live.test.ts'], whole: true },
  { page: 'docs/operations.md', by: ['test/prove/operations.test.ts'], whole: true },
  { page: 'docs/every-day.md', by: ['test/prove/operations.test.ts'], whole: true },
  { page: 'docs/scaling.md', by: ['test/prove/tenant-move.test.ts'], whole: true },
  { page: 'docs/runbook.md', by: ['test/prove/seen.test.ts'], whole: true },
  {
    page: 'docs/high-availability.md',
    by: ['test/prove/hosts.test.ts', 'test/prove/restore.test.ts', 'test/kit/cluster.ts'],
    whole: false,
  },
];

interface Elsewhere {
  readonly fits: RegExp;
  /** The test that does the same. */
  readonly by: string;
  readonly why: string;
}

export const ELSEWHERE: readonly Elsewhere[] = [
  {
    fits: /^docker |deploy\/(?:\.env|secrets)\b/,
    by: 'test/prove/packaged.test.ts',
    why: 'No daemon of Docker: podman builds this file, and podman-compose runs that one.',
  },
  {
    fits: /^(?:sudo |ssh \S+ )?npm install --prefix \/opt\/holdfast-[\d.]+ --omit=dev \S+\.tgz$/,
    by: 'test/prove/packed.test.ts',
    why: 'The archive is built, and installed into another folder.',
  },
  {
    fits: /^(?:sudo |ssh \S+ )?ln -sf?n? \/opt\/holdfast/,
    by: 'test/prove/service.test.ts',
    why: 'The folders of this machine are left alone: there is a machine of its own.',
  },
  {
    fits: /^sudo useradd /,
    by: 'test/prove/service.test.ts',
    why: 'No account is added to this machine: for root, a number that nobody has is one.',
  },
  {
    fits: /^(?:sudo |ssh \S+ )?systemctl (?:enable --now|start|stop|restart|reload) \w+$/,
    by: 'test/prove/operations.test.ts',
    why: 'No systemd: the same programs are started with the same files. The unit runs elsewhere.',
  },
  {
    fits: /^holdfast keys wrap --kms /,
    by: 'test/prove/kms.test.ts',
    why: 'It needs a key service: there moto is one.',
  },
  {
    fits: /^patronictl -c \S+ list$/,
    by: 'test/prove/hosts.test.ts',
    why: 'It needs three hosts: there they are, and it is typed on one.',
  },
];

/** The test that does the same as a command, or null. */
export function elsewhere(command: string): Elsewhere | null {
  return ELSEWHERE.find(({ fits }) => fits.test(command)) ?? null;
}
