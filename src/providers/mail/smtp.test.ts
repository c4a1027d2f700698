// The mail server's bad days, against one that others wrote: what each answer means, and that no
// value becomes a header.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { selfSigned } from '../../../test/kit/certificate.ts';
import { mailServer, type MailServer } from '../../../test/kit/mail-server.ts';
import type { MailOutcome, Message } from './port.ts';
import { serverOf, smtpMail, type SmtpOptions } from './smtp.ts';

const message: Message = {
  ...{ id: '<1@mail.invalid>', to: 'zoe@people.example', fromName: 'Shop', replyTo: null },
  ...{ subject: 'Receipt', text: 'Thank you.', html: '<p>Thank you.</p>', headers: {} },
  inline: [],
};

function send(port: number, what: Partial<Message> = {}, how: Partial<SmtpOptions> = {}) {
  const login = { user: null, passwordFile: null };
  const here = { host: '127.0.0.1', port, secure: false, isHere: true, ...login };
  const mail = smtpMail({ ...here, from: 'pay@platform.example', timeoutMs: 2_000, ...how });
  return mail.send({ ...message, ...what }, { workspace: 1, account: '' });
}

async function withServer(
  act: (server: MailServer) => Promise<MailOutcome>,
  answer: MailServer['answer'] = () => null,
): Promise<MailOutcome> {
  const server = await mailServer();
  server.answer = answer;
  try {
    return await act(server);
  } finally {
    await server.close();
  }
}

test('an answer means: taken, come again, or nobody has this address', async () => {
  const answered = (status: number | null): Promise<MailOutcome> =>
    withServer(({ port }) => send(port), () => status);
  assert.deepEqual(await answered(null), { kind: 'accepted' });
  assert.deepEqual(await answered(450), { kind: 'later', reason: 'smtp_450' });
  assert.deepEqual(await answered(550), { kind: 'bounced', reason: 'smtp_550' });
});

test('a message that is not taken is refused, and its address is not at fault', async () => {
  const server = await mailServer({
    onData(stream, _session, done) {
      stream.resume().on('end', () => done(Object.assign(new Error(), { responseCode: 554 })));
    },
  });
  assert.deepEqual(await send(server.port), { kind: 'refused', reason: 'smtp_554' });
  await server.close();
});

test('a server that says nothing, or is not there, is asked again', async () => {
  const mute = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => mute.once('listening', resolve));
  const { port } = mute.address() as AddressInfo;
  const late = await send(port, {}, { timeoutMs: 200 });
  assert.deepEqual(late, { kind: 'later', reason: 'timeout' });
  await new Promise<void>((resolve) => mute.close(() => resolve()));
  assert.equal((await send(port)).kind, 'later');
});

test('elsewhere nothing is sent without TLS', async () => {
  const server = await mailServer();
  const outcome = await send(server.port, {}, { isHere: false });
  assert.deepEqual(outcome, { kind: 'later', reason: 'tls' });
  assert.deepEqual(server.asked, []);
  await server.close();
});

test('elsewhere STARTTLS is used, where its certificate is trusted', async () => {
  const pair = selfSigned('localhost');
  let secured = false;
  const server = await mailServer({
    ...{ ...pair, disabledCommands: [] },
    onMailFrom(_address, session, done) {
      secured = session.secure;
      done();
    },
  });
  const sent = () => send(server.port, {}, { host: 'localhost', isHere: false });
  assert.deepEqual(await sent(), { kind: 'later', reason: 'certificate' });
  assert.deepEqual(server.asked, []);
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, pair.cert]);
  assert.deepEqual(await sent(), { kind: 'accepted' });
  setDefaultCACertificates(trusted);
  assert.deepEqual([server.asked, secured], [[message.to], true]);
  await server.close();
});

test('a check tells in one word what keeps mails here, and sends none', async () => {
  const server = await mailServer();
  const { port } = server;
  const here = { host: '127.0.0.1', port, secure: false, isHere: true, user: null };
  const options = { ...here, passwordFile: null, from: 'pay@platform.example', timeoutMs: 2_000 };
  assert.equal(await serverOf(options)?.trouble(), null);
  assert.equal(await serverOf({ ...options, isHere: false })?.trouble(), 'tls');
  const login = { user: 'holdfast', passwordFile: '/nowhere/password' };
  assert.equal(await serverOf({ ...options, ...login })?.trouble(), 'password_file');
  assert.deepEqual([server.asked, server.mails], [[], []]);
  await server.close();
  assert.equal(await serverOf(options)?.trouble(), 'connection');
});

test('a line break in a name or subject adds no header and no address', async () => {
  const server = await mailServer();
  const evil = 'Shop\r\nBcc: eve@people.example\r\n\r\nBody';
  await send(server.port, { fromName: evil, subject: evil, replyTo: 'help@shop.example' });
  const [mail] = server.mails;
  assert.deepEqual(server.asked, [message.to]);
  const head = (mail?.source ?? '').split('\r\n\r\n')[0] ?? '';
  assert.doesNotMatch(head, /^Bcc:/im);
  assert.match(head, /^Message-ID: <1@mail\.invalid>$/m);
  await server.close();
});
