// A running sandbox and its terminal tools as real processes: start them, read what they print, end
// them.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from '../../src/cli/program.ts';
import { Api, type Ready } from '../kit/api.ts';
import { dataFolder } from '../kit/platform.ts';
import { CHECKOUT, freeBlock, launch, terminate, type Launched } from '../start/launch.ts';

type Settings = Readonly<Record<string, string>>;
type Line = Readonly<Record<string, unknown>>;

const WITHIN_MS = 20_000;

/** A verb that ended. */
export interface Ran {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

/** The program with these arguments, as a process. */
export function holdfast(env: Settings, ...args: string[]): Launched {
  const command = process.execPath;
  return launch({ command, args: [join(CHECKOUT, 'src/main.ts'), ...args], env });
}

/** Runs a verb to its end in this process, which is many times faster than one of its own. */
export function speak(env: Settings, ...args: string[]): Promise<Ran> {
  return speakUntil(new Promise(() => {}), env, ...args);
}

/** The same, asked to end when `asked` says so. */
export async function speakUntil(
  asked: Promise<string>,
  env: Settings,
  ...args: string[]
): Promise<Ran> {
  let [out, err] = ['', ''];
  const never = (): Promise<never> => Promise.reject(new Error('no verb here starts a system'));
  const code = await runProgram(args, {
    environment: env,
    home: CHECKOUT,
    print: (text) => void (out += text),
    say: (line) => void (err += `holdfast: ${line}\n`),
    colours: false,
    startSystem: never,
    openInstallation: never,
    asked,
  });
  return { code, out, err };
}

/** Runs a verb to its end, as a process. */
export async function run(env: Settings, ...args: string[]): Promise<Ran> {
  const verb = holdfast(env, ...args);
  const code = await verb.ended;
  return { code, out: verb.stdout(), err: verb.stderr() };
}

/** What a verb has printed with --json so far. */
export function linesOf(out: string): Line[] {
  const whole = out.slice(0, out.lastIndexOf('\n') + 1);
  return whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
}

/** Waits for a line that fits; fails with all that was printed. */
export async function lineThat(verb: Launched, fits: (line: Line) => boolean): Promise<Line> {
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const found = linesOf(verb.stdout()).find(fits);
    if (found !== undefined) return found;
    const ended = verb.child.exitCode !== null;
    assert.ok(!ended && Date.now() < deadline, `no such line: ${verb.stdout()}${verb.stderr()}`);
    await sleep(20);
  }
}

/** A running sandbox. */
export interface Sandbox {
  readonly ready: Ready;
  readonly api: Api;
  /** With these a verb finds it. */
  readonly env: Settings;
  /** Ends it and starts it again on the same ports. */
  restart(between?: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

/** Starts `holdfast start` with a home of its own; `more` may name a database that outlives it. */
export async function startSandbox(more: Settings = {}): Promise<Sandbox> {
  const home = dataFolder();
  const env = { HOLDFAST_DATA_DIR: home };
  const port = String(await freeBlock());
  const kept = more['DATABASE_URL'] === undefined ? ['--ephemeral'] : [];
  const start = (): Launched =>
    holdfast({ ...env, ...more }, 'start', '--json', '--port-base', port, ...kept);
  let server = start();
  const ready = (await server.ready()) as unknown as Ready;
  return {
    ready,
    api: await Api.open(ready),
    env,
    async restart(between) {
      await terminate(server);
      await between?.();
      server = start();
      await server.ready();
    },
    async stop() {
      await terminate(server);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** One request that a receiver was sent. */
export interface Received {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** A receiver of webhooks, as somebody's code under work. */
export async function startReceiver(statusOf: (count: number) => number): Promise<{
  readonly port: number;
  readonly received: readonly Received[];
  stop(): void;
}> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(statusOf(received.length)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return { port, received, stop: () => server.close() };
}
