// Starts the sandbox of a staging process: the simulators that stand for the providers, the news
// between processes, the demo shop and the first tenant.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Lineages } from '../core/lineages.ts';
import { systemRandom } from '../core/random.ts';
import type { HostName } from '../core/operation.ts';
import type { HostsOptions } from '../http/hosts.ts';
import type { Pools } from '../pools.ts';
import type { DomainOperation, Services } from '../product/context.ts';
import { frameOrigins, settingsOf } from '../product/tenant/settings/index.ts';
import { copyNamed, secretsInUse } from '../product/tell/webhook/index.ts';
import type { Keys } from '../providers/keys/port.ts';
import { captureMail, mailbox } from './mail/index.ts';
import { demoShop } from './demo-shop.ts';
import { openNews, type News } from './news.ts';
import { openSandbox, type Opened } from './seeding.ts';
import type { SandboxServices } from './services.ts';
import {
  simulatorOperations,
  simulatorPages,
  startSimulators,
  type RunningSimulators,
  type SimulatorServices,
} from './simulators/index.ts';

type Urls = Services['urls'];
type Joined = SandboxServices & SimulatorServices;
type Providers = Pick<
  Services,
  'processor' | 'methodEntry' | 'identityVendor' | 'payees' | 'mail' | 'mailbox'
>;
type Extra = Omit<Joined, keyof Services>;

/** What a sandbox is started with. */
export interface SandboxOptions {
  readonly config: Pick<Config, 'mail' | 'processorTimeoutMs' | 'processorNotices'>;
  readonly databaseUrl: string;
  readonly pools: Pools;
  readonly lineages: Lineages;
  readonly keys: Keys;
  /** False: nobody outside is called: neither simulators nor the shop run. */
  readonly outbound: boolean;
  fault(error: unknown, operation: string): void;
}

/** A started sandbox. */
export interface Sandbox {
  /** The operations of the simulators' host. */
  readonly operations: readonly DomainOperation[];
  readonly pages: NonNullable<HostsOptions<Services>['pages']>;
  /** Hosts that stay off. */
  readonly absent: readonly HostName[];
  /** Has `read` run at each cache invalidation. */
  readonly also: News['also'];
  /** Starts the simulators; gives the services that replace or extend those of the product. */
  join(urls: Urls, turn: () => Promise<void>): Partial<Providers> & Extra;
  /** Makes or reads the sandbox tenant and opens the shop; gives what the ready line shows. */
  open(services: Services, urls: Urls, forwardTo: string | null): Promise<Opened>;
  /** First part of the stop: no turn begins any more, and the shop's event streams end. */
  endTurns(): Promise<void>;
  /** Second part: simulators send nothing more and nobody waits for them. */
  stopNotices(): Promise<void>;
  /** Last part: closes connections. */
  close(): Promise<void>;
}

/** Starts a sandbox; resolves when this process knows all clones. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { databaseUrl, pools, lineages, outbound, fault } = options;
  const news = await openNews(databaseUrl, pools, lineages, (error) => {
    fault(error, 'cacheInvalidation');
  });
  const shop = demoShop((error) => fault(error, 'shop'));
  const stopping = new AbortController();
  let simulators: RunningSimulators | null = null;
  let ending = false;
  return {
    operations: simulatorOperations as unknown as readonly DomainOperation[],
    pages: {
      processor: (app, services) => simulatorPages(app, services as Joined),
      // The shop calls the platform by its addresses, which may be another platform's.
      ...(outbound ? { shop: shop.pages } : {}),
    },
    absent: outbound ? [] : ['shop'],
    also: news.also,
    join(urls, turn) {
      const running = (simulators = outbound ? simulatorsOf(options, urls) : null);
      return {
        ...(running?.ports ?? { cards: null, persons: null, counterparties: null }),
        ...{ cacheInvalidation: news, copies: pools.long },
        turn: running && (async () => {
          if (ending) return false;
          running.wakeNotices();
          await turn();
          return true;
        }),
        ...mailOf(options),
        ...forPages(options, stopping.signal),
      };
    },
    async open(services, urls, forwardTo) {
      const made = await openSandbox(pools.long, services, outbound ? forwardTo : undefined, news);
      shop.open({ urls, ...made });
      return made;
    },
    async endTurns() {
      ending = true;
      await shop.close();
    },
    async stopNotices() {
      await simulators?.stopNotices();
      stopping.abort();
    },
    async close() {
      await Promise.all([simulators?.close(), news.close()]);
    },
  };
}

function simulatorsOf({ config, pools, keys, fault }: SandboxOptions, urls: Urls) {
  const { processorTimeoutMs: timeoutMs, processorNotices: notices } = config;
  const told = (error: unknown): void => fault(error, 'sandboxNotices');
  return startSimulators({ keys, db: pools.work, urls, timeoutMs, notices, fault: told });
}

/** Captures what no mail server is there for. */
function mailOf({ config, keys, pools: { work: db }, outbound }: SandboxOptions) {
  const isCaptured = outbound && config.mail === null;
  const parts = { db, keys, random: systemRandom };
  return isCaptured ? { mail: captureMail(parts), mailbox: mailbox(parts) } : {};
}

/** What the simulators' pages run on. */
function forPages({ keys, pools: { reads } }: SandboxOptions, stopping: AbortSignal) {
  return {
    delay: (ms: number) => sleep(ms, undefined, { signal: stopping }).catch(() => {}),
    copyNamed: (id: string) => copyNamed(reads, id),
    secretsOf: (workspace: number, endpoint: string) =>
      secretsInUse(reads, { keys }, workspace, endpoint),
    framesOf: async (workspace: number) =>
      frameOrigins(await settingsOf(reads, workspace), 'staging'),
  };
}
