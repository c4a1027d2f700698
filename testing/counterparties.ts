// Who stands on the other side of a world's money: card processor, bank, identity vendor, and
// receivers of events that the platform hosts. What each does next can be commanded, and what each
// has seen can be read.
import type { Host } from '../client/generated.ts';
import type { Caller } from './caller.ts';
import type { EventName } from './inbox.ts';

/** Who can be asked what it has seen. */
export type CounterpartyName = 'processor' | 'bank' | 'vendor' | 'receiver';

/** One named scenario. */
export interface Scenario {
  readonly name: string;
  /** `scenario`, `card`, `account`, `event`, `person`, `decision`, `exchange` or `behaviour`. */
  readonly kind: string;
  readonly story: string;
  /** What happens, exchange by exchange. */
  readonly steps: readonly { readonly asked: string; readonly answered: string }[];
  /** One sentence: how it must end. */
  readonly ends: string;
  /** The call that commands it; words in braces stand for ids of your own. */
  readonly how: {
    readonly host: Host;
    readonly method: 'POST';
    readonly path: string;
    readonly body: Readonly<Record<string, unknown>>;
  };
  /** Address of the page for people. */
  readonly page: string;
}

/** One counterparty and all that it can be told to do. */
export interface Counterparty {
  readonly name: CounterpartyName;
  readonly story: string;
  readonly scenarios: readonly Scenario[];
  /** What scripts may name. */
  readonly exchanges: readonly {
    readonly name: string;
    readonly story: string;
    readonly operations: readonly string[];
  }[];
}

/** How the next exchanges go. */
export interface Script {
  readonly counterparty: Exclude<CounterpartyName, 'bank'>;
  readonly exchange: string;
  readonly operation?: string;
  /** 1 to 100; once when absent. */
  readonly times?: number;
  /** Token of a card, name of a person, id of a receiver; any when absent. */
  readonly on?: string;
}

/** How a scenario is commanded. */
export interface ScenarioOptions {
  /**
   * The ids that its call names in braces: by word, or the only one. Where it names none: the
   * payment method, or whatever a script is for.
   */
  readonly on?: string | Readonly<Record<string, string>>;
  /** For scenarios that are scripts: how often. */
  readonly times?: number;
}

/** What a hosted receiver is made with. */
export interface ReceiverOptions {
  /** Only these events; all when absent. */
  readonly events?: readonly EventName[];
  /** How its next requests are answered, in order. */
  readonly script?: readonly { readonly exchange: string; readonly times?: number }[];
}

/** A receiver of events that lives at the platform. */
export interface Receiver {
  readonly receiver_id: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly secret: string;
  /** What came, in order. */
  requests(): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

interface Page {
  readonly [list: string]: unknown;
  readonly next?: string | null;
}

const WORD = /\{(\w+)\}/g;

/** The counterparties of one world. */
export class Counterparties {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Every counterparty with its scenarios. */
  async list(): Promise<readonly Counterparty[]> {
    const path = 'counterparties';
    const answer = await this.#caller.sandbox<{ counterparties: Counterparty[] }>('GET', path);
    return answer.counterparties;
  }

  /**
   * Commands a scenario by its name; gives what the call answered. Throws a sentence that names
   * what there is, or which ids are missing.
   */
  async play<Answer = Readonly<Record<string, unknown>>>(
    name: string,
    { on = {}, times }: ScenarioOptions = {},
  ): Promise<Answer> {
    const all = (await this.list()).flatMap(({ scenarios }) => scenarios);
    const found = all.find((one) => one.name === name);
    if (found === undefined) {
      const names = all.map((one) => one.name).join(', ');
      throw new Error(`There is no scenario ${name}. There are: ${names}.`);
    }
    const { host, path, body } = callOf(found, on, times === undefined ? {} : { times });
    return (await this.#caller.call(host, 'POST', path, body)) as Answer;
  }

  /** Says how the next exchanges of one kind go. */
  script(order: Script): Promise<{ readonly script_id: string }> {
    return this.#caller.sandbox('POST', 'scripts', { times: 1, ...order });
  }

  /** Scripts that still wait. */
  async waiting(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const page = await this.#caller.sandbox<Page>('GET', 'scripts');
    return rowsOf(page);
  }

  /** Forgets every script that waits. */
  async clear(): Promise<void> {
    await this.#caller.sandbox('DELETE', 'scripts');
  }

  /** What a counterparty has seen, exchange by exchange. */
  book(name: CounterpartyName): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.#all(`books/${name}`);
  }

  /** Registers a receiver of events that lives at the platform. */
  async receiver(options: ReceiverOptions): Promise<Receiver> {
    const made = await this.#caller.sandbox<Omit<Receiver, 'requests'>>(
      'POST',
      'receivers',
      options,
    );
    return { ...made, requests: () => this.#all(`receivers/${made.receiver_id}/requests`) };
  }

  async #all(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const found: Readonly<Record<string, unknown>>[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const query = after === '' ? '' : `?after=${encodeURIComponent(after)}`;
      const page: Page = await this.#caller.sandbox<Page>('GET', path + query);
      found.push(...rowsOf(page));
      after = page.next ?? null;
    }
    return found;
  }
}

interface Call {
  readonly path: string;
  readonly body: object;
}

/** Where the call of a scenario names what it is for, if only that is behaved to so. */
const NAMED: Readonly<Record<string, string>> = { exchange: 'on', scenario: 'payment_method_id' };

/** The call of a scenario with its ids; `more` are further fields. */
function callOf(
  { name, kind, how }: Scenario,
  on: string | Readonly<Record<string, string>>,
  more: object,
): Call & { readonly host: Host } {
  const text = JSON.stringify({ path: how.path, body: { ...how.body, ...more } });
  const words = [...new Set([...text.matchAll(WORD)].map(([, word = '']) => word))];
  const field = NAMED[kind];
  if (typeof on === 'string' && words.length === 0 && field !== undefined) {
    return { host: how.host, path: how.path, body: { ...how.body, ...more, [field]: on } };
  }
  const ids: Readonly<Record<string, string>> =
    typeof on !== 'string' ? on : words.length === 1 ? { [words.join()]: on } : {};
  if (words.some((word) => ids[word] === undefined)) {
    throw new Error(`Scenario ${name} is on { ${words.join(', ')} }: give each in \`on\`.`);
  }
  const call = JSON.parse(text.replaceAll(WORD, (_, word: string) => ids[word] ?? '')) as Call;
  return { host: how.host, ...call };
}

/** The list of a page, whatever it is called. */
function rowsOf(page: Page): readonly Readonly<Record<string, unknown>>[] {
  return (Object.values(page).find((one) => Array.isArray(one)) ?? []) as Record<string, unknown>[];
}
