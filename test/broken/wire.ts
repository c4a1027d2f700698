// A wire to PostgreSQL that knows where a packet of statements begins and ends, and breaks it
// there: lost before the server has it or after it was done, done only once the client has given it
// up, or refused with an error of the server's.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { OF_SOCKETS, type Draws, type Fault } from './draws.ts';
import { Places } from './sql-place.ts';

const OF_LOGINS: readonly Fault[] = ['lost before', 'lost after', 'refused'];
/** Errors of a server under load, failing over, or stopped by somebody. */
const REFUSALS = ['40001', '40P01', '57014', '25006', '53300'] as const;
const [LATE_MS, LATER_MS] = [20, 200];

/** A wire; its draws can be replaced between histories. */
export interface BrokenWire {
  readonly url: string;
  draws: Draws;
  /** Resolves once what was late has been done. */
  calm(): Promise<void>;
  close(): Promise<void>;
}

/** Cuts a stream into messages; those of a login's beginning have no type. */
class Messages {
  #rest: Buffer = Buffer.alloc(0);
  #untyped: boolean;

  constructor(untyped: boolean) {
    this.#untyped = untyped;
  }

  take(bytes: Buffer): Buffer[] {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const whole: Buffer[] = [];
    for (;;) {
      const at = this.#untyped ? 0 : 1;
      if (rest.length < at + 4) break;
      const length = at + rest.readUInt32BE(at);
      if (rest.length < length) break;
      whole.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      this.#untyped = false;
    }
    this.#rest = rest;
    return whole;
  }
}

const typeOf = (message: Buffer): string => String.fromCharCode(message[0] as number);

/** The text that ends at the next zero byte. */
function textAt(message: Buffer, from: number): string {
  return message.toString('utf8', from, message.indexOf(0, from));
}

function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

/** A statement that fails with a state, in place of what was sent. */
function refusal(state: string): Buffer {
  const raise = `do $$begin raise exception 'played' using errcode = '${state}'; end$$`;
  return message('Q', `${raise}\0`);
}

const FULL = message('E', 'SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0');

/** One connection of the client's, and the server's end of it. */
class Line {
  readonly near: Socket;
  readonly far: Socket;
  readonly #wire: Wired;
  readonly #texts = new Map<string, string>();
  readonly #asked = new Messages(true);
  readonly #answered = new Messages(false);
  #places: Places | null = null;
  #pool = '';
  #packet: Buffer[] = [];
  #statements: string[] = [];
  /** Answers of the server are dropped until it is ready, and then the line is cut. */
  #cutsWhenReady = false;
  #told: (() => void) | null = null;

  constructor(near: Socket, far: Socket, wire: Wired) {
    [this.near, this.far, this.#wire] = [near, far, wire];
    near.on('data', (bytes: Buffer) => {
      for (const one of this.#asked.take(bytes)) this.#ask(one);
    });
    far.on('data', (bytes: Buffer) => {
      for (const one of this.#answered.take(bytes)) this.#answer(one);
    });
    for (const end of [near, far]) end.on('error', () => {});
    near.on('close', () => this.#told === null && far.destroy());
    far.on('close', () => {
      near.destroy();
      this.#told?.();
    });
  }

  #ask(one: Buffer): void {
    if (this.#places === null) return this.#login(one);
    const type = typeOf(one);
    if (type === 'p' || type === 'X') return void this.far.write(one);
    this.#packet.push(one);
    if (type === 'P') this.#texts.set(textAt(one, 5), textAt(one, 6 + textAt(one, 5).length));
    if (type === 'Q') this.#statements.push(textAt(one, 5));
    if (type === 'B') {
      const name = textAt(one, 6 + textAt(one, 5).length);
      this.#statements.push(this.#texts.get(name) ?? '');
    }
    if (type !== 'S' && type !== 'Q') return;
    const [packet, statements] = [Buffer.concat(this.#packet), this.#statements];
    [this.#packet, this.#statements] = [[], []];
    this.#send(packet, statements);
  }

  /** The first message names the pool; its fault is one of connecting. */
  #login(one: Buffer): void {
    const said = /application_name\0(?:holdfast )?([^\0]*)/.exec(one.toString('latin1'));
    this.#pool = said?.[1] ?? 'engine';
    this.#places = new Places(this.#pool);
    const fault = this.#wire.draws.at(`${this.#pool}: connect`, OF_LOGINS);
    if (fault === 'lost before') return this.#cut();
    if (fault === 'refused') return void this.near.end(FULL, () => this.far.destroy());
    this.#cutsWhenReady = fault === 'lost after';
    this.far.write(one);
  }

  #send(packet: Buffer, statements: readonly string[]): void {
    const place = this.#places?.next(statements) ?? `${this.#pool}: reads`;
    const possible = place.endsWith('rollback') ? OF_LOGINS.slice(0, 1) : OF_SOCKETS;
    const { draws } = this.#wire;
    switch (draws.at(place, possible)) {
      case 'lost before':
        return this.#cut();
      case 'refused': {
        const state = REFUSALS[draws.detail(place) % REFUSALS.length] as string;
        return void this.far.write(refusal(state));
      }
      case 'late':
        return this.#sendLate(packet, LATE_MS + (draws.detail(place) % (LATER_MS - LATE_MS)));
      case 'lost after':
        this.#cutsWhenReady = true;
        break;
      default:
    }
    this.far.write(packet);
  }

  /** The client loses its connection; the server does what was sent a while later. */
  #sendLate(packet: Buffer, ms: number): void {
    this.#cutsWhenReady = true;
    const done = new Promise<void>((told) => (this.#told = told));
    this.#wire.late.add(done);
    void done.then(() => this.#wire.late.delete(done));
    this.near.destroy();
    setTimeout(() => this.far.write(packet), ms);
  }

  #answer(one: Buffer): void {
    if (!this.#cutsWhenReady) return void this.near.write(one);
    // A login must be answered before it can be ready.
    const ready = typeOf(one) === 'Z';
    if (ready) this.#cut();
    else if (typeOf(one) === 'R') this.near.write(one);
  }

  #cut(): void {
    this.near.destroy();
    this.far.destroy();
  }
}

interface Wired extends BrokenWire {
  readonly late: Set<Promise<void>>;
}

/** Opens a wire to the database of this URL. */
export async function openBrokenWire(databaseUrl: string, draws: Draws): Promise<BrokenWire> {
  const target = new URL(databaseUrl);
  const lines = new Set<Line>();
  const late = new Set<Promise<void>>();
  const server = createServer((near) => {
    lines.add(new Line(near, connect(Number(target.port), target.hostname), wire));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const wire: Wired = {
    url: url.href,
    draws,
    late,
    async calm() {
      await Promise.all(late);
    },
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const { near, far } of lines) {
        near.destroy();
        far.destroy();
      }
      await closed;
    },
  };
  return wire;
}
