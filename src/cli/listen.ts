// `holdfast listen`: prints the event stream, and on request has the platform deliver it to a URL.
// Continues where it was when the server comes back, and notices a workspace that was rolled back.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { events } from '../catalogue.ts';
import type { CommandContext } from './context.ts';
import { Forward, type Outcome } from './forward.ts';
import { unknownName } from './suggestion.ts';
import { CallRefused, openServer, ServerGone, withServerOptions, type Server } from './server.ts';
import type { ServerArguments } from './server.ts';
import { eventsAfter, LOOK_EVERY_MS, newestEvent, subjectOf, type EventSeen } from './stream.ts';
import { clockTime, paintOf, paintStatus, tellTo, type Paint, type Tell } from './terminal.ts';

interface ListenArguments extends ServerArguments {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly replay?: string;
  readonly verbose?: boolean;
}

interface Request {
  /** Null: print only. */
  readonly target: string | null;
  /** Empty: all. */
  readonly names: readonly string[];
  /** How many past events to start with. */
  readonly replay: number;
  readonly verbose: boolean;
}

const REPLAY_MAX = 1_000;
const PAGE = 200;
const ASK_AGAIN_MS = 500;
const EXAMPLES = `
Examples:
  holdfast listen                                      print every event as it happens
  holdfast listen --forward-to localhost:3000/webhooks deliver them to your code, signed
  holdfast listen --forward-to 3000 --events invoice-completed,refund-completed
  holdfast listen --replay 10                          start with the last ten events
  holdfast trigger invoice-completed                   in another terminal: trigger an event

The platform itself sends the deliveries: listen registers a webhook endpoint for the address and
removes it at the end. Failed deliveries are retried on the usual schedule.`;

/** Adds the command. */
export function addListen(program: Command, context: CommandContext): void {
  withServerOptions(
    program
      .command('listen')
      .description('print the events of the running sandbox, and forward them to your code')
      .option(
        '--forward-to <url>', 'deliver them to this address; also host:port/path or port/path',
      )
      .option('--events <names>', 'only these events, separated by commas')
      .option('--replay <n>', `begin with the last n events (1 to ${REPLAY_MAX})`)
      .option('--verbose', 'show whole events and how each delivery is signed'),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (given: ListenArguments) => {
      const request = readRequest(given);
      const server = await openServer(given, context);
      await new Listener(request, given, context).run(server);
    });
}

function readRequest(given: ListenArguments): Request {
  const names = (given.events ?? '').split(/[ ,]+/).filter((name) => name !== '');
  const known: readonly string[] = events.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(unknownName('event', unknown, known));
  }
  const replay = given.replay ?? '0';
  const count = /^\d{1,4}$/.test(replay) ? Number(replay) : REPLAY_MAX + 1;
  if (count > REPLAY_MAX || (given.replay !== undefined && count === 0)) {
    throw new Error(`--replay must be a whole number from 1 to ${REPLAY_MAX}, not ${replay}.`);
  }
  const target = given.forwardTo === undefined ? null : addressOf(given.forwardTo);
  return { target, names, replay: count, verbose: given.verbose === true };
}

/** A full URL from what people type: `3000/hooks`, `localhost:3000/hooks`, or all of it. */
function addressOf(text: string): string {
  const whole = /^\d+(?:\/|$)/.test(text) ? `127.0.0.1:${text}` : text;
  const address = /^[a-z]+:\/\//i.test(whole) ? whole : `http://${whole}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw new Error(
    `--forward-to must be an http or https URL, host:port/path or a port, not ${text}.`,
  );
}

class Listener {
  readonly #request: Request;
  readonly #given: ListenArguments;
  readonly #context: CommandContext;
  readonly #tell: Tell;
  readonly #paint: Paint;
  readonly #stop = new AbortController();
  #forward: Forward | null = null;
  /** The last event printed; null before the first. */
  #last: EventSeen | null = null;
  #printed = 0;
  #delivered = 0;

  constructor(request: Request, given: ListenArguments, context: CommandContext) {
    this.#request = request;
    this.#given = given;
    this.#context = context;
    this.#tell = tellTo(context, given.json);
    this.#paint = paintOf(context.colours && given.json !== true);
    void context.asked.then(() => this.#stop.abort());
  }

  /** Prints until the process is told to end. */
  async run(opened: Server): Promise<void> {
    let server = opened;
    await this.#begin(server, this.#request.replay);
    try {
      while (!this.#stop.signal.aborted) {
        try {
          await this.#turn(server);
        } catch (error) {
          if (!isAway(error)) throw error;
          server = await this.#comeBack(server);
        }
        await this.#pause(LOOK_EVERY_MS);
      }
    } finally {
      await this.#end();
    }
  }

  /** Starts at the newest event or some before it, with an endpoint of its own. */
  async #begin(server: Server, replay: number): Promise<void> {
    const newest = await newestEvent(server);
    const until = newest?.sequence ?? 0;
    const after = Math.max(0, until - replay);
    this.#last = replay === 0 ? newest : await eventAt(server, after);
    await this.#register(server);
    if (after < until) await this.#forward?.replay(after + 1, until);
    const { target, names } = this.#request;
    const { secret, endpoint_id } = this.#forward?.endpoint ?? {};
    const facts = { url: server.urls.invoicing, after, forward_to: target, events: names };
    this.#tell(
      { kind: 'listening', ...facts, ...(secret === undefined ? {} : { endpoint_id, secret }) },
      this.#opening(server, after, secret),
    );
  }

  async #register(server: Server): Promise<void> {
    const { target, names } = this.#request;
    if (target === null) return;
    this.#forward = (await this.#forward?.kept()) ?? null;
    if (this.#forward !== null) return;
    const { forward, left } = await Forward.open(server, target, names);
    this.#forward = forward;
    if (left > 0) this.#notice(`Removed ${left} left behind by an earlier listener.`);
  }

  #opening(server: Server, after: number, secret: string | undefined): string {
    const { bold, dim } = this.#paint;
    const { target, names, verbose } = this.#request;
    const which = names.length === 0 ? 'every event' : names.join(', ');
    const lines = [`Listening to ${bold(server.urls.invoicing)} after #${after}: ${which}.`];
    if (secret !== undefined) {
      lines.push(`Forwarding to ${bold(String(target))}`, `Signing secret ${bold(secret)}`);
      if (verbose) lines.push(dim(SIGNING));
    }
    return [...lines, dim('Press Ctrl-C to stop.'), ''].join('\n');
  }

  /** Prints new events. The last one is read again too: after a rollback it differs. */
  async #turn(server: Server): Promise<void> {
    const last = this.#last;
    const page = await eventsAfter(server, last === null ? 0 : last.sequence - 1, PAGE);
    if (last !== null && page.shift()?.event_id !== last.event_id) {
      this.#notice('The workspace was rolled back: continuing after its newest event.');
      return this.#begin(server, 0);
    }
    const wanted = page.filter(({ event_name: name }) => this.#wants(name));
    for (const event of wanted) this.#print(event);
    this.#last = page.at(-1) ?? last;
    try {
      const outcomes = (await this.#forward?.look()) ?? [];
      const explain = this.#request.verbose && outcomes.length > 0;
      const ahead = explain ? await secondsAhead(server) : null;
      for (const outcome of outcomes) this.#printOutcome(outcome, ahead);
    } catch (error) {
      if (!(error instanceof CallRefused && error.status === 404)) throw error;
      // Another's doing: a roll back to a moment before it was registered, or a hand.
      this.#notice('The endpoint was removed: registering it again.');
      return this.#begin(server, 0);
    }
  }

  #wants(name: string): boolean {
    return this.#request.names.length === 0 || this.#request.names.includes(name);
  }

  #print(event: EventSeen): void {
    const { bold, dim } = this.#paint;
    const { id, state } = subjectOf(event);
    const { sequence, event_name, event_id, sent_at } = event;
    this.#printed += 1;
    const head = `${dim(clockTime(sent_at))}  #${sequence}  ${bold(event_name)}`;
    const line = [head, id, dim(state)].join('  ').trimEnd();
    const whole = this.#request.verbose ? `\n${JSON.stringify(event, null, 2)}` : '';
    const record = { kind: 'event', sequence, event_name, event_id, resource_id: id, event };
    this.#tell(record, line + whole);
    this.#forward?.expect(event);
  }

  /** With the signature, if the clock's lead over real time is known. */
  #printOutcome(outcome: Outcome, ahead: number | null): void {
    const { dim, yellow, red } = this.#paint;
    const { event, number, status, reason, duration_ms, state, next_attempt, at } = outcome;
    if (state === 'delivered') this.#delivered += 1;
    const how = ahead === null ? null : this.#forward?.signatureOf(outcome, ahead);
    const { sequence, event_id } = event;
    const facts = { sequence, event_id, attempt: number, at, status, reason, duration_ms };
    const record = { kind: 'delivery', ...facts, state, next_attempt, ...how };
    const why = reason === '' ? '' : ` (${reason.replaceAll('_', ' ')})`;
    const again = next_attempt === null ? '' : yellow(`again at ${clockTime(next_attempt)}`);
    const rest = state === 'dead' ? red('failed for good') : again;
    const took = `${paintStatus(status, this.#paint)}${why} in ${duration_ms} ms`;
    const line = `${dim(clockTime(at))}  #${sequence}  -> ${took}, attempt ${number}  ${rest}`;
    const signed = how && dim(`\n          signed ${how.signed}.<body> as ${how.signature}`);
    this.#tell(record, line.trimEnd() + (signed ?? ''));
  }

  #notice(text: string): void {
    if (this.#given.json === true) this.#tell({ kind: 'notice', text }, text);
    else this.#context.say(text);
  }

  /** Waits for the server; returns it, or the one now running in its place. */
  async #comeBack(server: Server): Promise<Server> {
    const { invoicing } = server.urls;
    this.#notice(`${invoicing} does not answer: waiting.`);
    const named = this.#given.url ?? this.#context.environment['HOLDFAST_URL'];
    const port = named === undefined ? { port: new URL(invoicing).port } : {};
    while (!this.#stop.signal.aborted) {
      const back = await openServer({ ...this.#given, ...port }, this.#context).catch(() => null);
      if (back === null) await this.#pause(ASK_AGAIN_MS);
      else return this.#resume(back, back.client.client_id === server.client.client_id);
    }
    return server;
  }

  async #resume(server: Server, same: boolean): Promise<Server> {
    if (same) {
      this.#notice(`It answers again: continuing after #${this.#last?.sequence ?? 0}.`);
      this.#forward = this.#forward?.at(server) ?? null;
    } else {
      this.#notice('A different sandbox answers there now: continuing after its newest event.');
      this.#forward = null;
      await this.#begin(server, 0);
    }
    return server;
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal }).catch(() => {});
  }

  async #end(): Promise<void> {
    // The endpoint stays at a server that is gone; the next listener removes it.
    await this.#forward?.close().catch(() => {});
    const counts = { events: this.#printed, delivered: this.#delivered };
    const forwarded = this.#forward === null ? '' : `, ${this.#delivered} delivered`;
    const events = this.#printed === 1 ? 'event' : 'events';
    this.#tell({ kind: 'ended', ...counts }, `\n${this.#printed} ${events}${forwarded}.`);
  }
}

const SIGNING = `Each request has the headers webhook-id, webhook-timestamp and webhook-signature.
The signature is "v1," and base64 of HMAC-SHA256 over "<webhook-id>.<webhook-timestamp>.<body>".
Its key is the base64-decoded secret after whsec_. verifyWebhook in holdfast/webhooks checks this.`;

/** The event with a sequence number; null for 0. */
async function eventAt(server: Server, sequence: number): Promise<EventSeen | null> {
  return sequence === 0 ? null : ((await eventsAfter(server, sequence - 1, 1))[0] ?? null);
}

/** Seconds the workspace's clock is ahead of real time. */
async function secondsAhead(server: Server): Promise<number> {
  const clock = await server.call('invoicing', 'GET', '/sandbox/clock');
  return (clock as { offset_seconds: number }).offset_seconds;
}

/** Nobody answers, or the client is unknown: a new server was started. */
function isAway(error: unknown): boolean {
  if (error instanceof ServerGone) return true;
  return error instanceof CallRefused && (error.status === 401 || error.status >= 500);
}
