// What the background loops run on, and what the rest of a process may ask of them.
import type { Observer } from '../concurrency/observer.ts';
import type { Database } from '../db/index.ts';
import type { Services } from '../product/context.ts';
import type { Anchors } from '../providers/anchors/port.ts';
import type { Outbound } from '../providers/outbound/port.ts';

/** What the loops run on. */
export interface LoopParts {
  readonly services: Services;
  /** Connections for background work. */
  readonly db: Database;
  /** Null: nobody outside is called, and such work waits. */
  readonly outbound: Outbound | null;
  /** Milliseconds that the receiver at a URL has to answer; null for the usual time. */
  readonly patienceOf: (url: string) => number | null;
  /** Where the audit's block hashes go. */
  readonly anchors: Anchors;
  /** Milliseconds that a call of the processor may take. */
  readonly processorTimeoutMs: number;
  /** Told of each call outside. */
  readonly observer: Observer;
  /** Called when the heads of the audit are in the anchor. */
  readonly anchored: () => void;
  /** Called on a fault, with the name of the work if it has one. */
  readonly fault: (error: unknown, name?: string) => void;
  /** Called with one line that people should read. */
  readonly notice: (text: string) => void;
}

/** Running loops. */
export interface Loops {
  /** To be called at each commit with the workspaces and tables written. */
  committed(workspaces: ReadonlySet<number>, tables: ReadonlySet<string>): void;
  /** One turn of each loop now: local work is done when it resolves, network work has begun. */
  turn(): Promise<void>;
  /** First half of the stop: no more calls to the processor, no more commands. */
  stopAsking(): Promise<void>;
  /** Second half, after the engine has stopped: no more sealing or sending. */
  stopTelling(): Promise<void>;
}
