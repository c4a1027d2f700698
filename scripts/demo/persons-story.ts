// Every test person of the sandbox, from documents to the end of the check, in one table; each must
// end as docs/test-persons.md says.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { dataUri, png } from './picture.ts';
import type { EventBody } from './platform.ts';
import { call, look, type Answered, type Scene, type Step } from './scene.ts';

/** Longer than a silent vendor is waited for, called again and answers. */
const WITHIN_MS = 60_000;

/** How persons end who are not accepted. */
const ENDS: Readonly<Record<string, string>> = {
  denied_later: 'DENY',
  document_unreadable: 'DENY',
  document_expired: 'DENY',
  name_differs: 'DENY',
  birth_date_differs: 'DENY',
  underage: 'DENY',
  watch_list: 'DENY',
  denied_then_accepted: 'DENY',
  review: 'MANUAL_REVIEW',
  review_denied_accepted: 'MANUAL_REVIEW',
  incomplete: 'SYSTEM-CANCELLED',
};

/** The vendor keeps a connection without an answer; the others do not wait behind these. */
const SILENT: readonly string[] = [
  'timeout_before_effect',
  'timeout_after_effect',
  'effect_too_late',
  'only_a_look_tells',
];

/** A person's account, and a token for her own data only. */
export interface Person {
  readonly account: string;
  readonly scene: Scene;
}

/** Identity data and documents of a person; `picture` serves as both sides of a document. */
export function submissionOf(last: string, picture: string): object {
  const home = { street: '1 Example Way', city: 'Springfield', state: 'CA', zip: '94110' };
  const kyc_pii = {
    first: 'Nia',
    last,
    date_of_birth: '1990-02-28',
    ...home,
    country: 'US',
    document_type: 'DL',
    document_country: 'US',
    document_front: picture,
    document_back: picture,
  };
  return { kyc_pii };
}

/** A small picture, as a submission holds it. */
export const PICTURE = dataUri('image/png', png(2, 2));

/** True for the event about an account's identity state. */
export function tellsOf(account: string, state: string): (body: EventBody) => boolean {
  return ({ event_name, message }) =>
    event_name === 'kyc-webhook' &&
    message['account_id'] === account &&
    message['state'] === state;
}

/** Requests a user token; returns the person and the answer. */
export async function authorize(
  scene: Scene,
  account: string,
): Promise<{ person: Person; given: Answered }> {
  const wish = { account_id: account, return_token: true };
  const given = await call(scene, 'POST', 'auth', '/authorize/user', wish);
  assert.equal(given.status, 200);
  const { access_token } = given.payload['token'] as { access_token: string };
  return { person: { account, scene: { ...scene, token: access_token } }, given };
}

interface Submitted extends Person {
  readonly name: string;
  readonly kyc: string;
  readonly answered: string;
}

/** Plays them all at once and yields the steps. */
export async function* playPersons(scene: Scene): AsyncGenerator<Step> {
  const listed = await call(scene, 'GET', 'invoicing', '/sandbox/test_persons');
  const persons = listed.payload as unknown as readonly { name: string; last: string }[];
  yield {
    ...listed.step,
    title: 'The sandbox has test persons; each of them submits now, under an account of its own',
    facts: { persons: persons.length },
    rows: [],
  };
  const made = new Map<string, Submitted>();
  for (const silent of [false, true]) {
    const now = persons.filter(({ name }) => SILENT.includes(name) === silent);
    await Promise.all(
      now.map(async ({ name, last }) => made.set(name, await submit(scene, name, last))),
    );
  }
  const submitted = persons.flatMap(({ name }) => made.get(name) ?? []);
  const late = submitted.find(({ name }) => name === 'late');
  assert.ok(late);
  yield await decideLate(scene, late);
  await Promise.all(submitted.map(({ account, name }) => {
    return scene.platform.event(tellsOf(account, endOf(name)), WITHIN_MS);
  }));
  const rows = await Promise.all(submitted.map((one) => rowOf(one)));
  const head = ['Person', 'Answered', 'Ended', 'Told', 'Reasons'];
  yield look('How they end, and how often a kyc-webhook told of it', {}, [head, ...rows]);
}

function endOf(name: string): string {
  return ENDS[name] ?? 'ACCEPT';
}

async function submit(scene: Scene, name: string, last: string): Promise<Submitted> {
  const made = await call(scene, 'POST', 'accounts', '/register', { username: name });
  const { person } = await authorize(scene, String(made.payload['account_id']));
  const body = submissionOf(last, PICTURE);
  const sent = await call(person.scene, 'POST', 'pii', '/v2/kyc', body);
  assert.deepEqual([sent.status, sent.payload['state']], [200, 'PROCESSING']);
  const { kyc_id, state } = sent.payload;
  return { ...person, name, kyc: String(kyc_id), answered: String(state) };
}

/** The vendor may not know the person yet. */
async function decideLate(scene: Scene, { kyc }: Submitted): Promise<Step> {
  const event = { kyc_id: kyc, event: 'accept' };
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const said = await call(scene, 'POST', 'invoicing', '/sandbox/identity_events', event);
    if (said.status !== 201 && Date.now() < deadline) {
      await delay(50);
      continue;
    }
    assert.equal(said.status, 201);
    const title = 'About `late` the vendor decides only when the sandbox is told to';
    return { ...said.step, title, facts: {}, rows: [] };
  }
}

/** Read when everybody has ended: a decision changed meanwhile stays. */
async function rowOf({ scene, account, name, answered }: Submitted): Promise<string[]> {
  const { status, payload } = await call(scene, 'GET', 'pii', '/v2/kyc');
  assert.deepEqual([status, payload['state']], [200, endOf(name)], name);
  const reasons = payload['reasons'] as readonly { code: string }[];
  const told = scene.platform.count(tellsOf(account, endOf(name)));
  assert.equal(told, 1, name);
  const codes = reasons.map(({ code }) => code).join(', ');
  return [name, answered, String(payload['state']), String(told), codes];
}
