// How a link becomes a session: opened by its nonce, which stands in the page's address until the
// person goes on, and by what they agreed to. The token is kept in memory only, the nonce in the
// tab for a reload. [G-13]
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

  readonly #handle: string;

  /** `path`: of the page; its last part is the nonce, or the link's handle after a reload. */
  constructor(path: string, handle: string) {
    const last = path.slice(path.lastIndexOf('/') + 1);
    this.#handle = handle;
    this.#nonce = last === handle ? recalled(handle) : last;
  }

  /** True for the address of a page that another tab or browser went on with. */
  get lost(): boolean {
    return this.#nonce === '';
  }

  /**
   * Takes the nonce out of the address, so that neither the history nor what a person copies holds
   * it. Where a browser keeps nothing for a reload it stays.
   */
  hideNonce(): void {
    const { pathname, search, hash } = location;
    if (!pathname.endsWith(`/${this.#nonce}`) || !isKept(this.#handle, this.#nonce)) return;
    const path = pathname.slice(0, -this.#nonce.length) + this.#handle;
    history.replaceState(history.state, '', path + search + hash);
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
    forget(this.#handle);
    await this.api.post('/session/end', { nonce: this.#nonce, access_token }).catch(() => {});
  }
}

const KEPT = 'holdfast-link:';

/** Keeps a nonce in this tab; false where the browser does not. */
function isKept(handle: string, nonce: string): boolean {
  try {
    sessionStorage.setItem(KEPT + handle, nonce);
    return handle !== '';
  } catch {
    return false;
  }
}

function forget(handle: string): void {
  try {
    sessionStorage.removeItem(KEPT + handle);
  } catch {
    // Nothing was kept.
  }
}

function recalled(handle: string): string {
  try {
    return sessionStorage.getItem(KEPT + handle) ?? '';
  } catch {
    return '';
  }
}

/** 32 random bytes in base64url. */
function newSecret(): string {
  const text = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
}
