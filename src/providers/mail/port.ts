// What we want of whoever sends mails: one message to one address, and what became of it. A call
// that is repeated carries the same Message-ID, by which a repeat is recognized.
import type { Instant } from '../../core/time.ts';

/** A picture in the HTML part, which names it as `cid:<cid>`. */
export interface Inline {
  readonly cid: string;
  readonly mime: string;
  readonly bytes: Buffer;
}

/** One message to one address. */
export interface Message {
  /** Follows from the row of the mail: the same at each try. */
  readonly id: string;
  readonly to: string;
  /** As people read the sender; the address is the installation's. */
  readonly fromName: string;
  /** Where answers go; null: to the sender. */
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly inline: readonly Inline[];
}

/** Whose mail it is, for who keeps it sealed: of an account or an operator, by UUID. */
export type About =
  | { readonly workspace: number; readonly account: string }
  | { readonly operator: string };

/**
 * What became of a message. `reason` is one word of ours or a status: never a server's own text,
 * which may repeat the address.
 */
export type MailOutcome =
  | { readonly kind: 'accepted' }
  /** Not now: a fault on the way, or the server asks to come again. */
  | { readonly kind: 'later'; readonly reason: string }
  /** This message is not taken, now or later. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nobody has this address. */
  | { readonly kind: 'bounced'; readonly reason: string };

/** The port. */
export interface Mail {
  /** Sends one message; never throws for an outcome. */
  send(message: Message, about: About): Promise<MailOutcome>;
}

/** A mail server that can be tried. */
export interface MailServer {
  readonly host: string;
  /** What keeps us from sending, in one word; null: nothing. */
  trouble(): Promise<string | null>;
}

/** A message that a sandbox captured: nobody got it. */
export interface CapturedMail {
  readonly id: string;
  /** UUID of the account. */
  readonly account_id: string;
  readonly to: string;
  readonly from_name: string;
  readonly reply_to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly message_id: string;
  readonly at: Instant;
}

/** Where captured messages are read. Those of erased persons are gone. */
export interface Mailbox {
  /** The newest first; `address` null: of everybody. */
  list(workspace: number, address: string | null, limit: number): Promise<CapturedMail[]>;
  /** One of them, or null. */
  read(workspace: number, id: string): Promise<CapturedMail | null>;
}
