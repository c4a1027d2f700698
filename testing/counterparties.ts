// The counterparties of a workspace: card processor, bank, identity vendor, and webhook receivers
// hosted by the platform. Their next actions can be scripted, and what they have received can be
// read.
import type {
  BookedPayment,
  ClientApi,
  Counterparty,
  IdentityCheck,
  ReceivedDelivery,
  ReceivedRequest,
  SandboxCreateReceiverAnswer,
  SandboxCreateReceiverInput,
  SandboxScriptInput,
  Scenario,
  StatementRow,
  WaitingScript,
} from '../client/generated.ts';
import type { Caller } from './caller.ts';
import { onlyKnown, unknownName, type NamesOf } from './options.ts';

/** What each counterparty has recorded, entry by entry. */
export interface Books {
  readonly processor: BookedPayment;
  readonly bank: StatementRow;
  readonly vendor: IdentityCheck;
  readonly receiver: ReceivedDelivery;
}

/** Counterparties whose records can be read. */
export type CounterpartyName = keyof Books;

// Of a scenario, words in braces in its call `how` stand for your own ids.
export type { Counterparty, ReceivedRequest, Scenario, WaitingScript };

/**
 * How the next calls go: 1 to 100 `times`, default once; `on` the token of a card, the name of a
 * person or the id of a receiver, default any.
 */
export type Script = SandboxScriptInput;

/** How a scenario is commanded. */
export interface ScenarioOptions {
  /**
   * The ids that its call names in braces: by word, or the only one. If it names none: the payment
   * method, or whatever a script is for.
   */
  readonly on?: string | Readonly<Record<string, string>>;
  /** For scenarios that are scripts: how often. */
  readonly times?: number;
}

/** Options of a hosted receiver; by default it takes every event and answers well. */
export type ReceiverOptions = SandboxCreateReceiverInput;

/** A webhook receiver hosted by the platform. */
export interface Receiver extends SandboxCreateReceiverAnswer {
  /** What came, in order. */
  requests(): Promise<readonly ReceivedRequest[]>;
}

const NAMES: NamesOf<ScenarioOptions> = { on: true, times: true };
const WORD = /\{(\w+)\}/g;

/** The counterparties of one workspace. */
export class Counterparties {
  readonly #client: ClientApi;

  constructor({ client }: Caller) {
    this.#client = client;
  }

  /** Every counterparty with its scenarios. */
  async list(): Promise<readonly Counterparty[]> {
    return (await this.#client.invoicing.sandboxCounterparties()).counterparties;
  }

  /**
   * Commands a scenario by name; returns the call's answer. Throws a sentence that names the
   * existing scenarios, the missing ids, or whose call it is.
   */
  async play<Answer = Readonly<Record<string, unknown>>>(
    name: string,
    options: ScenarioOptions = {},
  ): Promise<Answer> {
    onlyKnown('scenario', options, NAMES);
    const { on = {}, times } = options;
    const all = (await this.list()).flatMap(({ scenarios }) => scenarios);
    const found = all.find((one) => one.name === name);
    if (found === undefined) {
      throw new Error(unknownName('scenario', name, all.map((one) => one.name)));
    }
    if (found.kind === 'person') {
      throw new Error(`Scenario ${name} is a person's own act: see ${found.page}.`);
    }
    const { host, operation } = found.how;
    const command = Reflect.get(this.#client[host], operation) as Command<Answer>;
    return command(inputOf(found, on, times === undefined ? {} : { times }));
  }

  /** Scripts how the next calls of one kind go. */
  script(order: Script): Promise<WaitingScript> {
    return this.#client.invoicing.sandboxScript(order);
  }

  /** Waiting scripts. */
  async waiting(): Promise<readonly WaitingScript[]> {
    return (await this.#client.invoicing.sandboxScripts()).scripts;
  }

  /** Deletes every waiting script. */
  async clear(): Promise<void> {
    await this.#client.invoicing.sandboxClearScripts();
  }

  /** What a counterparty has recorded, call by call. */
  async book<Name extends CounterpartyName>(name: Name): Promise<readonly Books[Name][]> {
    const pages = await allPages((after) =>
      this.#client.invoicing.sandboxBook({ counterparty: name, ...after }),
    );
    return pages.flatMap(({ entries }) => entries as readonly Books[Name][]);
  }

  /** Registers a webhook receiver hosted by the platform. */
  async receiver(options: ReceiverOptions): Promise<Receiver> {
    const { invoicing } = this.#client;
    const made = await invoicing.sandboxCreateReceiver(options);
    const { receiver_id } = made;
    const requests = async (): Promise<readonly ReceivedRequest[]> => {
      const pages = await allPages((after) =>
        invoicing.sandboxReceiverRequests({ receiver_id, ...after }),
      );
      return pages.flatMap((page) => page.requests);
    };
    return { ...made, requests };
  }
}

type Command<Answer> = (input: object) => Promise<Answer>;

/** Every page of a list, in order. */
async function allPages<Page extends { readonly next: string | null }>(
  read: (from: { readonly after?: string }) => Promise<Page>,
): Promise<readonly Page[]> {
  const pages = [await read({})];
  for (let after = pages[0]?.next ?? null; after !== null; after = pages.at(-1)?.next ?? null) {
    pages.push(await read({ after }));
  }
  return pages;
}

/** Field in which a scenario's call names its target, if it can be limited to one. */
const NAMED: Readonly<Record<string, string>> = { exchange: 'on', scenario: 'payment_method_id' };

/** Input of a scenario's call, with its ids; `more` are further fields. */
function inputOf(
  { name, kind, how }: Scenario,
  on: string | Readonly<Record<string, string>>,
  more: object,
): object {
  const wish = { ...how.body, ...more };
  const text = JSON.stringify(wish);
  const words = [...new Set([...text.matchAll(WORD)].map(([, word = '']) => word))];
  const field = NAMED[kind];
  if (typeof on === 'string' && words.length === 0 && field !== undefined) {
    return { ...wish, [field]: on };
  }
  const ids: Readonly<Record<string, string>> =
    typeof on !== 'string' ? on : words.length === 1 ? { [words.join()]: on } : {};
  if (words.some((word) => ids[word] === undefined)) {
    throw new Error(`Scenario ${name} is on { ${words.join(', ')} }: give each in \`on\`.`);
  }
  return JSON.parse(text.replaceAll(WORD, (_, word: string) => ids[word] ?? '')) as object;
}
