// `holdfast explain <id>`: asks the running sandbox what happened to a resource, why, and what
// comes next: one line per entry in columns, below it the rule that allowed or refused.
import type { Command } from 'commander';
import type { Explanation } from '../product/tell/explain/index.ts';
import type { CommandContext } from './context.ts';
import { CallRefused, openServer, withServerOptions, type ServerArguments } from './server.ts';
import { paintOf, type Paint } from './terminal.ts';
import { displayAmount } from '../core/currency.ts';

type Entry = Explanation['timeline'][number];
type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

/** One entry: its resource, what happened, how; and a sentence below. */
interface Line {
  readonly tag: string;
  readonly what: string;
  readonly how: string;
  readonly below?: string;
  readonly mood?: 'good' | 'bad' | 'plain';
}

const TAG = 13;
const WHAT = 34;
/** Columns before the third one: a time, and the two. */
const INDENT = ' '.repeat(14);
/** Up to this difference a workspace's time counts as real time. */
const SAME_TIME_MS = 1_000;

/** The last characters of an id: enough to tell the parts of one resource apart. */
function short(id: string): string {
  return `..${id.slice(-6)}`;
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}

function answer(status: number | null, reason: string | null): string {
  return [status, reason].filter((part) => part !== null && part !== '').join(' ') || 'no answer';
}

function who(actor: string): string {
  const [kind = '', ...ids] = actor.split(':');
  const last = ids.at(-1);
  return last === undefined ? kind : `${kind} ${short(last)}`;
}

/** Each kind of entry as a line. */
const LINES: { readonly [K in Entry['kind']]: (entry: Of<K>) => Line } = {
  request({ operation, refusal, status, state, allowed, caller, idempotency, took_ms }) {
    const by = who(`${caller.kind}:${caller.account_id ?? caller.client_id}`);
    const again = idempotency === 'replay' ? ', stored response returned again' : '';
    const how = `${by}, ${took_ms} ms${again}`;
    const tag = 'request';
    if (refusal === null) {
      return { tag, what: `${operation}  ${status}`, how, mood: status < 500 ? 'plain' : 'bad' };
    }
    const allows = allowed.length === 0 ? 'no action by the caller' : allowed.join(', ');
    const met = state === null ? '' : ` The state was ${state}, which allows ${allows}.`;
    const below = `${refusal.code}: ${refusal.sentence} [${refusal.cites}]${met}`;
    return { tag, what: `${operation}  refused ${status}`, how, below, mood: 'bad' };
  },
  transition({ about, from, to, on, actor, why, cites, facts }) {
    const told = Object.entries(facts).map(([name, value]) => `${words(name)} ${String(value)}`);
    const how = [`${words(on)}, ${who(actor)}`, ...told].join(', ');
    const what = from === null ? `-> ${to}` : from === to ? to : `${from} -> ${to}`;
    const bad = /fail|declin|DENY|REJECT|parked/i.test(to);
    const below = cites === '' ? why : `${why} [${cites}]`;
    return { tag: words(about.kind), what, how, below, mood: bad ? 'bad' : 'good' };
  },
  posting({ ledger_account, account_id, amount, currency, balance_after }) {
    const whose = account_id === null ? '' : ` of ${short(account_id)}`;
    const moved = `${amount > 0 ? '+' : ''}${displayAmount(amount, currency)}`;
    const after = balance_after === null ? null : displayAmount(balance_after, currency);
    const how = after === null ? moved : `${moved}, balance ${after}`;
    return { tag: 'money', what: `${words(ledger_account)}${whose}`, how };
  },
  exchange({ counterparty, operation, times, last_at, book, failure_code, amount, currency }) {
    const often = times === 1 ? 'once' : `${times} times, last ${last_at.slice(11, 23)}`;
    const held = book === null ? 'no record there' : `recorded there as ${book}`;
    const sum =
      amount === null || currency === null ? '' : ` ${displayAmount(amount, currency)}`;
    const how = [often, held, ...(failure_code === null ? [] : [failure_code])].join(', ');
    return { tag: counterparty, what: `call: ${words(operation)}${sum}`, how };
  },
  event({ name, sequence, event_id }) {
    const how = sequence === null ? 'not published yet' : `number ${sequence}, ${event_id}`;
    return { tag: 'event', what: name, how };
  },
  delivery({ endpoint_id, sequence, state, tries, next_try, status, reason }) {
    const often = tries === 1 ? '1 attempt' : `${tries} attempts`;
    const last = tries === 0 ? 'not attempted yet' : `${often}, last ${answer(status, reason)}`;
    const next = next_try === null ? '' : `, next at ${next_try.slice(0, 19).replace('T', ' ')}`;
    const mood = state === 'delivered' ? 'good' : state === 'dead' ? 'bad' : 'plain';
    const what = `of ${sequence} to ${short(endpoint_id)}  ${state}`;
    return { tag: 'delivery', what, how: `${last}${next}`, mood };
  },
  attempt({ number, sequence, endpoint_id, status, reason, took_ms }) {
    const ok = status !== null && status >= 200 && status < 300;
    const what = `${number} of ${sequence} to ${short(endpoint_id)}`;
    const how = `${answer(status, reason)} in ${took_ms} ms`;
    return { tag: 'attempt', what, how, mood: ok ? 'good' : 'bad' };
  },
  operator({ act, actor, about }) {
    return { tag: 'action', what: words(act), how: `${who(actor)}, ${words(about.kind)}` };
  },
  record({ about, what, state }) {
    const how = state === null ? short(about.id) : `${short(about.id)}, now ${state}`;
    return { tag: 'record', what: `${words(about.kind)} ${what}`, how };
  },
};

/** The whole text with a final line break. `width` is the terminal's. */
function explained(told: Explanation, paint: Paint, width: number): string {
  const { bold, dim } = paint;
  const owners = told.belongs_to.map(({ kind, id }) => `, of ${words(kind)} ${id}`).join('');
  const lines = [`${bold(`${words(told.kind)} ${told.id}`)}${owners}`, ''];
  if (told.left_out > 0) lines.push(dim(`${told.left_out} older entries are not shown.`), '');
  let [day, clock] = ['', ''];
  for (const entry of told.timeline) {
    const today = dayOf(entry);
    if (today !== day) lines.push(...(day === '' ? [] : ['']), bold(today));
    const time = entry.at.slice(11, 23);
    const shown = time === clock && today === day ? '' : time;
    [day, clock] = [today, time];
    lines.push(...linesOf(entry, shown, paint, width));
  }
  lines.push('', ...wrapped(told.now, width).map(bold));
  return `${lines.join('\n')}\n`;
}

/** The day by the workspace's clock, with the real time beside it if the clock was moved. */
function dayOf({ at, real_at }: Entry): string {
  const day = `${at.slice(0, 10)} UTC`;
  if (Math.abs(Date.parse(at) - Date.parse(real_at)) < SAME_TIME_MS) return day;
  return `${day} on the sandbox clock (real date ${real_at.slice(0, 10)})`;
}

function linesOf(entry: Entry, time: string, paint: Paint, width: number): string[] {
  const line = (LINES[entry.kind] as (entry: Entry) => Line)(entry);
  const colour = { good: paint.green, bad: paint.red, plain: (text: string) => text };
  const what = colour[line.mood ?? 'plain'](line.what.padEnd(WHAT));
  const first = `${paint.dim(time.padEnd(12))}  ${line.tag.padEnd(TAG)} ${what} ${line.how}`;
  const margin = `${INDENT}${' '.repeat(TAG)} `;
  const below = line.below === undefined ? [] : wrapped(line.below, width - margin.length);
  return [first.trimEnd(), ...below.map((text) => margin + paint.dim(text))];
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > Math.max(width, 30)) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

const WIDTH = 100;
const NARROWEST = 60;
const EXAMPLES = `
Examples:
  holdfast explain esc_01h455vb4pex5vsknk084sn02q      an escrow and its invoices
  holdfast explain acct_01h455vb4pex5vsknk084sn02q     an account and its latest sales
  holdfast explain 01a1fa75-c9e4-7202-a168-8f0d6fd55a35
        any id without a prefix: invoice, refund, payout, deposit, payment method, webhook
        endpoint, event, link; or the reference from a 500 response
  holdfast explain <endpoint id>:<event number>        one delivery
  holdfast explain 01a1fa75c9e47202a1688f0d6fd55a35    the end-to-end id of a payout, or the
        message id of a payout file; also a bank's reference, and the SHA-256 of a file`;

/** Adds the command. */
export function addExplain(program: Command, context: CommandContext): void {
  withServerOptions(
    program
      .command('explain <id>')
      .description('show what happened to a resource in the sandbox, why, and what is next'),
  )
    .addHelpText('after', EXAMPLES)
    .action((id: string, given: ServerArguments) => explainOne(id, given, context));
}

async function explainOne(
  id: string,
  given: ServerArguments,
  context: CommandContext,
): Promise<void> {
  const server = await openServer(given, context);
  const told = (await server
    .call('invoicing', 'GET', `/sandbox/explain/${encodeURIComponent(id)}`)
    .catch((error: unknown) => {
      if (!(error instanceof CallRefused) || error.status !== 404) throw error;
      throw new Error(
        `${id} was not found in this sandbox. Check the id; it may also belong to another tenant ` +
          'or workspace, or to a state that was rolled back.',
      );
    })) as Explanation;
  if (given.json === true) return context.print(`${JSON.stringify(told)}\n`);
  const columns = Number(context.environment['COLUMNS']) || WIDTH;
  const paint = paintOf(context.colours);
  return context.print(explained(told, paint, Math.max(columns, NARROWEST)));
}
