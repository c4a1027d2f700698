// Session exchange: opens a link by its nonce, which stays in the page's URL until the person
// continues, together with what they agreed to. The token is kept in memory only, the nonce in the
// tab for a reload. [G-13]
import { sessionApi, type Api } from './api.ts';
import type { Session } from './flow.ts';
import { pageLanguage } from './language.ts';

/** What the person agreed to. */
export interface Agreement {
  /** Absent if there were no terms. */
  readonly terms_version?: number;
  readonly consent: true;
}

/** One page's session with its API. */
export class Door {
  readonly api: Api = sessionApi(
    () => this.#token,
    () => this.agreeAgain(),
  );
  /** Asks the person once more and reports whether they agreed; set by the shell. */
  ask: (session: Session) => Promise<boolean> = async () => false;
  #asking: Promise<boolean> | null = null;
  readonly #nonce: string;
  #token = '';
  /**
   * Lets this page ask again after a lost answer, and continue where the browser keeps no cookie in
   * a frame. If the browser had opened the link before, the answer brings another one.
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

  /** True for a page that another tab or browser has continued with. */
  get lost(): boolean {
    return this.#nonce === '';
  }

  /**
   * Removes the nonce from the URL, so that neither the history nor a copied URL holds it. It stays
   * if the browser can store nothing for a reload.
   */
  hideNonce(): void {
    const { pathname, search, hash } = location;
    if (!pathname.endsWith(`/${this.#nonce}`) || !isKept(this.#handle, this.#nonce)) return;
    const path = pathname.slice(0, -this.#nonce.length) + this.#handle;
    history.replaceState(history.state, '', path + search + hash);
  }

  /** True once the link was opened: from then on a reload continues too. */
  get opened(): boolean {
    return this.#opened;
  }

  /** Opens the link, or continues with it after a reload in the same browser. Throws ApiError. */
  async open(flow: string | null, agree: Agreement | null): Promise<Session> {
    const session = await this.api.post<Session>('/session', {
      nonce: this.#nonce,
      resume: this.#resume,
      language: pageLanguage(),
      ...(flow === null ? {} : { flow }),
      ...(agree === null ? {} : { agree }),
    });
    // A session that must agree again keeps its token: only paying waits for that.
    if (session.access_token !== '') this.#token = session.access_token;
    this.#resume = session.resume;
    this.#opened = true;
    return session;
  }

  /** Tells the platform that the page is read in another language. */
  async spoken(): Promise<void> {
    if (this.#opened) await this.open(null, null).catch(() => {});
  }

  /**
   * Has the person agree to terms that came into force during the session; false if they refuse.
   * Concurrent callers get the same result. Throws ApiError.
   */
  agreeAgain(): Promise<boolean> {
    this.#asking ??= this.open(null, null)
      .then((session) => session.to_agree === null || this.ask(session))
      .finally(() => (this.#asking = null));
    return this.#asking;
  }

  /** Ends the session and forgets its token. A failure does not concern the person. */
  async close(): Promise<void> {
    const access_token = this.#token;
    if (access_token === '') return;
    this.#token = '';
    forget(this.#handle);
    await this.api.post('/session/end', { nonce: this.#nonce, access_token }).catch(() => {});
  }
}

const KEPT = 'holdfast-link:';

/** Stores a nonce in this tab; false if the browser does not. */
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
    // Nothing was stored.
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
