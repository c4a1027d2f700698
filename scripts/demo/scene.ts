// What the demo's stories share: the form of a step, API calls, and reads behind the interface.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { EventBody, Platform, Received } from './platform.ts';

/** One step: a sentence, its call, and what there is to see. */
export interface Step {
  readonly title: string;
  readonly call: { readonly method: string; readonly host: string; readonly path: string } | null;
  readonly sent: unknown;
  readonly status: number | null;
  /** Facts by name. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** A table with its head first; empty for none. */
  readonly rows: readonly (readonly string[])[];
}

/** An answer, with what a step shows of the call. */
export interface Answered {
  readonly status: number;
  readonly payload: Record<string, unknown>;
  /** Codes of a refusal. */
  readonly codes: readonly string[];
  readonly step: Pick<Step, 'call' | 'sent' | 'status'>;
}

/** Where a story plays: the platform, and a token for it. */
export interface Scene {
  readonly platform: Platform;
  readonly token: string;
}

const SECOND = 1000;

/** A step without a call. */
export function look(
  title: string,
  facts: Step['facts'],
  rows: Step['rows'] = [],
): Step {
  return { title, call: null, sent: null, status: null, facts, rows };
}

/** Requests a token; returns the scene and the step that shows it. */
export async function openScene(platform: Platform): Promise<{ scene: Scene; step: Step }> {
  const { client, urls } = platform.ready;
  const form = { grant_type: 'client_credentials', ...client };
  const response = await fetch(`${urls['auth']}/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  assert.equal(response.status, 200);
  const payload = (await response.json()) as Record<string, unknown>;
  const step = {
    title: 'Your server asks for a token',
    call: { method: 'POST', host: 'auth', path: '/token' },
    sent: { ...form, client_secret: '(as npm start printed it)' },
    status: response.status,
    facts: pick(payload, ['token_type', 'expires_in']),
    rows: [],
  };
  return { scene: { platform, token: String(payload['access_token']) }, step };
}

/** Calls a host with the scene's token. */
export async function call(
  { platform, token }: Scene,
  method: string,
  host: string,
  path: string,
  body?: object,
): Promise<Answered> {
  const response = await fetch(`${platform.ready.urls[host]}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { payload, codes } = (await response.json()) as Pick<Answered, 'payload' | 'codes'>;
  return {
    status: response.status,
    payload,
    codes,
    step: { call: { method, host, path }, sent: body ?? null, status: response.status },
  };
}

/** Reads until the answer is as wanted, for up to ten seconds; returns the last answer. */
export async function readUntil(
  scene: Scene,
  host: string,
  path: string,
  wanted: (answer: Answered) => boolean,
): Promise<Answered> {
  const deadline = Date.now() + 10 * SECOND;
  for (;;) {
    const read = await call(scene, 'GET', host, path);
    if (wanted(read) || Date.now() > deadline) return read;
    await delay(20);
  }
}

/** Reads an invoice until it has ended. */
export async function readUntilDone(scene: Scene, id: string, title: string): Promise<Step> {
  const path = `/v2/invoice/${id}`;
  const ended = ({ payload }: Answered): boolean => payload['state'] !== 'processing';
  const { payload, step } = await readUntil(scene, 'invoicing', path, ended);
  assert.match(String(payload['state']), /^(?:success|failed)$/);
  const names = ['state', 'summary', ...(payload['state'] === 'failed' ? FAILURE : [])];
  return { ...step, title, facts: pick(payload, names), rows: [] };
}

const FAILURE = ['failure_code', 'failure_reason'];

/** The receiver's side: checks the signature over the exact bytes before reading them. */
export function verified(
  { ready }: Platform,
  { headers, body }: Received,
): { readonly id: string; readonly body: EventBody } {
  const sent = headers as Record<string, string>;
  const webhook = new Webhook(ready.webhook.secret);
  assert.throws(() => webhook.verify(body.replace('"state"', '"State"'), sent), /signature/i);
  return { id: sent['webhook-id'] ?? '', body: webhook.verify(body, sent) as EventBody };
}

interface Posting {
  readonly invoice: string;
  readonly step: string;
  readonly kind: string;
  readonly owner: 'buyer' | 'seller' | null;
  readonly amount: bigint;
}

/** The ledger entries of invoices, in the order of their steps. */
export async function showPostings(
  platform: Platform,
  invoices: readonly string[],
  title: string,
): Promise<Step> {
  const { buyer } = platform.ready.accounts;
  const postings = await platform.db.query<Posting>({
    text: `select coalesce(sale_term(d.id::text, d.document, 'kind'), 'sale') as invoice,
        s.event as step,
        a.kind, p.amount,
        case when w.account_id is null then null when w.id = $2 then 'buyer' else 'seller' end
          as owner
      from posting p join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
      join invoice_document d on d.workspace = p.workspace and d.id = p.resource_id
      join history s on s.workspace = p.workspace and s.resource_id = p.resource_id
      and s.version = p.version
      left join wallet w on w.workspace = p.workspace and w.id = p.account_id
      where p.resource_id = any($1::uuid[])
      order by array_position($1::uuid[], p.resource_id), p.version, p.amount, a.kind`,
    values: [invoices, buyer['wallet_id']],
  });
  const sum = postings.reduce((total, { amount }) => total + amount, 0n);
  assert.equal(sum, 0n);
  const names = { buyer: "Bea's wallet", seller: "Sam's wallet" } as const;
  return look(title, {}, [
    ['Invoice', 'Step', 'Ledger account', 'USD'],
    ...postings.map(({ invoice, step, kind, owner, amount }) => [
      invoice,
      step.replaceAll('_', ' '),
      owner === null ? kind.replaceAll('_', ' ') : names[owner],
      money(amount),
    ]),
    ['', '', 'sum', money(sum)],
  ]);
}

function money(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Some members of a record. */
export function pick(
  record: Record<string, unknown>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}
