// Joins the provider simulators: the ports' clients, the sandbox-only calls and the webhooks, all
// with the keys of one installation.
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../db/index.ts';
import type { IdentityVendor } from '../../providers/identity/port.ts';
import type { Keys } from '../../providers/keys/port.ts';
import type { MethodEntry } from '../../providers/method-entry/port.ts';
import type { Processor } from '../../providers/processor/port.ts';
import type { Payees } from '../../providers/payees/port.ts';
import type { SandboxCards } from '../ports/cards.ts';
import type { SandboxCounterparties } from '../ports/counterparties.ts';
import type { SandboxPersons } from '../ports/persons.ts';
import { httpMethodEntry } from './clients/method-entry.ts';
import { httpProcessor } from './clients/processor.ts';
import * as counterparties from './counterparties/index.ts';
import * as cards from './processor/index.ts';
import * as receiver from './receiver/index.ts';
import * as persons from './vendor/index.ts';
import { httpVendor } from './clients/vendor.ts';
import { startNotices } from './store/notices.ts';
import { simulatedPayees } from './payees.ts';

/** What the simulators' operations and pages run on. */
export type SimulatorServices = cards.SandboxProcessorServices & receiver.SandboxReceiverServices;

/** The operations of the simulators' host. */
export const simulatorOperations = [...cards.operations, ...persons.operations];

/** Everything people and deliveries find at that host. */
export async function simulatorPages(
  app: FastifyInstance,
  services: SimulatorServices & Parameters<typeof counterparties.pages>[1],
): Promise<void> {
  cards.pages(app, services);
  counterparties.pages(app, services);
  await receiver.pages(app, services);
}

/** What they are joined from. */
interface SimulatorOptions {
  readonly keys: Keys;
  /** For the simulators' own records. */
  readonly db: Database;
  /** Base URLs of the simulators, and of the hosts that take their webhooks. */
  readonly urls: Readonly<
    Record<'processor' | 'invoicing' | 'payments' | 'pii' | 'widget', string>
  >;
  readonly timeoutMs: number;
  /** False: no webhook is posted, and no delayed event happens. */
  readonly notices: boolean;
  fault(error: unknown): void;
}

/** The running simulators. */
export interface RunningSimulators {
  readonly ports: {
    readonly processor: Processor;
    readonly methodEntry: MethodEntry;
    readonly identityVendor: IdentityVendor;
    readonly payees: Payees;
    readonly cards: SandboxCards;
    readonly persons: SandboxPersons;
    readonly counterparties: SandboxCounterparties;
  };
  /** Carries out and sends what is due now. */
  wakeNotices(): void;
  stopNotices(): Promise<void>;
  /** Closes the clients' connections. */
  close(): Promise<void>;
}

/** Joins them, and starts the webhooks. */
export function startSimulators(options: SimulatorOptions): RunningSimulators {
  const { db, keys, urls, timeoutMs, fault } = options;
  const cardKey = (workspace: number): string => cards.processorKey(keys, workspace);
  const personKey = (workspace: number): string => persons.vendorKey(keys, workspace);
  const processor = httpProcessor({ url: urls.processor, keyOf: cardKey, timeoutMs });
  const methodEntry = httpMethodEntry({ url: urls.processor, keyOf: cardKey, timeoutMs });
  const vendor = httpVendor({ url: urls.processor, keyOf: personKey, timeoutMs });
  const attach: SandboxCards['attach'] = (workspace, name) =>
    processor.attachTestCard(workspace, name).catch(() => null);
  const tell = { db, fault };
  const intake = `${urls.payments}/v1/processor_notices`;
  const identityIntake = `${urls.pii}/v1/identity_notices`;
  const notices = options.notices
    ? [
        startNotices({ ...tell, url: intake, keyOf: cardKey }, cards.NOTICES),
        startNotices({ ...tell, url: identityIntake, keyOf: personKey }, persons.NOTICES),
      ]
    : [];
  return {
    ports: {
      processor,
      methodEntry,
      identityVendor: vendor,
      payees: simulatedPayees(attach, `${urls.widget}/ui/v1/returned`),
      cards: {
        cards: cards.ATTACHABLES,
        scenarios: cards.SCENARIOS,
        attach,
        play: processor.play,
        happen: processor.happen,
        agree: processor.agree,
      },
      persons: { persons: persons.TEST_PERSONS, happen: vendor.happen },
      counterparties: counterparties.sandboxCounterparties(urls),
    },
    wakeNotices() {
      for (const one of notices) one.wake();
    },
    async stopNotices() {
      await Promise.all(notices.map((one) => one.stop()));
    },
    async close() {
      await Promise.all([processor.close(), methodEntry.close(), vendor.close()]);
    },
  };
}
