// The account PostgreSQL runs as. It refuses to run as root, so root's server runs as `nobody`; any
// other user's runs as that user.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync } from 'node:fs';

const NOBODY = 65_534;

/** The account that owns the cluster; `switchTo` is null if it is our own. */
export interface Operator {
  readonly switchTo: { readonly uid: number; readonly gid: number } | null;
}

/** The account for this process. Fails with one sentence if PostgreSQL would accept none. */
export function findOperator(): Operator {
  const uid = process.getuid?.() ?? NOBODY;
  const accounts = readAccounts();
  if (uid !== 0) return { switchTo: null };
  const account =
    accounts.find((entry) => entry.uid === NOBODY) ??
    accounts.find((entry) => entry.name === 'nobody');
  if (account === undefined) {
    throw new Error(
      'PostgreSQL refuses to run as root and this system has no account "nobody" (uid 65534): ' +
        'start as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  return { switchTo: { uid: account.uid, gid: account.gid } };
}

function readAccounts(): { name: string; uid: number; gid: number }[] {
  let text = '';
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (name === undefined || uid === undefined || gid === undefined) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

/** Gives the path to the account, with this mode. */
export function entrust(operator: Operator, path: string, mode: number): void {
  if (operator.switchTo !== null) chownSync(path, operator.switchTo.uid, operator.switchTo.gid);
  chmodSync(path, mode);
}

/** True if the account can enter the directory. It tries, since modes alone do not show it. */
export function canEnter(operator: Operator, directory: string): boolean {
  if (operator.switchTo === null) return true;
  const attempt = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], {
    cwd: '/',
    stdio: 'ignore',
    ...operator.switchTo,
  });
  if (attempt.error !== undefined) {
    throw new Error(
      `Root cannot switch to uid ${operator.switchTo.uid} here (${attempt.error.message}): ` +
        'start as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  return attempt.status === 0;
}
