// GreenMail, a mail server that nobody here wrote: fetched by Maven at a pinned checksum, with a
// certificate of its own, on an address of this machine where TLS is not waived.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { launch } from '../start/launch.ts';
import { ROOT } from '../tidy/tree.ts';
import { until } from './until.ts';

const ARTEFACT = 'com.icegreen:greenmail-standalone:2.1.2';
const SHA256 = '0d0676812f656ff84e484ef736d9149d324d2dec0ea8dbfd6dbd0b59283c3004';
const TOOLS = { java: '-version', mvn: '--version', keytool: '-help', python3: '--version' };
const INSTALL_MS = 400_000;
const STORE_PASSWORD = 'invented';

/** Loopback, yet none of the addresses at which certificates are not looked at. */
export const HOST = '127.0.0.2';

/** Prints each mail of a mailbox as a line of JSON, as Python's own POP3 and MIME read it. */
const READ = `
import email, email.policy, json, poplib, ssl, sys
host, port, trusted, user, password = sys.argv[1:]
box = poplib.POP3_SSL(host, int(port), context=ssl.create_default_context(cafile=trusted))
box.user(user)
box.pass_(password)
for number in range(1, box.stat()[0] + 1):
    source = b'\\r\\n'.join(box.retr(number)[1])
    mail = email.message_from_bytes(source, policy=email.policy.default)
    print(json.dumps({
        'headers': {name.lower(): str(value) for name, value in mail.items()},
        'types': [part.get_content_type() for part in mail.walk()],
        'text': mail.get_body(('plain',)).get_content(),
        'html': mail.get_body(('html',)).get_content(),
        'defects': [str(one) for part in mail.walk() for one in part.defects],
    }))
`;

/** A mail as it was read. */
export interface ReadMail {
  /** By names in lower case, decoded. */
  readonly headers: Readonly<Record<string, string>>;
  /** The content type of each part, from the outside in. */
  readonly types: readonly string[];
  readonly text: string;
  readonly html: string;
  /** What the reader holds to be wrong with its form. */
  readonly defects: readonly string[];
}

/** A server that can be stopped and started again; it keeps mails as long as it runs. */
export interface GreenMail {
  readonly ports: { readonly smtp: number; readonly smtps: number };
  /** The file of its certificate, PEM. */
  readonly certificate: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** All mails of a user by POP3 over TLS, in the order in which they came. */
  read(user: string): readonly ReadMail[];
}

/** Runs a program to its end; gives what it printed. */
function told(program: string, args: readonly string[]): string {
  const ran = spawnSync(program, args, { encoding: 'utf8', timeout: INSTALL_MS });
  assert.equal(ran.status, 0, `${program}: ${ran.error ?? ''}${ran.stdout}${ran.stderr}`);
  return ran.stdout;
}

/** The program, fetched once. */
function installed(): string {
  const missing = Object.entries(TOOLS).flatMap(([name, arg]) =>
    spawnSync(name, [arg]).status === 0 ? [] : [name],
  );
  const names = missing.join(' and ');
  assert.equal(names, '', `${names} missing: install Java 17, Maven and Python 3`);
  const store = join(ROOT, '.holdfast/m2');
  const [group = '', name = '', version = ''] = ARTEFACT.split(':');
  const jar = join(store, ...group.split('.'), name, version, `${name}-${version}.jar`);
  if (!existsSync(jar)) {
    told('mvn', [
      ...['--batch-mode', '--quiet', `-Dmaven.repo.local=${store}`, 'dependency:get'],
      ...[`-Dartifact=${ARTEFACT}`, '-Dtransitive=false'],
    ]);
  }
  assert.equal(createHash('sha256').update(readFileSync(jar)).digest('hex'), SHA256, ARTEFACT);
  return jar;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, HOST);
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, HOST, () => done(socket.destroy() === socket));
    socket.once('error', () => done(false));
  });
}

/** Makes ready a server for these users, passwords by name; `folder` holds its key. */
export async function greenMail(
  folder: string,
  users: Readonly<Record<string, string>>,
): Promise<GreenMail> {
  const jar = installed();
  const store = join(folder, 'greenmail.p12');
  const certificate = join(folder, 'greenmail.pem');
  const key = ['-alias', 'mail', '-keystore', store, '-storepass', STORE_PASSWORD];
  const named = ['-dname', 'CN=mail', '-ext', `san=ip:${HOST}`];
  told('keytool', ['-genkeypair', ...key, '-keyalg', 'EC', '-storetype', 'PKCS12', ...named]);
  told('keytool', ['-exportcert', '-rfc', ...key, '-file', certificate]);
  const ports = { smtp: await freePort(), smtps: await freePort(), pop3s: await freePort() };
  const accounts = Object.entries(users).map(([user, password]) => {
    return user.replace('@', `:${password}@`);
  });
  const settings = [
    ...Object.entries(ports).flatMap(([name, port]) => [
      `${name}.hostname=${HOST}`,
      `${name}.port=${port}`,
    ]),
    ...[`users=${accounts.join()}`, 'users.login=email', 'startup.timeout=60000'],
    ...[`tls.keystore.file=${store}`, `tls.keystore.password=${STORE_PASSWORD}`],
  ].map((one) => `-Dgreenmail.${one}`);
  let stop = async (): Promise<void> => {};
  return {
    ports,
    certificate,
    async start() {
      const { child, ended } = launch({ command: 'java', args: [...settings, '-jar', jar] });
      stop = async () => {
        child.kill('SIGKILL');
        await ended;
      };
      for (const [name, port] of Object.entries(ports)) await until(name, () => answers(port));
    },
    stop: () => stop(),
    read(user) {
      const at = [HOST, String(ports.pop3s), certificate, user, users[user] ?? ''];
      const lines = told('python3', ['-c', READ, ...at]).split('\n');
      return lines.filter(Boolean).map((line) => JSON.parse(line) as ReadMail);
    },
  };
}
