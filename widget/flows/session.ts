// How a link becomes a session: opened by its nonce, which stands in the page's address, and by
// what the person agreed to. Answers for the token, which is kept in memory only.
import { sessionApi, type Api } from './api.ts';
import type { Session } from './flow.ts';

/** What the person agreed to. */
export interface Agreement {
  /** Absent when there were no terms to agree to. */
  readonly terms_version?: number;
  readonly consent: true;
}

/** One page's session with its API. */
export class Door {
  readonly api: Api = sessionApi(
    () => this.#token,
    () => this.agreeAgain(),
  );
  /** Asks the person once more, and says whether they agreed; the shell's to set. */
  ask: (session: Session) => Promise<boolean> = async () => false;
  #asking: Promise<boolean> | null = null;
  readonly #nonce: string;
  #token = '';
  /**
   * Lets this page ask again when an answer was lost, and go on where the browser keeps no cookie
   * in a frame. Another one comes with the answer when the browser had opened the link before.
   */
  #resume = newSecret();
  #opened = false;

  /** `path`: of the page; its last part is the nonce. */
  constructor(path: string) {
    this.#nonce = path.slice(path.lastIndexOf('/') + 1);
  }

  /** True once the link was opened: then a reload of the page goes on, too. */
  get opened(): boolean {
    return this.#opened;
  }

  /** Opens the link, or goes on with it after a reload in the same browser. Throws ApiError. */
  async open(flow: string | null, agree: Agreement | null): Promise<Session> {
    const session = await this.api.post<Session>('/session', {
      nonce: this.#nonce,
      resume: this.#resume,
      ...(flow === null ? {} : { flow }),
      ...(agree === null ? {} : { agree }),
    });
    // A session that has to agree again keeps its token: only paying waits for that.
    if (session.access_token !== '') this.#token = session.access_token;
    this.#resume = session.resume;
    this.#opened = true;
    return session;
  }

  /**
   * Has the person agree to terms that came into force during the session; false when they would
   * not. All who ask meanwhile hear the same. Throws ApiError.
   */
  agreeAgain(): Promise<boolean> {
    this.#asking ??= this.open(null, null)
      .then((session) => session.to_agree === null || this.ask(session))
      .finally(() => (this.#asking = null));
    return this.#asking;
  }

  /** Ends the session and forgets its token. A failure is of no interest to a person. */
  async close(): Promise<void> {
    const access_token = this.#token;
    if (access_token === '') return;
    this.#token = '';
    await this.api.post('/session/end', { nonce: this.#nonce, access_token }).catch(() => {});
  }
}

/** 32 random bytes in base64url. */
function newSecret(): string {
  const text = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
}
