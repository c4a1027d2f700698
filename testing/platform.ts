// The real platform inside a test run: `startPlatform()` starts or joins it, `newWorld()` gives
// each test a state of its own. The server is a separate process that test files may share.
import type { ClientApi } from '../client/index.ts';
import { Caller } from './caller.ts';
import { hold, type Held } from './hold.ts';
import { onlyKnown, type NamesOf } from './options.ts';
import type { Accounts, Ready } from './ready.ts';
import { World, type NewWorldOptions, type WorldGround } from './world.ts';

/** How the platform is started. */
export interface PlatformOptions {
  /** False for a server of its own instead of one for all test files of the run. */
  readonly shared?: boolean;
  /** Settings of the server, as docs/operations.md lists them. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds; default two minutes: the very first start unpacks PostgreSQL. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 120_000;
const NAMES: NamesOf<PlatformOptions> = { shared: true, env: true, timeoutMs: true };

/**
 * Starts the platform, or joins the one that another test file of this run started. It ends when
 * the last of its users has stopped, ended or died. Throws a TypeError for an unknown option.
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  onlyKnown('startPlatform', options, NAMES);
  const { shared = true, env = {}, timeoutMs = TIMEOUT_MS } = options;
  const held = await hold({ shared, env, timeoutMs });
  try {
    return await Platform.of(held);
  } catch (error) {
    await held.release();
    throw error;
  }
}

/** A running platform. */
export class Platform implements AsyncDisposable {
  /** Base URLs of the hosts. */
  readonly urls: Ready['urls'];
  /** The seeded accounts; the same ids in each workspace. */
  readonly accounts: Accounts;
  /** How to sign in to the console. */
  readonly console: Ready['console'];
  /** The main workspace: the one that all test files see. */
  readonly world: World;
  readonly #held: Held;
  readonly #ground: WorldGround;
  /** The snapshot of how the sandbox began. */
  readonly #birth: string;

  private constructor(held: Held, ground: WorldGround, world: World, birth: string) {
    const { ready } = ground;
    this.urls = ready.urls;
    this.accounts = ready.accounts;
    this.console = ready.console;
    this.world = world;
    this.#held = held;
    this.#ground = ground;
    this.#birth = birth;
  }

  /** The platform of a held connection. */
  static async of(held: Held): Promise<Platform> {
    const { ready, lost } = held;
    const owner = new Caller({ urls: ready.urls, pair: ready.client, lost });
    const ground = { ready, owner, lost };
    const { worlds } = await owner.client.invoicing.sandboxListWorlds();
    const main = worlds.find((world) => world.current);
    if (main === undefined || main.snapshot_id === null) {
      throw new Error('The platform has lost its main world, or how that began.');
    }
    const world = await World.of(ground, ready.client, main);
    return new Platform(held, ground, world, main.snapshot_id);
  }

  /** Every operation, typed, as the client of the main workspace. */
  get client(): ClientApi {
    return this.world.client;
  }

  /** A workspace of its own, as the sandbox began. */
  async newWorld(options: NewWorldOptions = {}): Promise<World> {
    const wish = { ...options, snapshot_id: this.#birth };
    return World.fork(this.#ground, this.#ground.owner, wish);
  }

  /** Releases the platform. Its server ends when nobody else holds it. */
  stop(): Promise<void> {
    return this.#held.release();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
