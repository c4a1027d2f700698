// The whole system in this process, its database reached by the broken wire, its sandbox tenant
// connected to the sandbox's providers through the broken ports, its master keys wrapped by a key
// service and its mails taken by a mail server that break.
import assert from 'node:assert/strict';
import { z } from 'zod';
import { systemRandom as random } from '../../src/core/random.ts';
import { wrapVersions } from '../../src/product/people/retention/index.ts';
import { connectProvider } from '../../src/product/tenant/provider/index.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import type { Keys } from '../../src/providers/keys/port.ts';
import type { Provider, ProviderRow } from '../../src/providers/port.ts';
import { httpMethodEntry } from '../../src/sandbox/simulators/clients/method-entry.ts';
import { httpProcessor } from '../../src/sandbox/simulators/clients/processor.ts';
import { httpVendor } from '../../src/sandbox/simulators/clients/vendor.ts';
import { simulatedPayees } from '../../src/sandbox/simulators/payees.ts';
import { processorKey } from '../../src/sandbox/simulators/processor/index.ts';
import { vendorKey } from '../../src/sandbox/simulators/vendor/index.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { Draws } from './draws.ts';
import { openKeyService, type KeyService } from './key-service.ts';
import { BrokenMail } from './mail-server.ts';
import { typed } from './operators.ts';
import { BrokenPorts } from './ports.ts';
import { openReceiver } from './receiver.ts';
import { openBrokenWire, type BrokenWire } from './wire.ts';

/** The system, and what breaks its calls. */
export interface BrokenPlatform {
  readonly platform: Platform;
  /** Ids of the webhooks that the tenant's receiver has. */
  readonly received: ReadonlySet<string>;
  readonly service: KeyService;
  readonly mail: BrokenMail;
  /** Of its database, past the wire. */
  readonly url: string;
  /** Has the faults of another history played. */
  play(draws: Draws): void;
  /** Resolves once nothing is on its way any more. */
  calm(): Promise<void>;
  stop(): Promise<void>;
}

const HASTE = { HOLDFAST_PROCESSOR_TIMEOUT_MS: '3000', HOLDFAST_ESCROW_WAIT_MS: '100' };
const NAME = 'broken';

/** Starts it; nothing fails before faults are played. */
export async function startBroken(): Promise<BrokenPlatform> {
  const none = new Draws(0, 0, new Map());
  const ports = new BrokenPorts(none);
  let keys: Keys | null = null;
  let wire: BrokenWire | null = null;
  const mail = new BrokenMail(none);
  const [receiver, service, mailUrl] = await Promise.all([
    openReceiver(none),
    openKeyService(none),
    mail.listen(),
  ]);
  // The package of AWS looks here at each call.
  Object.assign(process.env, service.settings);
  const mails = { HOLDFAST_SMTP_URL: mailUrl, HOLDFAST_MAIL_FROM: 'payments@platform.example' };
  const settings = { ...HASTE, ...mails };
  const providers = rowsOf(ports, () => keys ?? assert.fail('called before it was connected'));
  let url = '';
  const by = async (direct: string): Promise<BrokenWire> => {
    url = direct;
    return (wire = await openBrokenWire(url, none));
  };
  const platform = await startPlatform({ settings, providers, by, forwardTo: receiver.url });
  const stop = async (): Promise<void> => {
    await platform.stop();
    await Promise.all([receiver.close(), mail.close(), service.close()]);
  };
  try {
    keys = await fileKeys(platform.keyFile);
    await connected(platform, keys);
    await typed({ platform, url }, (parts) => wrapVersions(parts, service.arn));
  } catch (error) {
    await stop();
    throw error;
  }
  const play = (draws: Draws): void => {
    for (const one of [ports, receiver, mail, service]) one.draws = draws;
    if (wire !== null) wire.draws = draws;
  };
  return {
    ...{ platform, play, stop, received: receiver.got, service, mail, url },
    async calm() {
      await Promise.all([ports.calm(), wire?.calm()]);
    },
  };
}

/** Its tenant gets the broken providers, and money. */
async function connected({ db, ready, api }: Platform, keys: Keys): Promise<void> {
  const [home] = await db.query<{ workspace: number }>(
    'select min(workspace) as workspace from client',
  );
  for (const kind of ['processor', 'identity'] as const) {
    await connectProvider({ db, keys, random }, {
      ...{ workspace: home?.workspace ?? 0, kind, provider: NAME, mode: 'test' },
      ...{ base_url: ready.urls.processor, merchant: null, credentials: {} },
    }, 'operator');
  }
  const body = { integrator: true, currency: 'USD', amount: 1_000_000 };
  await api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body });
}

/** The providers of the registry, as a test's: they speak to the sandbox's own. */
function rowsOf(ports: BrokenPorts, keys: () => Keys): readonly ProviderRow[] {
  const credentials = z.strictObject({});
  const common = { credentials, modeOf: () => 'test' as const };
  const processor: Provider<'processor'> = {
    ...common,
    connect({ baseUrl, returnUrl, timeoutMs }) {
      const keyOf = (of: number): string => processorKey(keys(), of);
      const line = { url: baseUrl ?? '', keyOf, timeoutMs };
      const [cards, entry] = [httpProcessor(line), httpMethodEntry(line)];
      const attach = (of: number, name: string) =>
        cards.attachTestCard(of, name).catch(() => null);
      return {
        processor: ports.broken('processor', cards),
        methodEntry: ports.broken('methodEntry', entry),
        payees: ports.broken('payees', simulatedPayees(attach, returnUrl)),
        check: async () => [],
        close: async () => void (await Promise.all([cards.close(), entry.close()])),
      };
    },
  };
  const identity: Provider<'identity'> = {
    ...common,
    connect({ baseUrl, timeoutMs }) {
      const keyOf = (of: number): string => vendorKey(keys(), of);
      const vendor = httpVendor({ url: baseUrl ?? '', keyOf, timeoutMs });
      const identityVendor = ports.broken('identityVendor', vendor);
      return { identityVendor, check: async () => [], close: () => vendor.close() };
    },
  };
  return [
    { kind: 'processor', name: NAME, load: async () => ({ provider: processor }) },
    { kind: 'identity', name: NAME, load: async () => ({ provider: identity }) },
  ];
}
