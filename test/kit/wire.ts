// A wire between the platform and PostgreSQL that fails as real networks do: open connections fall
// silent while new ones work, a packet is held back, unexpected bytes arrive.
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** A packet that was held back; its connection passes nothing on until it is let go. */
export interface Held {
  letGo(): void;
}

export interface Wire {
  /** The database's URL, by way of this wire. */
  readonly url: string;
  /** From now on the open connections pass nothing, and nobody is told; new ones work. */
  silence(): void;
  /** Holds back the next packet to the database that contains `text`. */
  hold(text: string): Promise<Held>;
  /** The answer to the next packet that contains `text` begins with these; resolves then. */
  lie(text: string, bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  silent: boolean;
  held: Buffer[] | null;
  lie: Buffer | null;
}

/** What is to happen to the next packet that contains a text. */
interface Orders {
  hold: { readonly text: string; held(pair: Pair): void } | null;
  lie: { readonly text: string; readonly bytes: Buffer; lied(): void } | null;
}

function ask(pair: Pair, bytes: Buffer, orders: Orders): void {
  if (pair.silent) return;
  if (orders.lie !== null && bytes.includes(orders.lie.text)) {
    pair.lie = orders.lie.bytes;
    orders.lie.lied();
    orders.lie = null;
  }
  if (orders.hold !== null && bytes.includes(orders.hold.text)) {
    pair.held = [];
    orders.hold.held(pair);
    orders.hold = null;
  }
  if (pair.held === null) pair.far.write(bytes);
  else pair.held.push(bytes);
}

function answer(pair: Pair, bytes: Buffer): void {
  if (pair.silent) return;
  if (pair.lie !== null) pair.near.write(pair.lie);
  pair.lie = null;
  pair.near.write(bytes);
}

function join(near: Socket, far: Socket, orders: Orders): Pair {
  const pair: Pair = { near, far, silent: false, held: null, lie: null };
  near.on('data', (bytes: Buffer) => ask(pair, bytes, orders));
  far.on('data', (bytes: Buffer) => answer(pair, bytes));
  for (const [from, to] of [[near, far], [far, near]] as const) {
    from.on('error', () => {});
    // A wire that was cut does not tell either end that the other one left.
    from.on('close', () => {
      if (!pair.silent && pair.held === null) to.destroy();
    });
  }
  return pair;
}

function letGo(pair: Pair): void {
  for (const bytes of pair.held ?? []) pair.far.write(bytes);
  pair.held = null;
  if (pair.near.destroyed) pair.far.end();
}

/** Opens a wire to the database of this URL. */
export async function openWire(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  const orders: Orders = { hold: null, lie: null };
  const server = createServer((near) => {
    pairs.add(join(near, connect(Number(target.port), target.hostname), orders));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silence() {
      for (const pair of pairs) pair.silent = true;
    },
    hold(text) {
      return new Promise((resolve) => {
        const held = (pair: Pair): void => resolve({ letGo: () => letGo(pair) });
        orders.hold = { text, held };
      });
    },
    lie(text, bytes) {
      return new Promise((lied) => (orders.lie = { text, bytes, lied }));
    },
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      await closed;
    },
  };
}
