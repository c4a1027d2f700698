// The ports of a process: each call goes to the provider that its workspace is connected to, and
// else to what stands there without one. Connects at the first call, and anew after a change.
import {
  readCredentials,
  type Connected,
  type PortsOfKind,
  type Provider,
  type ProviderKind,
  type ProviderRow,
  type Providers,
  type StoredConnection,
} from './port.ts';
import { absentVendor } from './identity/none.ts';
import { absentMethodEntry } from './method-entry/none.ts';
import { absentPayees } from './payees/none.ts';
import { absentProcessor } from './processor/none.ts';
import type { ChargeOrder, TransferOrder } from './processor/port.ts';

type AllPorts = PortsOfKind['processor'] & PortsOfKind['identity'];
type AnyConnected = Connected<ProviderKind>;

/** Nobody answers: every outcome is unknown, and no webhook is genuine. */
const NOBODY: AllPorts = {
  processor: absentProcessor,
  methodEntry: absentMethodEntry,
  payees: absentPayees,
  identityVendor: absentVendor,
};

/** Milliseconds that a workspace's connections are cached: other processes follow in this time. */
const KEEP_MS = 3_000;
const DAY_SECONDS = 86_400;

export interface RouterParts {
  readonly rows: readonly ProviderRow[];
  readonly env: 'staging' | 'production';
  /** False: nobody outside is called, and what is asked stays unknown. */
  readonly outbound: boolean;
  /** Who answers for a workspace without a connection; null: nobody. */
  readonly simulators: AllPorts | null;
  readonly timeoutMs: number;
  /** The connections of a workspace. */
  read(workspace: number): Promise<readonly StoredConnection[]>;
  /** The connection of an id. */
  find(id: string): Promise<StoredConnection | null>;
  /** What operators have stopped of the workspace, such as `payments` or `provider:name`. */
  stopped(workspace: number): readonly string[];
  noticeUrlOf(kind: ProviderKind, id: string): string;
  /** Where people come back from a provider's page. */
  readonly returnUrl: string;
  /** A connection cannot be used: what is asked of it stays unknown until it can. */
  fault(error: unknown): void;
  /** Milliseconds of a clock that never jumps; default the process's. */
  readonly now?: () => number;
}

/** The routed ports. */
export interface Routed extends AllPorts {
  readonly providers: Providers;
  /** Ends what was connected. */
  close(): Promise<void>;
}

interface Kept {
  readonly until: number;
  readonly connections: Promise<readonly StoredConnection[]>;
}

/**
 * Connects to a provider. Throws a sentence for the operator, without a part of the credentials.
 */
async function connect(
  parts: Pick<RouterParts, 'rows' | 'env' | 'timeoutMs' | 'noticeUrlOf' | 'returnUrl'>,
  { workspace, kind, id, provider: name, base_url: baseUrl, open }: StoredConnection,
): Promise<AnyConnected> {
  const row = parts.rows.find((one) => one.kind === kind && one.name === name);
  if (row === undefined) throw new Error(`This release has no ${kind} provider named ${name}.`);
  const { provider }: { readonly provider: Provider<ProviderKind> } = await row.load();
  const credentials = readCredentials(provider, parts.env, await open());
  const noticeUrl = parts.noticeUrlOf(kind, id);
  return provider.connect({
    ...{ workspace, credentials, baseUrl, noticeUrl },
    ...{ returnUrl: parts.returnUrl, timeoutMs: parts.timeoutMs },
  });
}

/** Connects only to check: what is wrong, as sentences for the operator. */
export async function tried(
  parts: Parameters<typeof connect>[0],
  stored: StoredConnection,
): Promise<readonly string[]> {
  try {
    const connected = await connect(parts, stored);
    return await connected.check().finally(() => connected.close());
  } catch (error) {
    // Our own sentences only: a message of somebody else's code may hold a credential.
    const isOwn = error instanceof Error && error.constructor === Error && !('code' in error);
    return [isOwn ? error.message : 'The connection cannot be made.'];
  }
}

/** The connections of a workspace, cached. A failed query is not cached. */
function cachedReads({ read, now = () => performance.now() }: RouterParts): RouterParts['read'] {
  const kept = new Map<number, Kept>();
  return (workspace) => {
    const found = kept.get(workspace);
    if (found !== undefined && found.until > now()) return found.connections;
    const entry = { until: now() + KEEP_MS, connections: read(workspace) };
    kept.set(workspace, entry);
    entry.connections.catch(() => {
      if (kept.get(workspace) === entry) kept.delete(workspace);
    });
    return entry.connections;
  };
}

/** What is connected: one of each kind for a workspace. */
class Live {
  readonly #parts: RouterParts;
  readonly #open = new Map<string, { version: string; connected: Promise<AnyConnected> }>();

  constructor(parts: RouterParts) {
    this.#parts = parts;
  }

  /** Connects, once for each version. A failed attempt is made again at the next call. */
  get(stored: StoredConnection, former = false): Promise<AnyConnected> {
    const { workspace, kind, version, id } = stored;
    const key = former ? `${workspace} ${kind} ${id}` : `${workspace} ${kind}`;
    const known = this.#open.get(key);
    if (known?.version === version) return known.connected;
    this.#end(key);
    const entry = { version, connected: connect(this.#parts, stored) };
    this.#open.set(key, entry);
    entry.connected.catch(() => {
      if (this.#open.get(key) === entry) this.#open.delete(key);
    });
    return entry.connected;
  }

  /** Ends the present connection of a workspace. */
  end(workspace: number, kind: ProviderKind): void {
    this.#end(`${workspace} ${kind}`);
  }

  #end(key: string): void {
    const ended = this.#open.get(key);
    this.#open.delete(key);
    ended?.connected.then((one) => one.close()).catch(this.#parts.fault);
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.allSettled(open.map(async ({ connected }) => (await connected).close()));
  }
}

/** Routes the ports. */
export function routeProviders(parts: RouterParts): Routed {
  const { rows, env, outbound, simulators, find, stopped, fault } = parts;
  const connectionsOf = cachedReads(parts);
  const live = new Live(parts);
  const processorOf = async (workspace: number): Promise<string | undefined> => {
    return (await connectionsOf(workspace)).find(({ kind }) => kind === 'processor')?.provider;
  };
  /** Who made a payment, where that is not who the workspace is connected to now. */
  const former = async (workspace: number, kind: ProviderKind, id: string): Promise<AllPorts> => {
    const stored = await find(id);
    if (stored?.workspace === workspace && stored.kind === kind) {
      return { ...NOBODY, ...(await live.get(stored, true)) };
    }
    throw new Error(`The ${kind} connection ${id} was removed: what it made stays unanswered.`);
  };
  const portsOf: PortsOf = async (workspace, kind, id = null) => {
    try {
      const stored = (await connectionsOf(workspace)).find((one) => one.kind === kind);
      if (!outbound) return NOBODY;
      if (id !== null && stored?.id !== id) return await former(workspace, kind, id);
      if (stored !== undefined) return { ...NOBODY, ...(await live.get(stored)) };
      live.end(workspace, kind);
      return simulators ?? NOBODY;
    } catch (error) {
      fault(error);
      return NOBODY;
    }
  };
  return {
    ...portsBy(portsOf, simulators ?? NOBODY),
    providers: {
      async configured(workspace, kind) {
        if (env === 'staging') return true;
        return (await connectionsOf(workspace)).some((one) => one.kind === kind);
      },
      async paymentsStopped(workspace) {
        const what = stopped(workspace);
        if (what.length === 0 || what.includes('payments')) return what.length > 0;
        return what.includes(`provider:${await processorOf(workspace)}`);
      },
      async holdSeconds(workspace) {
        const name = await processorOf(workspace);
        const row = rows.find((one) => one.kind === 'processor' && one.name === name);
        return row?.holdDays === undefined ? null : row.holdDays * DAY_SECONDS;
      },
      async connection(kind, id) {
        const stored = outbound ? await find(id) : null;
        if (stored === null || stored.kind !== kind) return null;
        return { ...NOBODY, ...(await live.get(stored)), workspace: stored.workspace };
      },
    },
    close: () => live.close(),
  };
}

/** Who answers for a workspace, now or at the connection of an id. */
type PortsOf = (workspace: number, kind: ProviderKind, id?: string | null) => Promise<AllPorts>;

/** Ports that look up who answers at each call. Webhooks without a connection are a simulator's. */
function portsBy(
  of: PortsOf,
  { processor: { readNotice }, identityVendor: { readNotice: readCheck } }: AllPorts,
): AllPorts {
  const processor = async (workspace: number) => (await of(workspace, 'processor')).processor;
  const maker = async ({ workspace, connection }: ChargeOrder | TransferOrder) =>
    (await of(workspace, 'processor', connection)).processor;
  const entry = async (workspace: number) => (await of(workspace, 'processor')).methodEntry;
  const payees = async (workspace: number) => (await of(workspace, 'processor')).payees;
  const vendor = async (workspace: number) => (await of(workspace, 'identity')).identityVendor;
  return {
    processor: {
      onceKinds: async (workspace) => (await processor(workspace)).onceKinds(workspace),
      payoutEntries: async (workspace) => (await processor(workspace)).payoutEntries(workspace),
      authorize: async (order) => (await maker(order)).authorize(order),
      capture: async (order) => (await maker(order)).capture(order),
      reverse: async (order) => (await maker(order)).reverse(order),
      retrieve: async (order) => (await maker(order)).retrieve(order),
      remit: async (order) => (await maker(order)).remit(order),
      retrieveTransfer: async (order) => (await maker(order)).retrieveTransfer(order),
      answerDispute: async (order) => (await processor(order.workspace)).answerDispute(order),
      retrieveAnswer: async (order) => (await processor(order.workspace)).retrieveAnswer(order),
      async statement(workspace, after) {
        return (await processor(workspace)).statement(workspace, after);
      },
      readNotice,
    },
    methodEntry: {
      begin: async (request) => (await entry(request.workspace)).begin(request),
      take: async (workspace, id) => (await entry(workspace)).take(workspace, id),
    },
    payees: {
      open: async (order) => (await payees(order.workspace)).open(order),
      async retrieve(workspace, reference) {
        return (await payees(workspace)).retrieve(workspace, reference);
      },
      async page(workspace, reference, back) {
        return (await payees(workspace)).page(workspace, reference, back);
      },
    },
    identityVendor: {
      begin: async (order) => (await vendor(order.workspace)).begin(order),
      retrieve: async (workspace, key) => (await vendor(workspace)).retrieve(workspace, key),
      page: async (workspace, key) => (await vendor(workspace)).page(workspace, key),
      abandon: async (workspace, key) => (await vendor(workspace)).abandon(workspace, key),
      forget: async (workspace, key) => (await vendor(workspace)).forget(workspace, key),
      readNotice: readCheck,
    },
  };
}
