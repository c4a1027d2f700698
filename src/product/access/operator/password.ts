// Passwords of operators: argon2id, off the main thread, a few at a time, so that a flood of
// sign-ins does not starve the process. Checking costs the same whether the operator exists or not.
import { hash, verify } from '@node-rs/argon2';
import type { Random } from '../../../core/random.ts';
import { Slots } from '../../../concurrency/slots.ts';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

/** Hashes at once in one process, and how many may wait. */
const AT_ONCE = 2;
const MOST_WAITING = 16;

/** NIST SP 800-63B: long rather than complicated. In characters. */
export const SHORTEST = 12;
export const LONGEST = 256;

/** More concurrent sign-ins than the process accepts. */
export class TooManyHashes extends Error {}

const slots = new Slots({
  most: AT_ONCE,
  mostWaiting: MOST_WAITING,
  full: () => new TooManyHashes('too many sign-ins at once'),
});

/** The hash to store. `pepper` is 32 bytes that are not in the database. */
export function hashPassword(password: string, pepper: Buffer): Promise<string> {
  return slots.run(null, () => hash(password.normalize('NFKC'), { ...COST, secret: pepper }));
}

/** True for the password of the hash. */
export function checkPassword(stored: string, password: string, pepper: Buffer): Promise<boolean> {
  return slots.run(null, () => verify(stored, password.normalize('NFKC'), { secret: pepper }));
}

/** Costs as much as checking a password, and always fails: for unknown usernames. */
export async function checkNothing(password: string, pepper: Buffer): Promise<false> {
  await hashPassword(password, pepper);
  return false;
}

/** Letters and digits that cannot be confused. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password of 24 letters and digits in four groups: 118 bits. */
export function freshPassword(random: Pick<Random, 'bytes'>): string {
  let letters = '';
  while (letters.length < 24) {
    for (const byte of random.bytes(32)) {
      // A remainder of all 256 values would make some letters likelier than others.
      if (byte < 248 && letters.length < 24) letters += LETTERS[byte % LETTERS.length] as string;
    }
  }
  return (letters.match(/.{6}/g) as string[]).join('-');
}
