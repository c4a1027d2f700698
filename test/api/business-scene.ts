// Businesses over HTTP, for tests: an account, its session for the form, and its people with their
// verification links.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { submission } from '../kit/identity.ts';
import { personToken } from '../kit/person-token.ts';
import { dataUri, pdfOf, PDF_PAGES } from '../kit/sample-files.ts';
import type { Reply } from '../kit/api.ts';
import { startPlatform, type Platform } from './kit.ts';

/** A document of registration. */
export const CHARTER = dataUri('application/pdf', pdfOf(PDF_PAGES));

/** A person behind a business, as the record shows them. */
export interface AgentSeen {
  readonly entity_agent_id: string;
  readonly agent_name: string;
  readonly account_id: string;
  readonly status: string;
  readonly kyc_status: string;
  readonly roles: readonly string[];
  readonly ownership: string;
  readonly documents: readonly object[];
}

/** A document as the record shows it. */
export interface DocumentSeen {
  readonly entity_document_id: string;
  readonly status: string;
  readonly reason: { readonly code: string; readonly sentence: string } | null;
}

/** A business as the record shows it. */
export interface EntitySeen {
  readonly entity_id: string;
  readonly entity_name: string;
  readonly status: string;
  readonly account_id: string;
  readonly agents: readonly AgentSeen[];
  readonly documents: readonly DocumentSeen[];
  readonly registration_document: string;
}

/** A body of onboarding with everything that a submission needs, or as `more` says. */
export function business(more: object = {}): Record<string, unknown> {
  return {
    entity_name: 'Satchels & Sons',
    entity_type: 'partnership',
    tax_id: '12-3456789',
    agents: [
      { agent_name: 'Ada Bell', roles: ['control_prong', 'beneficial_owner'] },
      { agent_name: 'Cyd Dorn', roles: ['beneficial_owner'] },
    ],
    documents: [CHARTER],
    ...more,
  };
}

/** What a German company states of itself, or as `more` says. */
export const GERMAN = {
  ...{ entity_name: 'Dorn & Bell Lampen GmbH', country: 'DE', legal_form: 'GmbH' },
  ...{ registration_number: 'HRB 123456 B', register: 'Amtsgericht Charlottenburg' },
  ...{ street: 'Musterstraße 1', postal_code: '10115', city: 'Berlin' },
  vat_number: 'DE136695976',
} as const;

/** A body of onboarding of a German company with everything that a submission needs. */
export function germanBusiness(more: object = {}): Record<string, unknown> {
  return {
    ...GERMAN,
    agents: [
      { agent_name: 'Ada Bell', roles: ['control_prong', 'beneficial_owner'], ownership: '50-75' },
      { agent_name: 'Cyd Dorn', roles: ['beneficial_owner'], ownership: '33.33' },
    ],
    documents: [CHARTER],
    ...more,
  };
}

/** A platform with businesses for the tests of one file, which is stopped after them. */
export async function startBusinesses(): Promise<{ platform: Platform; scene: BusinessScene }> {
  const platform = await startPlatform();
  after(() => platform.stop());
  return { platform, scene: new BusinessScene(platform) };
}

let count = 0;

/** Businesses on one platform. */
export class BusinessScene {
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** A fresh account. */
  async account(more: object = {}): Promise<string> {
    const body = { username: `business ${(count += 1)}`, country_iso: 'US', ...more };
    type Made = { account_id: string };
    const call = { body };
    const { api } = this.#platform;
    return (await api.must<Made>(200, 'accounts', 'POST', '/register', call)).account_id;
  }

  /** A session of an account, with the scopes that a link gives a person. */
  async session(accountId: string): Promise<string> {
    const { ready } = this.#platform;
    const client = { clientId: ready.client.client_id, integrator: ready.integrator };
    const scopes = ['read_kyc', 'read_kycs', 'verify_kyc'];
    const given = { client, kind: 'session', accountId, scopes, seconds: 600 } as const;
    return personToken(this.#platform, given);
  }

  tryOnboard(account: string, body: unknown = business()): Promise<Reply> {
    return this.#platform.api.send('pii', 'POST', `/v1/entity/${account}/onboard`, { body });
  }

  async onboard(account: string, body: unknown = business()): Promise<string> {
    const reply = await this.tryOnboard(account, body);
    assert.equal(reply.status, 200, reply.text);
    return (reply.body.payload as { entity_id: string }).entity_id;
  }

  read(entity: string): Promise<EntitySeen> {
    return this.#platform.api.must(200, 'pii', 'GET', `/v1/entity/${entity}`);
  }

  /** A call of the form by its person. */
  form(token: string, method: string, path = '', body?: unknown): Promise<Reply> {
    const call = { token, ...(body === undefined ? {} : { body }) };
    return this.#platform.api.send('pii', method, `/v1/entity/form${path}`, call);
  }

  async submit(account: string): Promise<void> {
    const reply = await this.form(await this.session(account), 'POST', '/submit');
    assert.equal(reply.status, 200, reply.text);
  }

  link(agent: string, token?: string): Promise<Reply> {
    const path = `/v1/entity/agents/${agent}/link`;
    return this.#platform.api.send('pii', 'POST', path, token === undefined ? {} : { token });
  }

  /** Opens an agent's link as that person would; gives their session. */
  async open(agent: string): Promise<{ readonly token: string; readonly account: string }> {
    const made = await this.link(agent);
    assert.equal(made.status, 200, made.text);
    return this.enter((made.body.payload as { redirect: string }).redirect);
  }

  /** Opens a link of ours as the person whom it was made for; gives their session. */
  async enter(redirect: string): Promise<{ readonly token: string; readonly account: string }> {
    const { hosted } = this.#platform.ready.urls;
    assert.ok(redirect.startsWith(`${hosted}/${this.#platform.ready.integrator}/kyc/`));
    const nonce = new URL(redirect).pathname.split('/').at(-1);
    type Session = { access_token: string; account_id: string; resume: string; to_agree: ToAgree };
    type ToAgree = { terms: { version: number } | null } | null;
    const ask = (body: object): Promise<Session> =>
      this.#platform.api.must(200, 'hosted', 'POST', '/ui/api/session', { body, token: null });
    const { to_agree, resume } = await ask({ nonce });
    const terms_version = to_agree?.terms?.version;
    const agreed = await ask({ nonce, resume, agree: { terms_version, consent: true } });
    return { token: agreed.access_token, account: agreed.account_id };
  }

  /** A person proves who they are by their own link. */
  async verify(agent: string, last = 'Bell'): Promise<void> {
    await this.prove((await this.open(agent)).token, last);
  }

  /** The person of a session proves who they are. */
  async prove(token: string, last = 'Bell'): Promise<void> {
    const call = { token, body: submission({ last }) };
    await this.#platform.api.must(200, 'pii', 'POST', '/v2/kyc', call);
  }

  /** Everybody behind a business does. */
  async verifyAll(entity: string): Promise<void> {
    const { agents } = await this.read(entity);
    await Promise.all(agents.map(({ entity_agent_id }) => this.verify(entity_agent_id)));
  }

  /** Waits until a business has a status. */
  async reached(entity: string, status: string): Promise<EntitySeen> {
    for (let tries = 0; ; tries += 1) {
      const seen = await this.read(entity);
      if (seen.status === status) return seen;
      assert.ok(tries < 200, `${seen.status}, not ${status}`);
      await delay(50);
    }
  }

  /** The identity state of an account. */
  async kyc(account: string): Promise<string> {
    const path = `/v1/kyc/${account}`;
    return (await this.#platform.api.must<{ state: string }>(200, 'pii', 'GET', path)).state;
  }

  /** The first messages of an event about an account, once there are so many. */
  async told(
    name: string,
    account: string,
    count: number,
  ): Promise<readonly Record<string, unknown>[]> {
    type Page = { events: { event_name: string; message: Record<string, unknown> }[] };
    const path = '/v1/events?limit=1000';
    for (let tries = 0; ; tries += 1) {
      const { events } = await this.#platform.api.must<Page>(200, 'invoicing', 'GET', path);
      const mine = events.filter(({ event_name, message }) => {
        return event_name === name && message['account_id'] === account;
      });
      if (mine.length >= count) return mine.map(({ message }) => message);
      assert.ok(tries < 200, `${mine.length} of ${count} ${name}`);
      await delay(50);
    }
  }
}
