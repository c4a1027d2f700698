// The settings of the mail server: none, or an address with a sender.
import { ConfigError, text, type Environment } from './read.ts';

/** A mail server that takes our messages. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else by STARTTLS. */
  readonly secure: boolean;
  /** On this machine, where TLS may be missing. */
  readonly isHere: boolean;
  /** Null: no login. */
  readonly user: string | null;
  /** Read before each message, so that it can be replaced; null without a user. */
  readonly passwordFile: string | null;
  /** The address that mails come from. */
  readonly from: string;
}

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[?::1\]?)$/;
const ADDRESS = /^[^\s@<>",;:]+@[^\s@<>",;:]+$/;
const SUBMISSION = { 'smtp:': 587, 'smtps:': 465 } as const;

/** The mail server; null for none. Throws a ConfigError, which never quotes the address. */
export function readMail(environment: Environment): MailSettings | null {
  const address = text(environment, 'HOLDFAST_SMTP_URL');
  const from = text(environment, 'HOLDFAST_MAIL_FROM');
  const passwordFile = text(environment, 'HOLDFAST_SMTP_PASSWORD_FILE');
  if (address === null && from === null && passwordFile === null) return null;
  const url = address === null ? null : URL.parse(address);
  const port = url && SUBMISSION[url.protocol as keyof typeof SUBMISSION];
  if (!url || !port || url.hostname === '' || !/^\/?$/.test(url.pathname)) {
    throw new ConfigError('HOLDFAST_SMTP_URL must be as smtp://user@mail.example:587 or smtps://.');
  }
  if (url.password !== '') {
    throw new ConfigError('HOLDFAST_SMTP_URL must hold no password: HOLDFAST_SMTP_PASSWORD_FILE.');
  }
  const user = url.username === '' ? null : decodeURIComponent(url.username);
  if ((user === null) !== (passwordFile === null)) {
    throw new ConfigError('A user in HOLDFAST_SMTP_URL needs HOLDFAST_SMTP_PASSWORD_FILE.');
  }
  if (from === null || !ADDRESS.test(from)) {
    throw new ConfigError('HOLDFAST_MAIL_FROM must be the address that mails come from.');
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? port : Number(url.port),
    secure: url.protocol === 'smtps:',
    isHere: LOOPBACK.test(url.hostname),
    ...{ user, passwordFile, from },
  };
}
