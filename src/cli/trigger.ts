// `holdfast trigger`: causes an event in the running sandbox, shows the calls, and waits for the
// event. Where time has to pass it works in a clone. The recipes are in event-recipes.ts.
import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { unknownName } from './suggestion.ts';
import { EVENT_NAMES, type EventName } from '../product/events.ts';
import type { Mark, Recipe } from './event-recipe.ts';
import { EVENT_RECIPES } from './event-recipes.ts';
import type { ClientPair } from './discovery.ts';
import { openServer, withServerOptions, type Made, type Server } from './server.ts';
import type { ServerArguments } from './server.ts';
import { Stage } from './fixtures.ts';
import { awaitEvent, newestEvent, type EventSeen } from './stream.ts';
import { paintOf, paintStatus, tellTo, type Paint, type Tell } from './terminal.ts';

interface TriggerArguments extends ServerArguments {
  readonly on?: string;
  readonly list?: boolean;
}

const WITHIN_MS = 30_000;
const EXAMPLES = `
Examples:
  holdfast trigger --list                           every event and what triggers it
  holdfast trigger payout-completed                 with new objects: account, money, bank
  holdfast trigger escrow-transaction-update --on <escrow id>
                                                    pays it, or commits it if it is paid

Events are real: each comes from API calls that your code could make, and every call is shown.`;

/** Adds the command. */
export function addTrigger(program: Command, context: CommandContext): void {
  withServerOptions(
    program
      .command('trigger')
      .description('trigger an event in the running sandbox by making the calls that cause it')
      .argument('[event]', 'name of the event, such as invoice-completed')
      .option('--on <id>', 'resource that it happens to (default: new objects)')
      .option('--list', 'list every event and what triggers it'),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (event: string | undefined, given: TriggerArguments) => {
      if (given.list === true) return list(given, context);
      const name = readName(event);
      checkOn(name, given.on);
      await trigger(name, given, context);
    });
}

function list(given: TriggerArguments, context: CommandContext): void {
  const tell = tellTo(context, given.json);
  const { bold, dim } = paintOf(context.colours);
  for (const event_name of EVENT_NAMES) {
    const { story, on } = EVENT_RECIPES[event_name];
    const named = on === null ? '' : `\n  ${dim(`--on ${on}`)}`;
    tell({ event_name, story, on }, `${bold(event_name)}\n  ${story}${named}`);
  }
}

function readName(event: string | undefined): EventName {
  if (event === undefined) throw new Error('Which event? `holdfast trigger --list` shows them.');
  if (!Object.hasOwn(EVENT_RECIPES, event)) {
    throw new Error(unknownName('event', event, EVENT_NAMES));
  }
  return event as EventName;
}

function checkOn(name: EventName, on: string | undefined): void {
  if (on === undefined) return;
  if (EVENT_RECIPES[name].makeOn === undefined) {
    throw new Error(`${name} always uses new objects: leave out --on.`);
  }
  if (!/^[\w-]{1,64}$/.test(on)) throw new Error(`--on must be an id, not ${on}.`);
}

/** Output of one run. */
interface Voice {
  readonly tell: Tell;
  readonly paint: Paint;
}

async function trigger(
  name: EventName,
  given: TriggerArguments,
  context: CommandContext,
): Promise<void> {
  const voice = {
    tell: tellTo(context, given.json),
    paint: paintOf(context.colours && given.json !== true),
  };
  const quiet = await openServer(given, context);
  const calls = (made: Made): void => voice.tell({ kind: 'call', ...made }, lineOf(made, voice));
  const server = quiet.telling(calls);
  const recipe: Recipe = EVENT_RECIPES[name];
  const stopped = context.asked.then((): never => {
    throw new Error('Stopped before the event arrived.');
  });
  // Nobody may be awaiting it yet.
  stopped.catch(() => {});
  // The clone is ended also if the process is told to end in the middle.
  const work = (there: Server): Promise<EventSeen> =>
    Promise.race([happen(name, there, given.on, voice), stopped]);
  const inOwn = recipe.takesTime === true && given.on === undefined;
  const event = await (inOwn ? inClone(server, work, voice) : work(server));
  const body = `\n${voice.paint.bold(name)} #${event.sequence}\n${JSON.stringify(event, null, 2)}`;
  voice.tell({ kind: 'event', ...event }, body);
}

/** Makes the calls and waits for the event they cause. */
async function happen(
  name: EventName,
  server: Server,
  on: string | undefined,
  voice: Voice,
): Promise<EventSeen> {
  const quiet = server.telling(() => {});
  const before = (await newestEvent(quiet))?.sequence ?? 0;
  const fixtures = new Stage(server, (text) => note(text, voice));
  const recipe: Recipe = EVENT_RECIPES[name];
  const mark = await (on === undefined ? recipe.make(fixtures) : recipe.makeOn?.(fixtures, on));
  const fits = (event: EventSeen): boolean => event.event_name === name && bears(event, mark);
  const event = await awaitEvent(quiet, before, fits, WITHIN_MS);
  if (event === null) {
    throw new Error(
      `The calls were made, but ${name} did not arrive within ${WITHIN_MS / 1000} s.`,
    );
  }
  return event;
}

function bears({ message }: EventSeen, mark: Mark | undefined): boolean {
  return Object.entries(mark ?? {}).every(([member, value]) => message[member] === value);
}

interface Clone extends ClientPair {
  readonly world_id: string;
}

/** Works in a clone of this sandbox, so that nobody else's clock moves. */
async function inClone<T>(
  server: Server,
  work: (clone: Server) => Promise<T>,
  voice: Voice,
): Promise<T> {
  type Workspaces = { worlds: { current: boolean; snapshot_id: string | null }[] };
  const { worlds } = (await server.call('invoicing', 'GET', '/sandbox/worlds')) as Workspaces;
  const born = worlds.find(({ current }) => current)?.snapshot_id ?? null;
  const body = { name: 'holdfast trigger', ...(born === null ? {} : { snapshot_id: born }) };
  const clone = (await server.call('invoicing', 'POST', '/sandbox/worlds', body)) as Clone;
  note(
    'Using a cloned workspace, so that your clock stays; listen does not show its events.', voice,
  );
  try {
    return await work(server.as(clone));
  } finally {
    await server.call('invoicing', 'DELETE', `/sandbox/worlds/${clone.world_id}`);
  }
}

function note(text: string, { tell, paint }: Voice): void {
  tell({ kind: 'note', text }, paint.dim(text));
}

const METHOD_WIDTH = 6;
const HOST_WIDTH = 10;

function lineOf({ method, host, path, status }: Made, { paint }: Voice): string {
  const call = `${method.padEnd(METHOD_WIDTH)} ${paint.dim(host.padEnd(HOST_WIDTH))} ${path}`;
  return `${call}  ${paintStatus(status, paint)}`;
}
