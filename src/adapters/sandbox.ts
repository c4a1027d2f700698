// The sandbox's processor as the composition root wants it: the client of the port, the calls that
// only a sandbox has, and the notices, all with the keys of one installation. Knows neither books
// nor exchanges.
import type { Database } from '../db/index.ts';
import type { Keys } from '../ports/keys.ts';
import type { Processor } from '../ports/processor.ts';
import type { SandboxCards } from '../ports/sandbox-cards.ts';
import { httpProcessor } from './processor-http.ts';
import { ATTACHABLES, processorKey, SCENARIOS, startNotices } from './sandbox-processor/index.ts';

/** What it is joined from. */
export interface SandboxOptions {
  readonly keys: Keys;
  /** For the processor's own book-keeping. */
  readonly db: Database;
  /** Base addresses of the processor, and of the host that takes its notices. */
  readonly urls: { readonly processor: string; readonly payments: string };
  readonly timeoutMs: number;
  /** False: no notice is posted, and no put-off event happens. */
  readonly notices: boolean;
  fault(error: unknown): void;
}

/** The running sandbox. */
export interface RunningSandbox {
  readonly processor: Processor;
  readonly cards: SandboxCards;
  stopNotices(): Promise<void>;
  /** Closes the client's connections. */
  close(): Promise<void>;
}

/** Joins it, and starts the notices. */
export function startSandbox(options: SandboxOptions): RunningSandbox {
  const { db, urls, timeoutMs, fault } = options;
  const keyOf = (world: number): string => processorKey(options.keys, world);
  const client = httpProcessor({ url: urls.processor, keyOf, timeoutMs });
  const url = `${urls.payments}/v1/processor_notices`;
  const notices = options.notices ? startNotices({ db, url, keyOf, fault }) : null;
  return {
    processor: client,
    cards: {
      cards: ATTACHABLES,
      scenarios: SCENARIOS,
      attach: (world, name) => client.attachTestCard(world, name).catch(() => null),
      play: client.play,
      happen: client.happen,
    },
    stopNotices: async () => notices?.stop(),
    close: () => client.close(),
  };
}
