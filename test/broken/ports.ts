// The ports of the sandbox's providers with each call broken as drawn: lost on its way there or
// back, carried out after nobody waits any more, made twice, or refused because the provider is
// too busy. A provider of the registry, so that nothing of the product is replaced.
import type { IdentityVendor } from '../../src/providers/identity/port.ts';
import type { MethodEntry } from '../../src/providers/method-entry/port.ts';
import type { Payees } from '../../src/providers/payees/port.ts';
import type { Processor } from '../../src/providers/processor/port.ts';
import type { Draws } from './draws.ts';
import { FAULTS } from './draws.ts';

interface Ports {
  readonly processor: Processor;
  readonly methodEntry: MethodEntry;
  readonly payees: Payees;
  readonly identityVendor: IdentityVendor;
}

const UNKNOWN = { state: 'unknown' } as const;
const BUSY = { state: 'unknown', busy: true } as const;
const MONEY = { silent: UNKNOWN, busy: BUSY };
const CHECK = { silent: UNKNOWN, busy: UNKNOWN };
const NOTHING = { silent: null, busy: null };
/** Its answer is not waited for: reading a webhook calls nobody. */
const LOCAL = null;

/** What the product sees of each call that has no answer, or that a busy provider refuses. */
export const UNANSWERED = {
  processor: {
    onceKinds: { silent: [], busy: [] },
    payoutEntries: { silent: [], busy: [] },
    authorize: MONEY,
    capture: MONEY,
    reverse: MONEY,
    retrieve: MONEY,
    remit: MONEY,
    retrieveTransfer: MONEY,
    answerDispute: MONEY,
    retrieveAnswer: MONEY,
    statement: NOTHING,
    readNotice: LOCAL,
  },
  methodEntry: { begin: NOTHING, take: NOTHING },
  payees: { open: MONEY, retrieve: MONEY, page: NOTHING },
  identityVendor: {
    begin: CHECK,
    retrieve: CHECK,
    page: NOTHING,
    abandon: CHECK,
    forget: { silent: false, busy: false },
    readNotice: LOCAL,
  },
} as const satisfies {
  readonly [P in keyof Ports]: Readonly<
    Record<keyof Ports[P], { readonly silent: unknown; readonly busy: unknown } | null>
  >;
};

type Call = (...args: readonly unknown[]) => Promise<unknown>;
const [LATE_MS, LATER_MS] = [20, 400];

/** Breaks the calls of ports; remembers what is still on its way. */
export class BrokenPorts {
  draws: Draws;
  readonly #late = new Set<Promise<unknown>>();

  constructor(draws: Draws) {
    this.draws = draws;
  }

  /** Resolves once what was late has been carried out. */
  async calm(): Promise<void> {
    await Promise.allSettled(this.#late);
  }

  /** The port with each of its calls broken as drawn. */
  broken<P extends keyof Ports>(name: P, port: Ports[P]): Ports[P] {
    const calls = Object.entries(UNANSWERED[name]).map(([method, unanswered]) => {
      const real = (port[method as keyof Ports[P]] as Call).bind(port);
      if (unanswered === LOCAL) return [method, real];
      const place = `${name}.${method}`;
      return [method, (...args: unknown[]) => this.#call(place, real, args, unanswered)];
    });
    return Object.fromEntries(calls) as Ports[P];
  }

  async #call(
    place: string,
    real: Call,
    args: readonly unknown[],
    { silent, busy }: { readonly silent: unknown; readonly busy: unknown },
  ): Promise<unknown> {
    switch (this.draws.at(place, FAULTS)) {
      case 'lost before':
        return silent;
      case 'lost after':
        await real(...args);
        return silent;
      case 'late': {
        const ms = LATE_MS + (this.draws.detail(place) % (LATER_MS - LATE_MS));
        const late = new Promise((pass) => setTimeout(pass, ms)).then(() => real(...args));
        this.#late.add(late);
        void late.finally(() => this.#late.delete(late)).catch(() => {});
        return silent;
      }
      case 'twice':
        return (await Promise.all([real(...args), real(...args)]))[1];
      case 'refused':
        return busy;
      default:
        return real(...args);
    }
  }
}
