// Runs scenarios from the sandbox's own list, by the call that is listed, so that tests assert what
// the list promises.
import assert from 'node:assert/strict';
import type {
  CounterpartyFact,
  CounterpartyScenario,
} from '../../src/sandbox/ports/counterparties.ts';
import type { Api } from '../kit/api.ts';

/** Any client of tests that gives payloads. */
interface Asking {
  must<T>(status: number, host: 'invoicing', method: string, path: string): Promise<T>;
}

/** Every scenario of all counterparties. */
export async function listed(api: Asking): Promise<readonly CounterpartyScenario[]> {
  type List = { readonly counterparties: readonly CounterpartyFact[] };
  const path = '/sandbox/counterparties';
  const { counterparties } = await api.must<List>(200, 'invoicing', 'GET', path);
  return counterparties.flatMap(({ scenarios }) => scenarios);
}

/** Those of some kinds. */
export async function listedOf(
  api: Asking,
  ...kinds: readonly CounterpartyScenario['kind'][]
): Promise<readonly CounterpartyScenario[]> {
  const found = (await listed(api)).filter(({ kind }) => kinds.includes(kind));
  assert.ok(found.length > 0, `nothing is listed as ${kinds.join(' or ')}`);
  return found;
}

/** The body of the listed call, with ids for the words in braces and further fields. */
export function bodyOf(
  { how }: CounterpartyScenario,
  ids: Readonly<Record<string, string>> = {},
  more: object = {},
): object {
  const text = JSON.stringify(how.body).replaceAll(/"\{(\w+)\}"/g, (_, name: string) => {
    const id = ids[name];
    assert.ok(id !== undefined, `nobody gave a ${name}`);
    return JSON.stringify(id);
  });
  return { ...(JSON.parse(text) as object), ...more };
}

/** Makes a scenario happen by its listed call; gives the payload. */
export async function perform<T>(
  api: Pick<Api, 'send'>,
  scenario: CounterpartyScenario,
  ids: Readonly<Record<string, string>> = {},
  more: object = {},
): Promise<T> {
  const { host, method, path } = scenario.how;
  const reply = await api.send(host, method, path, { body: bodyOf(scenario, ids, more) });
  assert.equal(reply.status, host === 'pii' ? 200 : 201, `${scenario.name}: ${reply.text}`);
  return reply.payload as T;
}

/** Gives what `look` finds as soon as it is not null. */
export async function until<T>(
  what: string,
  withinMs: number,
  look: () => Promise<T | null>,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    assert.ok(Date.now() < deadline, `${what}: not within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
