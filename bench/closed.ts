// The closed loop: each connection creates an invoice, pays it (and commits an escrow), and repeats
// once answered. It finds how much a server can do; its latencies are too low to quote, because it
// waits for slow answers.
import { Line } from './line.ts';
import type { Plan, Target } from './plan.ts';
import { Choice, fieldIn } from './recorder.ts';
import type { Recorder } from './recorder.ts';
import { Requests } from './requests.ts';

/** Milliseconds that a connection pauses after a failure, so as not to hammer a refusing server. */
const REST_MS = 20;
/** How long after the window an answer is still awaited. */
const TAIL_MS = 10_000;

/** State shared by all connections. */
interface Load {
  readonly plan: Plan;
  readonly recorder: Recorder;
  readonly choice: Choice;
}

function runLine(load: Load, target: Target, requests: Requests, buffer: Buffer): Promise<void> {
  const { plan, recorder, choice } = load;
  const line = new Line(target.invoicing, buffer);
  const escrow = plan.sale === 'escrow';
  return new Promise((resolve) => {
    let sent = 0;
    let id = '';
    let invoiceId = '';
    const next = (now: number): void => {
      if (now >= recorder.closeAt) {
        line.close();
        resolve();
        return;
      }
      sent = now;
      const buyer = choice.next(plan.buyers.length);
      line.send(requests.create(buyer, choice.next(plan.sellers.length)), created);
    };
    const rest = (): void => {
      setTimeout(() => next(performance.now()), REST_MS);
    };
    const created = (status: number, text: string): void => {
      const now = performance.now();
      if (!recorder.answer('create', status, text, sent, now)) return rest();
      invoiceId = fieldIn(text, escrow ? 'escrow_invoice_id' : 'invoice_id');
      id = escrow ? fieldIn(text, 'id') : invoiceId;
      if (invoiceId === '') {
        recorder.fail('create without invoice_id', text);
        return rest();
      }
      sent = now;
      line.send(requests.move(id, 'pay'), paid);
    };
    const paid = (status: number, text: string): void => {
      const now = performance.now();
      if (!recorder.answer('pay', status, text, sent, now)) return rest();
      if (!escrow) return done(now);
      sent = now;
      line.send(requests.move(id, 'commit'), committed);
    };
    const committed = (status: number, text: string): void => {
      const now = performance.now();
      if (!recorder.answer('commit', status, text, sent, now)) return rest();
      done(now);
    };
    const done = (now: number): void => {
      recorder.paid(invoiceId, now);
      next(now);
    };
    next(performance.now());
    setTimeout(() => line.close(), recorder.closeAt - performance.now() + TAIL_MS).unref();
  });
}

/** Runs the plan's connections to the end of the window and their last answers. */
export async function runClosed(plan: Plan, recorder: Recorder): Promise<void> {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const load = { plan, recorder, choice: new Choice(plan.seed) };
  const ways = plan.targets.map((target) => ({ target, requests: new Requests(target, plan) }));
  const lines: Promise<void>[] = [];
  for (let i = 0; i < plan.connections; i += 1) {
    const way = ways[i % ways.length];
    if (way !== undefined) lines.push(runLine(load, way.target, way.requests, buffer));
  }
  await Promise.all(lines);
}
