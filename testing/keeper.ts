// The program that supervises one platform for its users: starts the server, gives every user its
// ready line, and stops it when the last one is gone. A user is an open connection, so a crashed
// one counts as gone; the server holds a pipe of ours and ends if we die.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { PROGRAM } from './places.ts';

const [folder = '', key = '', linger = '0', ...flags] = process.argv.slice(2);
const NOTE = join(folder, `${key}.json`);
const LOCK = join(folder, `${key}.lock`);
const LOG = join(folder, `${key}.log`);

const RETRY_MS = 15;
/** A previous supervisor that is ending holds the lock at most this long. */
const LOCK_WITHIN_MS = 20_000;
const FIRST_USER_WITHIN_MS = 5_000;
const TOKEN_WITHIN_MS = 2_000;
const STOP_WITHIN_MS = 15_000;

const token = randomBytes(24).toString('base64url');
const users = new Set<Socket>();
/** What every user is told once it is known. */
let news: object | null = null;
let platform: ChildProcess | null = null;
let ending = false;
let timer: NodeJS.Timeout | undefined;

/** The operating system drops this lock when we die. False if someone else has it. */
async function takeLock(): Promise<boolean> {
  const deadline = Date.now() + LOCK_WITHIN_MS;
  const handle = new DatabaseSync(LOCK);
  for (;;) {
    try {
      handle.exec('begin exclusive');
      // Referenced until exit, so that it is not garbage-collected.
      process.once('exit', () => handle.close());
      return true;
    } catch {
      if (existsSync(NOTE) || Date.now() > deadline) return false;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** Ends by itself after so long without users. */
function endWithoutUsers(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void end(), ms);
}

function tell(user: Socket, what: object): void {
  user.write(`${JSON.stringify(what)}\n`);
}

/** A connection with the right token is a user; any other is closed. */
function receive(socket: Socket): void {
  const impatience = setTimeout(() => socket.destroy(), TOKEN_WITHIN_MS);
  socket.on('error', () => {});
  const lines = createInterface({ input: socket }).on('error', () => {});
  lines.once('line', (line) => {
    clearTimeout(impatience);
    if (line !== token || ending) return void socket.destroy();
    clearTimeout(timer);
    users.add(socket);
    tell(socket, { keeper: process.pid });
    if (news !== null) tell(socket, news);
  });
  socket.once('close', () => {
    clearTimeout(impatience);
    if (users.delete(socket) && users.size === 0 && !ending) endWithoutUsers(Number(linger));
  });
}

function say(what: object): void {
  news = what;
  for (const user of users) tell(user, what);
}

/** The server's last output, for whoever asks why it is gone. */
function lastWords(): string {
  return readFileSync(LOG, 'utf8').trim().split('\n').slice(-3).join(' ').slice(-600);
}

function startServer(): void {
  const args = [...flags, PROGRAM, 'start', '--json', '--ephemeral', '--port-base', '0'];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    env: { ...process.env, HOLDFAST_LIFELINE_FD: '3' },
  });
  platform = child;
  child.stdio[3]?.on('error', () => {});
  child.once('exit', () => {
    const what = news === null ? 'did not start' : 'has stopped';
    void end(`The platform ${what}: ${lastWords()} (${LOG})`);
  });
  if (child.stdout === null) throw new Error('the server has no stdout');
  createInterface({ input: child.stdout }).once('line', (line) => say({ ready: JSON.parse(line) }));
}

/** Tells the users why, unless they asked for it, stops the server and ends. */
async function end(failed: string | null = null): Promise<void> {
  if (ending) return;
  ending = true;
  rmSync(NOTE, { force: true });
  door.close();
  if (failed !== null) say({ failed });
  for (const user of users) user.end();
  await stopped(platform);
  // Nobody comes back to a platform of one user.
  if (linger === '0') for (const file of [LOG, LOCK]) rmSync(file, { force: true });
  process.exit(0);
}

async function stopped(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(late);
}

const door = createServer(receive);
if (!(await takeLock())) process.exit(0);
truncateSync(LOG);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end());
door.listen(0, '127.0.0.1', () => {
  const { port } = door.address() as AddressInfo;
  writeFileSync(`${NOTE}.new`, JSON.stringify({ port, token }), { mode: 0o600 });
  renameSync(`${NOTE}.new`, NOTE);
  endWithoutUsers(FIRST_USER_WITHIN_MS);
  startServer();
});
