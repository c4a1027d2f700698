// The commands of the operators' pages that a test cannot type as they stand, each with the test
// that does the same; all others are typed by the test of their page.

/** A page of commands, and the files that type them. */
export interface WalkedPage {
  readonly page: string;
  /** The files that take commands from it, of which a battery runs the first. */
  readonly by: readonly string[];
  /** True: all blocks in their order; else by the beginnings of lines that the files name. */
  readonly whole: boolean;
}

export const WALKED: readonly WalkedPage[] = [
  { page: 'docs/going-live.md', by: ['test/prove/going-live.test.ts'], whole: true },
  { page: 'docs/operations.md', by: ['test/prove/operations.test.ts'], whole: true },
  { page: 'docs/every-day.md', by: ['test/prove/operations.test.ts'], whole: true },
  { page: 'docs/runbook.md', by: ['test/prove/seen.test.ts'], whole: true },
  {
    page: 'docs/high-availability.md',
    by: ['test/prove/available.test.ts', 'test/prove/restore.test.ts', 'test/kit/cluster.ts'],
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
    fits: /^(?:HOLDFAST_DOMAIN=\S+ )?docker /,
    by: 'test/prove/packaged.test.ts',
    why: 'No daemon of Docker: podman builds this file, and podman-compose runs that one.',
  },
  {
    fits: /^sudo npm install --prefix \/opt\/holdfast --omit=dev holdfast-[\d.]+\.tgz$/,
    by: 'test/prove/packed.test.ts',
    why: 'The archive is built, and installed into another folder.',
  },
  {
    fits: /^sudo (?:useradd|install) .*holdfast/,
    by: 'test/prove/packaged.test.ts',
    why: 'No account is added to this machine: in the container the program has one of its own.',
  },
  {
    fits: /^sudo systemctl (?:enable --now|reload|restart) (?:holdfast|haproxy|prometheus)$/,
    by: 'test/prove/operations.test.ts',
    why: 'No systemd: the test starts the same programs with the same files, and ends them.',
  },
  {
    fits: /^holdfast keys wrap --kms /,
    by: 'test/prove/kms.test.ts',
    why: 'It needs a key service: there moto is one.',
  },
  {
    fits: /^patronictl -c \S+ list$/,
    by: 'test/prove/available.test.ts',
    why: 'It needs three hosts: there they are, and it is typed on one.',
  },
  {
    fits: /^apt-get install|^systemctl disable --now postgresql etcd patroni$/,
    by: 'test/prove/available.test.ts',
    why: 'These packages are installed before, and no service of theirs runs.',
  },
];

/** The test that does the same as a command, or null. */
export function elsewhere(command: string): Elsewhere | null {
  return ELSEWHERE.find(({ fits }) => fits.test(command)) ?? null;
}
