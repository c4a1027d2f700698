// Customers that call without a pause while faults happen, with a journal of what was requested and
// acknowledged, so that the server's word need not be trusted afterwards.
import type { Api, Reply } from '../kit/api.ts';
import type { JourneyKind } from './journeys.ts';

/** Numbers in [0, 1) from a seed (mulberry32), so that a run can be repeated. */
export function rng(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One call of a journey. */
export interface Step {
  readonly name: string;
  /** The status that acknowledges it. */
  readonly status: number;
  /** Codes that end the journey without being a defect. */
  readonly refusals?: readonly string[];
  /** True where the key may answer otherwise than the first time. */
  readonly unsettled?: (first: Reply) => boolean;
  /** Asks with a key of its own; `id` is that of the journey's first answer. */
  ask(api: Api, key: string, id: string): Promise<Reply>;
}

/** A wish: what is asked in turn. */
export interface Plan {
  readonly kind: JourneyKind;
  readonly steps: readonly Step[];
  /** The id of what the first answer made. */
  idOf(reply: Reply): string;
}

/** A plan under way: answers in the order of its steps; null where nobody knows. */
export interface Journey {
  readonly name: string;
  readonly plan: Plan;
  readonly replies: (Reply | null)[];
  id: string;
  /** A step was refused: the journey ends before it. */
  refused: boolean;
}

/** When an acknowledged step was asked for and answered, in milliseconds. */
export interface Acknowledged {
  readonly asked: number;
  readonly answered: number;
}

/** How long somebody who stays waits after an answer that is none. */
const AWAY_MS = 250;
/** How long an answer is waited for after a start. */
const ANSWER_WITHIN_MS = 15_000;
/** How many of the acknowledged answers are asked for again. */
const REPEATED = 0.2;

export class Customers {
  readonly journeys: Journey[] = [];
  /** Answers that are neither a success nor "not now": each is a defect. */
  readonly odd: string[] = [];
  readonly acknowledged: Acknowledged[] = [];
  readonly #roll: () => number;
  readonly #wish: (roll: () => number) => Plan;
  #api: Api;
  #open = false;

  constructor(api: Api, wish: (roll: () => number) => Plan, roll: () => number) {
    this.#api = api;
    this.#wish = wish;
    this.#roll = roll;
  }

  /**
   * Is busy with `count` customers until `stop`. After an answer that is none a customer leaves; or
   * `stays`, and wishes for something else.
   */
  start(api: Api, count: number, stays = false): { stop(): Promise<void> } {
    this.#api = api;
    this.#open = true;
    const work = Promise.all(Array.from({ length: count }, () => this.#customer(stays)));
    return {
      stop: async () => {
        this.#open = false;
        await work;
      },
    };
  }

  /**
   * Asks again for everything whose outcome nobody knows, under the same keys, until it is
   * answered; and for some of what was acknowledged. Gives what was answered otherwise than the
   * first time.
   */
  async askAgain(api: Api, since: number): Promise<string[]> {
    this.#api = api;
    const different: string[] = [];
    await Promise.all(
      this.journeys.slice(since).map(async (journey) => {
        for (const [at, step] of journey.plan.steps.entries()) {
          const before = journey.replies[at];
          if (before === undefined || journey.refused) return;
          if (before !== null && this.#roll() > REPEATED) continue;
          await this.#untilAnswered(journey, at);
          const after = journey.replies[at];
          if (!before || !after || before.text === after.text) continue;
          if (step.unsettled?.(before) === true) continue;
          different.push(`${step.name}: ${before.text} then ${after.text}`);
        }
      }),
    );
    return different;
  }

  async #untilAnswered(journey: Journey, at: number): Promise<void> {
    const deadline = Date.now() + ANSWER_WITHIN_MS;
    while (!(await this.#take(journey, at)) && !journey.refused) {
      if (Date.now() > deadline) throw new Error(`no answer to step ${at} of ${journey.name}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #customer(stays: boolean): Promise<void> {
    while (this.#open) {
      const plan = this.#wish(this.#roll);
      const name = `${plan.kind}-${this.journeys.length}`;
      const journey: Journey = { name, plan, replies: [], id: '', refused: false };
      this.journeys.push(journey);
      for (const at of plan.steps.keys()) {
        if (!this.#open) return;
        journey.replies.push(null);
        if (await this.#take(journey, at)) continue;
        if (!journey.refused && !stays) return;
        if (!journey.refused) await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
        break;
      }
    }
  }

  /** Takes a step; false where the connection broke, or it was refused. */
  async #take(journey: Journey, at: number): Promise<boolean> {
    const { plan, name, replies } = journey;
    const step = plan.steps[at] as Step;
    let reply: Reply;
    const asked = performance.now();
    try {
      reply = await step.ask(this.#api, `${name}-${at}`, journey.id);
    } catch {
      return false;
    }
    if (reply.status === step.status) {
      replies[at] = reply;
      this.acknowledged.push({ asked, answered: performance.now() });
      if (at === 0) journey.id = plan.idOf(reply);
      return true;
    }
    journey.refused = reply.codes.some((code) => step.refusals?.includes(code));
    if (reply.status !== 503 && !journey.refused) {
      this.odd.push(`${step.name}: ${reply.status} ${reply.codes.join(' ')}`);
    }
    return false;
  }
}
