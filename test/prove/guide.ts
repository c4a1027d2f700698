// A page of commands as a reader works through it: its files are written, its commands are typed
// in their order, each block into a new terminal, and what was printed fills the angle brackets.
import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Staff } from '../console/staff.ts';
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

/** Where pages are typed. */
export interface Desk {
  /** What a page says, with what stands for it here. */
  filled(text: string): string;
  terminal(): Terminal;
  write(path: string, text: string): void;
}

/** What a page means besides its commands; each row is for the commands that fit it. */
export interface Story {
  /** What it says between two commands: done before the one that fits. */
  readonly before: readonly (readonly [RegExp, () => unknown])[];
  /** The same, done after it. */
  readonly after: readonly (readonly [RegExp, (out: string) => unknown])[];
  /** What a command must print, where it ends with 0. */
  readonly says: readonly (readonly [RegExp, RegExp])[];
  /** Does a command that no terminal here could; false: it is to be typed. */
  does(text: string): Promise<boolean>;
  /** The code that a command ends with; absent: 0. */
  readonly code?: (text: string) => number;
  /** What is typed for a filled command; absent: itself. */
  readonly line?: (command: string) => string;
}

/** Somebody who reads pages, and types what they say. */
export class Reader {
  /** What stands in angle brackets: what was last printed under that name. */
  readonly facts = new Map<string, string>();
  /** Commands as the pages have them, and as they were typed. */
  readonly typed: string[] = [];
  readonly lines: string[] = [];
  printed = '';
  readonly #desk: Desk;
  readonly #staff: Staff;
  #terminal: Terminal | null = null;

  constructor(desk: Desk, staff: Staff) {
    [this.#desk, this.#staff] = [desk, staff];
  }

  /** Works through steps; `opening`: what each terminal begins with. */
  async read(
    steps: readonly Step[],
    story: Story,
    more: { readonly opening?: readonly string[]; readonly told?: TestContext } = {},
  ): Promise<void> {
    for (const step of steps) {
      const began = performance.now();
      if (step.kind === 'file') this.#desk.write(step.path, this.filled(step.text));
      else {
        if (step.opens) await this.#open(step.text, more.opening ?? []);
        if (!(await story.does(step.text))) await this.#type(step.text, story);
        const ms = Math.round(performance.now() - began);
        more.told?.diagnostic(`${ms} ms: ${step.text.slice(0, 100)}`);
      }
    }
  }

  /** What a page says, with what stands for it here and what was printed. */
  filled(text: string): string {
    const placed = this.#desk.filled(text);
    const filled = placed.replaceAll(/<([^<>\n]+)>/g, (whole, name: string) =>
      this.facts.get(name) ?? whole);
    assert.doesNotMatch(filled, /<[^>]+>/);
    return filled;
  }

  /** A new terminal, which knows nothing of others. */
  async #open(first: string, opening: readonly string[]): Promise<void> {
    this.close();
    this.#terminal = this.#desk.terminal();
    if (first === opening[0]) return;
    for (const one of opening) await this.#terminal.run(this.filled(one));
  }

  async #type(text: string, story: Story): Promise<void> {
    this.typed.push(text);
    for (const [fits, act] of story.before) if (fits.test(text)) await act();
    const whose = /<code of (\w+)>/.exec(text)?.[1];
    if (whose !== undefined) this.facts.set(`code of ${whose}`, await this.#staff.code(whose));
    const person = /Password of (\w+)/.exec(text)?.[1];
    const passwords = person === undefined ? [] : [this.#staff.passwordOf(person)];
    const command = this.filled(text);
    this.lines.push(command);
    const code = story.code?.(text) ?? 0;
    const out = await this.#terminal?.run(story.line?.(command) ?? command, passwords, code) ?? '';
    this.#remember(out);
    const says = code === 0 ? story.says.filter(([fits]) => fits.test(text)) : [];
    for (const [, what] of says) assert.match(out, what, text);
    for (const [fits, act] of story.after) if (fits.test(text)) await act(out);
  }

  #remember(out: string): void {
    this.printed += out;
    for (const [, name = '', value = ''] of out.matchAll(/^(\w+) +(\S+)$/gm)) {
      this.facts.set(name, value);
    }
    for (const [, name = '', value = ''] of out.matchAll(/"(\w+)":"([^"]+)"/g)) {
      this.facts.set(name, value);
    }
  }

  /** Each row was for a command. */
  usedAll({ before, after, says }: Story): void {
    for (const [fits] of [...before, ...after, ...says]) {
      assert.ok(this.typed.some((text) => fits.test(text)), String(fits));
    }
  }

  close(): void {
    this.#terminal?.close();
    this.#terminal = null;
  }
}
