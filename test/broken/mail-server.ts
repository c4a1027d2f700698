// A mail server whose connections break, around one that others wrote: it remembers each message
// that it has accepted, whether or not its sender heard of that.
import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { OF_SOCKETS, type Draws, type Fault } from './draws.ts';

/** Come again: too busy, a mailbox in use, a fault of the server's, no room. */
const REFUSALS = [421, 450, 451, 452] as const;
const LATE_MS = 100;
const PLACE = 'mail.send';

/** A message that the server has. */
export interface Accepted {
  readonly id: string;
  readonly to: string;
  /** As it came. */
  readonly source: string;
}

type Done = (error?: Error | null) => void;

/** The server; its draws can be replaced between histories. */
export class BrokenMail {
  draws: Draws;
  readonly accepted: Accepted[] = [];
  readonly #sockets = new Map<number, Socket>();
  readonly #faults = new Map<string, Fault | null>();
  readonly #server: SMTPServer;
  /** The history in which it was silent. */
  #silent: Draws | null = null;

  constructor(draws: Draws) {
    this.draws = draws;
    this.#server = new SMTPServer({
      ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
      onRcptTo: (_address, session, done) => this.#begins(session, done),
      onData: (stream, session, done) => void this.#sent(stream, session, done),
    });
    this.#server.on('error', () => {});
    this.#server.server.unref();
    this.#server.server.on('connection', (socket) => {
      const { remotePort: port = 0 } = socket;
      this.#sockets.set(port, socket);
      socket.once('close', () => this.#sockets.delete(port));
    });
  }

  /** Its address, once it listens on a loopback port. */
  async listen(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.values()) socket.destroy();
    await new Promise<void>((closed) => this.#server.close(closed));
  }

  #begins(session: SMTPServerSession, done: Done): void {
    const fault = this.draws.at(PLACE, OF_SOCKETS);
    this.#faults.set(session.id, fault);
    if (fault === 'lost before') return void this.#sockets.get(session.remotePort)?.destroy();
    // Half of what is refused is refused before it was sent.
    const isEarly = fault === 'refused' && this.draws.detail(PLACE) % 8 > 3;
    done(isEarly ? this.#refusal() : null);
  }

  async #sent(stream: Readable, session: SMTPServerSession, done: Done): Promise<void> {
    const source = Buffer.concat(await stream.toArray()).toString();
    const id = /^Message-ID: (.*?)\r$/im.exec(source)?.[1] ?? '';
    const to = session.envelope.rcptTo.map(({ address }) => address).join();
    const take = (): void => void this.accepted.push({ id, to, source });
    const socket = this.#sockets.get(session.remotePort);
    const fault = this.#faults.get(session.id) ?? null;
    if (fault === 'late') return this.#late(socket, take);
    if (fault === 'refused') return done(this.#refusal());
    take();
    if (fault === 'lost after') socket?.destroy();
    else done();
  }

  /**
   * The connection is gone, and the message is taken later. The first time in a history there is
   * only silence until the sender hangs up: early enough that nobody has to wait for that.
   */
  #late(socket: Socket | undefined, take: () => void): void {
    if (this.#silent === this.draws) {
      setTimeout(take, LATE_MS);
      return void socket?.destroy();
    }
    this.#silent = this.draws;
    socket?.once('close', take);
  }

  #refusal(): Error {
    const responseCode = REFUSALS[this.draws.detail(PLACE) % REFUSALS.length];
    return Object.assign(new Error('come again'), { responseCode });
  }
}
