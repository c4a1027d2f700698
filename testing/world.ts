// One workspace of a test: a tenant's whole state with a client of its own. Nobody else sees what
// happens in it, so test files and tests can run side by side.
import type {
  ClientApi,
  Explanation,
  Host,
  SandboxForkWorldInput,
  SandboxRollBackAnswer,
} from '../client/generated.ts';
import { Browser, type BrowserOptions } from './browser.ts';
import { Caller, type Pair } from './caller.ts';
import { Clock } from './clock.ts';
import { Counterparties } from './counterparties.ts';
import type { Receiver, ReceiverOptions, ScenarioOptions } from './counterparties.ts';
import { Events } from './events.ts';
import { Mails } from './mails.ts';
import type { Accounts, Ready } from './ready.ts';
import { Webhooks, type WebhooksOptions } from './webhooks.ts';

/** Where a workspace's calls go, and its seeded accounts. */
export interface WorldGround {
  readonly ready: Ready;
  /** The main workspace's client, which archives others. */
  readonly owner: Caller;
  /** Why the platform is gone; null while it runs. */
  readonly lost: () => string | null;
}

/** Options of a new workspace. */
export interface NewWorldOptions {
  /** For people: shown in the list of workspaces. */
  readonly name?: string;
}

/** A saved state of a workspace. */
export interface Snapshot {
  readonly id: string;
  /** Returns the workspace to this state. Receivers registered since are gone. */
  rollBack(): Promise<void>;
  /** A new workspace that begins in this state. */
  fork(options?: NewWorldOptions): Promise<World>;
  /** Deletes it. */
  delete(): Promise<void>;
}

export type { Explanation };

/** One step of what happened to a resource. */
export type ExplainedStep = Explanation['timeline'][number];

/** One workspace. */
export class World implements AsyncDisposable {
  readonly name: string;
  /** Every operation, typed, as a client of this workspace. */
  readonly client: ClientApi;
  /** That client's credentials, for the product under test. */
  readonly credentials: Pair;
  /** Base URLs of the hosts, for the product under test. */
  readonly urls: Ready['urls'];
  /** The seeded accounts; the same ids in each workspace. */
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly events: Events;
  /** What people were mailed. */
  readonly mails: Mails;
  /** Scripts and records of the card processor, the bank and the identity vendor. */
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
    this.mails = new Mails(caller);
    this.counterparties = new Counterparties(caller);
    this.#caller = caller;
    this.#ground = ground;
  }

  /** The workspace of a client; its events begin now. */
  static async of(ground: WorldGround, pair: Pair, about: About): Promise<World> {
    const { ready, lost } = ground;
    const world = new World(ground, new Caller({ urls: ready.urls, pair, lost }), pair, about);
    world.events.begin((await world.clock.state()).now);
    return world;
  }

  /** A new workspace from the snapshot, requested by a client of the same tenant. */
  static async fork(ground: WorldGround, by: Caller, wish: SandboxForkWorldInput): Promise<World> {
    const made = await by.client.invoicing.sandboxForkWorld(wish);
    const { client_id, client_secret } = made;
    return World.of(ground, { client_id, client_secret }, made);
  }

  /** Its id; a rollback or reset replaces it by a clone with another id. */
  get id(): string {
    return this.#id;
  }

  /** Any path of a host with this workspace's token; returns the response as it came. */
  fetch(host: Host, path: string, init?: RequestInit): Promise<Response> {
    return this.#caller.fetch(host, path, init);
  }

  /** Saves the current state. */
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

  /** Returns the workspace to how it began. */
  async reset(): Promise<void> {
    this.#standIn(await this.client.invoicing.sandboxReset());
  }

  /** A clone takes its place from now on. */
  #standIn({ world_id, now }: SandboxRollBackAnswer): void {
    this.#id = world_id;
    this.events.begin(now);
  }

  /** Archives this workspace when nobody needs it any more; a tenant can have 1,000. */
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

  /** A webhook receiver in this process. */
  webhooks(options: WebhooksOptions = {}): Promise<Webhooks> {
    return Webhooks.open({ caller: this.#caller, events: this.events }, options);
  }

  /** A webhook receiver hosted by the platform, which answers as scripted. */
  receiver(options: ReceiverOptions = {}): Promise<Receiver> {
    return this.counterparties.receiver(options);
  }

  /** A person's browser; needs Playwright. Close it at the end. */
  browser(options: BrowserOptions = {}): Promise<Browser> {
    return Browser.launch(this.urls.widget, options);
  }

  /** Everything that happened to a resource, or to the request with that id. */
  explain(id: string): Promise<Explanation> {
    return this.client.invoicing.sandboxExplain({ id });
  }
}

/** What the platform says about a workspace. */
interface About {
  readonly world_id: string;
  readonly name: string;
}
