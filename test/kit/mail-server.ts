// A mail server on loopback that somebody else wrote, with bad days.
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A message that the server took. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came, with its headers. */
  readonly source: string;
}

/** A running server. */
export interface MailServer {
  readonly port: number;
  readonly mails: readonly TakenMail[];
  /** How many times an address was named to it, whatever was answered. */
  readonly asked: readonly string[];
  /** The status for the next address; null: it is taken. May never resolve. */
  answer: (address: string) => Promise<number | null> | number | null;
  close(): Promise<void>;
}

/** Starts a server that needs no login. */
export async function mailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: TakenMail[] = [];
  const asked: string[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    onRcptTo({ address }, _session, done) {
      asked.push(address);
      void Promise.resolve(made.answer(address)).then((status) => {
        if (status === null) return done();
        done(Object.assign(new Error(`not ${address}`), { responseCode: status }));
      });
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const made: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    ...{ mails, asked, answer: () => null },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return made;
}
