// A page of commands as a reader works through it: its files are written, its commands are typed
// into one terminal in their order, and what was printed fills the names in angle brackets.
import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHECKOUT } from '../start/launch.ts';

/** A file that the page shows, or a command. */
export type Step =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | {
      readonly kind: 'command';
      readonly text: string;
      /** True for the first one of its block. */
      readonly opens: boolean;
    };

/** The steps of a page: blocks under a file's name, and the commands of blocks marked `sh`. */
export function stepsOf(page: string): Step[] {
  const block = /(?:^`(\/[\w./-]+)`:\n\n)?^```(\w+)\n([^]*?)^```$/gm;
  return [...page.matchAll(block)].flatMap(([, path, kind, text = '']): Step[] => {
    if (path !== undefined) return [{ kind: 'file', path, text }];
    return kind === 'sh' ? commandsIn(text) : [];
  });
}

/** One for each line, or for several where a quote goes on. */
function commandsIn(text: string): Step[] {
  const commands: string[] = [];
  let open = '';
  for (const line of text.trimEnd().split('\n')) {
    open = open === '' ? line : `${open}\n${line}`;
    if ((open.split("'").length - 1) % 2 === 1) continue;
    commands.push(open);
    open = '';
  }
  assert.equal(open, '', 'a quote is left open');
  return commands.map((text, n) => ({ kind: 'command', text, opens: n === 0 }));
}

/** Writes a file, with its folder. */
export function write(path: string, text: string): void {
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text);
}

/** What runs a command as another account, such as `setpriv`; empty: nothing does. */
export interface Accounts {
  readonly holdfast: string;
  readonly postgres: string;
}

/**
 * Puts what an administrator's machine has into a folder for the PATH: `sudo`, by which `postgres`
 * is the superuser of this server, and `holdfast` of this checkout.
 */
export function putPrograms(
  folder: string,
  { hostname, port, username, password }: URL,
  accounts: Accounts = { holdfast: '', postgres: '' },
): void {
  const PG = `PGHOST=${hostname} PGPORT=${port} PGUSER=${username} PGPASSWORD=${password}`;
  const lines = [
    '[ "$1" = -u ] && { as=$2; shift 2; }',
    '[ "$1" = -s ] && set -- bash',
    'case $as in',
    `postgres) exec ${accounts.postgres} env ${PG} PGDATABASE=postgres "$@" ;;`,
    `holdfast) exec ${accounts.holdfast} "$@" ;;`,
    'esac',
  ];
  write(join(folder, 'sudo'), `#!/bin/sh\nas=root\n${lines.join('\n')}\nexec "$@"\n`);
  const program = `${process.execPath} ${join(CHECKOUT, 'src/main.ts')}`;
  write(join(folder, 'holdfast'), `#!/bin/sh\nexec ${program} "$@"\n`);
  chmodSync(folder, 0o755);
  for (const name of ['sudo', 'holdfast']) chmodSync(join(folder, name), 0o755);
}

/** One terminal, with one shell. */
export class Terminal {
  readonly #shell: ChildProcessWithoutNullStreams;
  #out = '';
  #count = 0;

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    this.#shell = spawn('bash', [], { cwd, env });
    this.#shell.stdout.on('data', (chunk: Buffer) => (this.#out += chunk.toString()));
    this.#shell.stdin.write('exec 2>&1\n');
  }

  /**
   * Types a command, and lines that it asks for; its output. Fails where the command does not end
   * with this code.
   */
  async run(command: string, typed: readonly string[] = [], wanted = 0): Promise<string> {
    const end = `ended ${(this.#count += 1)} with `;
    this.#out = '';
    this.#shell.stdin.write(`${[command, ...typed].join('\n')}\necho "${end}$?"\n`);
    while (!new RegExp(`${end}\\d+\\n`).test(this.#out)) {
      assert.equal(this.#shell.exitCode, null, this.#out);
      await new Promise((later) => setTimeout(later, 20));
    }
    const [out = '', code = ''] = this.#out.split(end);
    assert.equal(code.trim(), String(wanted), `${command}\n${out}`);
    return out;
  }

  close(): void {
    this.#shell.stdin.end();
  }
}
