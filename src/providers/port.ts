// A provider as the rest knows it: a row of the registry, what its folder exports, and which one a
// workspace is connected to. Who the providers are, only the registry and their folders say. [G-90]
import type { z } from 'zod';
import { defineRefusals, no, notYet, refuse, type RefusalSpec } from '../core/refusal.ts';
import type { IdentityVendor } from './identity/port.ts';
import type { MethodEntry } from './method-entry/port.ts';
import type { Payees } from './payees/port.ts';
import type { Processor } from './processor/port.ts';

/** What a connected provider answers for. */
export interface PortsOfKind {
  readonly processor: {
    readonly processor: Processor;
    readonly methodEntry: MethodEntry;
    readonly payees: Payees;
  };
  readonly identity: { readonly identityVendor: IdentityVendor };
}
export type ProviderKind = keyof PortsOfKind;
export const PROVIDER_KINDS: readonly ProviderKind[] = ['processor', 'identity'];

/** What a provider is connected with. */
export interface ConnectionSettings<C> {
  readonly workspace: number;
  readonly credentials: C;
  /** Null: the provider's own address. */
  readonly baseUrl: string | null;
  /** Where the provider sends its webhooks for this connection. */
  readonly noticeUrl: string;
  /** A page of ours to which the provider sends people back. */
  readonly returnUrl: string;
  /** Milliseconds that one call may take. */
  readonly timeoutMs: number;
}

/** A connection that works: its ports, and what operators need of it. */
export type Connected<K extends ProviderKind> = PortsOfKind[K] & {
  /**
   * Makes a call that changes nothing. Gives what is wrong as sentences for the operator, empty if
   * all is well; never a part of the credentials.
   */
  check(): Promise<readonly string[]>;
  /** The provider's name of the account that the credentials open; null without an answer. */
  merchant?(): Promise<string | null>;
  close(): Promise<void>;
};

/** What the folder of a provider exports as `provider`. */
export interface Provider<K extends ProviderKind, C = unknown> {
  /** Reads the credentials. Its messages quote none of them. */
  readonly credentials: z.ZodType<C>;
  /** Test credentials belong to staging, live ones to production. */
  modeOf(credentials: C): 'test' | 'live';
  connect(settings: ConnectionSettings<C>): Connected<K>;
}

interface RowOfKind<K extends ProviderKind> {
  readonly kind: K;
  /** The name of its folder. */
  readonly name: string;
  /**
   * Days for which a processor lets money wait for a seller at most; absent: it sets no limit. No
   * escrow is held longer. [G-42]
   */
  readonly holdDays?: number;
  /** Loads the folder, once a workspace is connected to it. */
  load(): Promise<{ readonly provider: Provider<K> }>;
}

/** A row of the registry. */
export type ProviderRow = { [K in ProviderKind]: RowOfKind<K> }[ProviderKind];

/** Which provider a workspace is connected to. */
export interface Connection {
  readonly workspace: number;
  readonly kind: ProviderKind;
  /** Named by the address of its webhooks. */
  readonly id: string;
  readonly provider: string;
  /** Whose account it is at the provider; null where the provider did not say. */
  readonly merchant: string | null;
  readonly base_url: string | null;
}

/** A connection as stored. */
export interface StoredConnection extends Connection {
  /** The tenant's id. */
  readonly integrator: string;
  /** Differs after every change. */
  readonly version: string;
  /** Opens the credentials. */
  open(): Promise<unknown>;
}

/** What operations may ask about providers. */
export interface Providers {
  /** True if somebody answers for the kind, be it a simulator. Cached for seconds. */
  configured(workspace: number, kind: ProviderKind): Promise<boolean>;
  /** True while an operator has stopped new charges of the workspace; absent: never. */
  paymentsStopped?(workspace: number): Promise<boolean>;
  /** Seconds for which the processor lets money wait at most; null: no limit. Cached. [G-42] */
  holdSeconds(workspace: number): Promise<number | null>;
  /** The connection that webhooks name, with its ports; null if there is none of this kind. */
  connection<K extends ProviderKind>(
    kind: K,
    id: string,
  ): Promise<(PortsOfKind[K] & { readonly workspace: number }) | null>;
}

/** What is refused at once where nobody does it, so that nobody waits for it. */
export const providerRefusals = defineRefusals({
  PROVIDER_NOT_CONFIGURED: no(400, 'operator', 'G-90',
    'No card processor is configured, so cards and bank accounts cannot be used; nothing was ' +
    'changed. The operator configures one with `holdfast provider set`.'),
  PAYMENTS_STOPPED: notYet(503, 'operator', 'G-90',
    'An operator has stopped payments by card and bank account for now; nothing was changed. ' +
    'Wallets still pay. Try again later.'),
});

/** Throws the refusal where the workspace has no card processor. */
export async function requireProcessor(providers: Providers, workspace: number): Promise<void> {
  if (await providers.configured(workspace, 'processor')) return;
  throw refuse(providerRefusals.PROVIDER_NOT_CONFIGURED);
}

/** Why nobody charges a card of the workspace now; null: somebody does. */
export async function chargeRefusal(
  providers: Providers,
  workspace: number,
): Promise<RefusalSpec | null> {
  if (!(await providers.configured(workspace, 'processor'))) {
    return providerRefusals.PROVIDER_NOT_CONFIGURED;
  }
  return (await providers.paymentsStopped?.(workspace)) === true
    ? providerRefusals.PAYMENTS_STOPPED
    : null;
}

/** Which credentials an environment takes. */
export const MODE_OF = { staging: 'test', production: 'live' } as const;

/**
 * Reads credentials for an environment. Throws an Error whose sentence names fields and quotes no
 * value.
 */
export function readCredentials<C>(
  provider: Pick<Provider<never, C>, 'credentials' | 'modeOf'>,
  env: keyof typeof MODE_OF,
  given: unknown,
): C {
  const read = provider.credentials.safeParse(given);
  if (!read.success) {
    // Names of unknown fields are the caller's texts, and one may be a misplaced secret.
    const wrong = read.error.issues.map(({ code, path, message }) =>
      code === 'unrecognized_keys' ? 'unknown fields' : `${path.join('.') || 'all'} (${message})`,
    );
    throw new Error(`The credentials cannot be used: ${[...new Set(wrong)].join('; ')}.`);
  }
  const mode = provider.modeOf(read.data);
  if (mode === MODE_OF[env]) return read.data;
  throw new Error(`These are ${mode} credentials: ${env} takes ${MODE_OF[env]} ones.`);
}
