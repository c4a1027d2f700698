// One world of a test: a tenant's whole state with a client of its own. What happens in it is seen
// by nobody else, so test files and tests run beside each other.
import type {
  ClientApi,
  Host,
  SandboxExplainAnswer,
  SandboxForkWorldInput,
  SandboxRollBackAnswer,
} from '../client/generated.ts';
import { Browser, type BrowserOptions } from './browser.ts';
import { Caller, type Pair } from './caller.ts';
import { Clock } from './clock.ts';
import { Counterparties } from './counterparties.ts';
import type { Receiver, ReceiverOptions, ScenarioOptions } from './counterparties.ts';
import { Events } from './events.ts';
import type { Accounts, Ready } from './ready.ts';
import { Webhooks, type WebhooksOptions } from './webhooks.ts';

/** Where a world's calls go, and who is there from the beginning. */
export interface WorldGround {
  readonly ready: Ready;
  /** The main world's client, which ends others. */
  readonly owner: Caller;
  /** Why the platform is gone; null while it is there. */
  readonly lost: () => string | null;
}

/** What a new world is made with. */
export interface NewWorldOptions {
  /** For people: shown in the list of worlds. */
  readonly name?: string;
}

/** A kept state of a world. */
export interface Snapshot {
  readonly id: string;
  /** Puts the world back to this state. Receivers that were registered since are gone. */
  rollBack(): Promise<void>;
  /** A new world that begins in this state. */
  fork(options?: NewWorldOptions): Promise<World>;
  /** Forgets it. */
  delete(): Promise<void>;
}

/** Everything that happened to a resource, in order. */
export type Explanation = SandboxExplainAnswer;

/** One step of what happened to a resource. */
export type ExplainedStep = Explanation['timeline'][number];

/** One world. */
export class World implements AsyncDisposable {
  readonly name: string;
  /** Every operation, typed, as a client of this world. */
  readonly client: ClientApi;
  /** The credentials of that client: for the product under test. */
  readonly credentials: Pair;
  /** Base addresses of the hosts: for the product under test. */
  readonly urls: Ready['urls'];
  /** Who is there from the beginning; the same ids in each world. */
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly events: Events;
  /** Scripts and books of the card processor, the bank and the identity vendor. */
  readonly counterparties: Counterparties;
  readonly #caller: Caller;
  readonly #ground: WorldGround;
  #id: string;

  private constructor(ground: WorldGround, caller: Caller, credentials: Pair, about: About) {
    this.#id = about.world_id;
    this.name = about.name;
    this.client = caller.client;
    this.credentials = credentials;
    this.urls = ground.ready.urls;
    this.accounts = ground.ready.accounts;
    this.clock = new Clock(caller);
    this.events = new Events(caller);
    this.counterparties = new Counterparties(caller);
    this.#caller = caller;
    this.#ground = ground;
  }

  /** The world of a client; its events begin now. */
  static async of(ground: WorldGround, pair: Pair, about: About): Promise<World> {
    const { ready, lost } = ground;
    const world = new World(ground, new Caller({ urls: ready.urls, pair, lost }), pair, about);
    world.events.begin((await world.clock.state()).now);
    return world;
  }

  /** A new world that begins as the snapshot; asked for by a client of the same tenant. */
  static async fork(ground: WorldGround, by: Caller, wish: SandboxForkWorldInput): Promise<World> {
    const made = await by.client.invoicing.sandboxForkWorld(wish);
    const { client_id, client_secret } = made;
    return World.of(ground, { client_id, client_secret }, made);
  }

  /** Its id; another one after each roll back and reset, which put a copy in its place. */
  get id(): string {
    return this.#id;
  }

  /** Any path of a host with this world's token; gives the response as it came. */
  fetch(host: Host, path: string, init?: RequestInit): Promise<Response> {
    return this.#caller.fetch(host, path, init);
  }

  /** Keeps the state of this moment. */
  async snapshot(name?: string): Promise<Snapshot> {
    const { invoicing } = this.client;
    const wish = name === undefined ? {} : { name };
    const { snapshot_id } = await invoicing.sandboxTakeSnapshot(wish);
    return {
      id: snapshot_id,
      rollBack: async () => this.#standIn(await invoicing.sandboxRollBack({ snapshot_id })),
      fork: (more = {}) => World.fork(this.#ground, this.#caller, { snapshot_id, ...more }),
      delete: () => invoicing.sandboxDeleteSnapshot({ snapshot_id }),
    };
  }

  /** Puts the world back to how it began. */
  async reset(): Promise<void> {
    this.#standIn(await this.client.invoicing.sandboxReset());
  }

  /** A copy stands in its place from now on. */
  #standIn({ world_id, now }: SandboxRollBackAnswer): void {
    this.#id = world_id;
    this.events.begin(now);
  }

  /** Ends this world, which nobody needs any more; a tenant has 1,000 at most. */
  async end(): Promise<void> {
    await this.#ground.owner.client.invoicing.sandboxEndWorld({ world_id: this.#id });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  /** Commands what a counterparty does, by the scenario's name: as `counterparties.play`. */
  scenario(name: string, options?: ScenarioOptions): Promise<Readonly<Record<string, unknown>>> {
    return this.counterparties.play(name, options);
  }

  /** A receiver of events in this process. */
  webhooks(options: WebhooksOptions = {}): Promise<Webhooks> {
    return Webhooks.open({ caller: this.#caller, events: this.events }, options);
  }

  /** A receiver of events that lives at the platform, whose answers follow a script. */
  receiver(options: ReceiverOptions = {}): Promise<Receiver> {
    return this.counterparties.receiver(options);
  }

  /** A person's browser; needs Playwright. Close it at the end. */
  browser(options: BrowserOptions = {}): Promise<Browser> {
    return Browser.launch(this.urls.widget, options);
  }

  /** Everything that happened to a resource, or to the request of that id. */
  explain(id: string): Promise<Explanation> {
    return this.client.invoicing.sandboxExplain({ id });
  }
}

/** What the platform says of a world. */
interface About {
  readonly world_id: string;
  readonly name: string;
}
