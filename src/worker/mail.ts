// Mails: makes them of sealed events and sends those that are due, a few at a time.
import { startLoop, type Loop } from '../concurrency/loop.ts';
import { observedCall, type Observer } from '../concurrency/observer.ts';
import { claimOperatorMails, sendOperatorMail } from '../product/access/operator/index.ts';
import { claimMails, planMails, sendMail } from '../product/tell/mail/index.ts';
import type { Mail } from '../providers/mail/port.ts';
import type { LoopParts } from './parts.ts';

const EVERY_MS = 500;
/** Fewer than the connections for background work, which others need too. */
const AT_ONCE = 4;
/** Much longer than a message may take. */
const LEASE_MS = 120_000;
/** How long a stop waits; what is not settled then is sent again, under the same Message-ID. */
const STOP_MS = 5_000;

const NO_REQUEST = { request_id: null, trace_id: null };

/** Mails are sent, and the observer is told how each try ended. */
function observed(observer: Observer, mail: Mail): Mail {
  const kindOf = (outcome: Awaited<ReturnType<Mail['send']>>): string => outcome.kind;
  return {
    send: (message, about) =>
      observedCall(observer, 'mail', NO_REQUEST, () => mail.send(message, about), kindOf),
  };
}

/** The loop of a process that has a mail server, or the sandbox's capture. */
export function startMail(parts: LoopParts): Pick<Loop, 'wake' | 'stop'> {
  const { services, db, observer, fault } = parts;
  const { mail, env, stream, keys, random, urls, word } = services;
  if (mail === null) return { wake() {}, stop: async () => {} };
  const sender = observed(observer, mail);
  const sending = { db, env, stream, keys, random, urls, word };
  const loop = startLoop({
    everyMs: EVERY_MS,
    fault,
    async turn() {
      const planned = await planMails(sending);
      const how = { rows: AT_ONCE, leaseMs: LEASE_MS };
      const claimed = await claimMails(db, random.uuid(), how);
      await Promise.all(claimed.map((one) => sendMail(sending, sender, one).catch(fault)));
      const own = await claimOperatorMails(db, random.uuid(), how);
      await Promise.all(own.map((one) => sendOperatorMail(sending, sender, one).catch(fault)));
      if (planned + claimed.length + own.length > 0) loop.wake();
    },
  });
  return {
    wake: () => loop.wake(),
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_MS);
      });
      await Promise.race([loop.stop(), late]);
      clearTimeout(timer);
    },
  };
}
