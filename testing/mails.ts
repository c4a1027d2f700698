// The mails that the sandbox captured in a workspace, newest first. Each is given once, and a wait
// in vain ends with a message that says what came instead.
import type { SandboxMailAnswer } from '../client/index.ts';
import type { Caller } from './caller.ts';
import { onlyKnown, type NamesOf } from './options.ts';

/** A captured mail. */
export type CapturedMail = SandboxMailAnswer['mails'][number];

/** Which mail is awaited, and how long. */
export interface MailWait {
  /** Its address; default: any. */
  readonly to?: string;
  /** Selects the mail; default: the oldest. */
  readonly where?: (mail: CapturedMail) => boolean;
  /** Milliseconds; default 5 seconds. */
  readonly timeoutMs?: number;
}

/** The awaited mail did not come in time; the message says what came. */
export class MailMissing extends Error {
  override readonly name = 'MailMissing';
}

const NAMES: NamesOf<MailWait> = { to: true, where: true, timeoutMs: true };
const TIMEOUT_MS = 5_000;
const LOOK_EVERY_MS = 50;
/** As many as one answer lists. */
const LIMIT = 200;

/** The mails of a workspace. */
export class Mails {
  readonly #caller: Caller;
  readonly #given = new Set<string>();

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The oldest mail that fits and was not given yet; waits for one. Throws MailMissing. */
  async next(wait: MailWait = {}): Promise<CapturedMail> {
    onlyKnown('next', wait, NAMES);
    const { to, where = () => true, timeoutMs = TIMEOUT_MS } = wait;
    for (const deadline = Date.now() + timeoutMs; ; ) {
      const left = (await this.list(to)).filter(({ mail_id: id }) => !this.#given.has(id));
      const found = left.findLast(where);
      if (found !== undefined) {
        this.#given.add(found.mail_id);
        return found;
      }
      if (Date.now() >= deadline) {
        const came = left.map(({ subject }) => subject).join(', ') || 'nothing';
        throw new MailMissing(`No matching mail within ${timeoutMs} ms. It came: ${came}.`);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** The newest 200 mails, given or not, also of one address. */
  async list(to?: string): Promise<readonly CapturedMail[]> {
    const query = { limit: LIMIT, ...(to === undefined ? {} : { to }) };
    return (await this.#caller.client.invoicing.sandboxMail(query)).mails;
  }
}
