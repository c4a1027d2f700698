// The shop's webhook receiver: registered at the first visit, and taken over after a restart with a
// new secret, since a secret is shown only once. It accepts nothing unsigned; what an event changes
// is read back by the pages.
import { verifyWebhook, WebhookError, type WebhookEvent } from '../client/index.ts';
import type { ClientApi, Settings } from '../client/generated.ts';
import type { Feed } from './feed.ts';
import { Objection, type Visit } from './http.ts';

const DESCRIPTION = 'Kiln & Thread, the demo shop';
/** The name of a sandbox that nobody has named. */
const UNNAMED = 'Sandbox';
/** Texts and colours for people on the platform's pages; set once, so that a later change stays. */
const DRESS = {
  name: 'Kiln & Thread',
  look: { background_color: '#fffdf9', primary_color: '#9c3f22' },
};

/** The shop's registration, as shown on its pages. */
export interface Registration {
  readonly endpoint: string;
  readonly settings: Settings;
}

/** The receiver. */
export class Hooks {
  readonly #holdfast: ClientApi;
  readonly #feed: Feed;
  readonly #url: string;
  readonly #heard: (event: WebhookEvent) => void;
  #secret = '';
  #asking: Promise<Registration> | null = null;

  /** `url`: where events are sent; `heard` is called with each verified event. */
  constructor(
    holdfast: ClientApi,
    feed: Feed,
    url: string,
    heard: (event: WebhookEvent) => void,
  ) {
    this.#holdfast = holdfast;
    this.#feed = feed;
    this.#url = url;
    this.#heard = heard;
  }

  /** Registers the receiver once; a failure is not cached. */
  register(): Promise<Registration> {
    this.#asking ??= this.#register().catch((error: unknown) => {
      this.#asking = null;
      throw error;
    });
    return this.#asking;
  }

  async #register(): Promise<Registration> {
    const { invoicing } = this.#holdfast;
    const { webhook_endpoints } = await invoicing.listWebhookEndpoints();
    const mine = webhook_endpoints.find(({ description }) => description === DESCRIPTION);
    if (mine === undefined) {
      const made = { url: this.#url, description: DESCRIPTION };
      this.#secret = (await invoicing.createWebhookEndpoint(made)).secret;
    } else {
      const { endpoint_id } = mine;
      if (mine.url !== this.#url || mine.state !== 'enabled') {
        const change = { endpoint_id, url: this.#url, state: 'enabled' } as const;
        await invoicing.changeWebhookEndpoint(change);
      }
      const rotation = { endpoint_id, overlap_seconds: 0 };
      this.#secret = (await invoicing.rotateWebhookSecret(rotation)).secret;
    }
    const settings = await invoicing.getSettings();
    const dressed = mine !== undefined || settings.name !== UNNAMED;
    return {
      endpoint: this.#url,
      settings: dressed ? settings : await invoicing.changeSettings(DRESS),
    };
  }

  /** Takes one delivery. Throws Objection 400 for an unsigned one, 503 before registration. */
  async receive({ headers, body }: Visit): Promise<void> {
    if (this.#secret === '') {
      this.register().catch(() => {});
      throw new Objection(503, 'The shop is still starting; send it again.');
    }
    try {
      const event = await verifyWebhook({ secret: this.#secret, headers, body });
      this.#heard(event);
      this.#feed.add({
        kind: 'event',
        title: event.event_name,
        line: `event ${event.sequence}, signature verified`,
        mark: 'verified',
        good: true,
        body: event,
      });
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      this.#feed.add({
        kind: 'event',
        title: 'unverified request',
        line: error.message,
        mark: error.code,
        good: false,
        body: null,
      });
      throw new Objection(400, error.message);
    }
  }
}
