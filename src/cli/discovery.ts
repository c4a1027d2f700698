// Discovery of running sandboxes: each leaves a file with its URLs, client and accounts, readable
// by this account only. Whether the server still answers is for the reader to check.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostName } from '../core/operation.ts';
import { keptDir } from './arguments.ts';
import type { CommandContext } from './context.ts';

/** Credentials, as in the ready line. */
export interface ClientPair {
  readonly client_id: string;
  readonly client_secret: string;
}

/** What is known of a server before it is called. */
export interface Found {
  readonly urls: Readonly<Record<HostName, string>>;
  readonly client: ClientPair;
}

type Place = Pick<CommandContext, 'environment' | 'home'>;

function folderOf({ environment, home }: Place): string {
  return join(keptDir(environment, home), 'running');
}

/** Servers that left a file, newest first, or those with this port; skips unreadable files. */
export function notes(place: Place, port: string | undefined): Found[] {
  const folder = folderOf(place);
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
  const read = names.flatMap((name) => {
    try {
      const file = join(folder, name);
      const found = JSON.parse(readFileSync(file, 'utf8')) as Found;
      return isNamed(found, port) ? [{ found, at: statSync(file).mtimeMs }] : [];
    } catch {
      return [];
    }
  });
  return read.toSorted((one, other) => other.at - one.at).map(({ found }) => found);
}

/** Also false for anything that is no ready line. */
function isNamed({ urls, client }: Partial<Found>, port: string | undefined): boolean {
  if (urls === undefined || client === undefined) return false;
  return port === undefined || Object.values(urls).some((url) => new URL(url).port === port);
}

/**
 * Writes the file from a sandbox's ready line; returns the function that removes it. Also removes
 * files of killed servers. A read-only home is no reason not to run.
 */
export function leaveNote(
  ready: Readonly<Record<string, unknown>>,
  context: Place & Pick<CommandContext, 'say'>,
): () => void {
  if (ready['env'] !== 'staging') return () => {};
  const folder = folderOf(context);
  const { urls, client } = ready as unknown as Found;
  const file = join(folder, `${new URL(urls.pii).port || 'main'}.json`);
  try {
    mkdirSync(folder, { recursive: true });
    forgetDead(folder);
    const note = { pid: process.pid, env: 'staging', urls, client, accounts: ready['accounts'] };
    writeFileSync(`${file}.new`, JSON.stringify(note), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    context.say(`${folder} is not writable: holdfast listen, trigger and explain will need --url`);
    return () => {};
  }
  return () => rmSync(file, { force: true });
}

function forgetDead(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    const file = join(folder, name);
    try {
      process.kill((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid, 0);
    } catch (error) {
      // Another account's process is alive: leave its file.
      if ((error as { code?: string }).code !== 'EPERM') rmSync(file, { force: true });
    }
  }
}
