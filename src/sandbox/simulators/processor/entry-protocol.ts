// Wire format of card and account entry, between processor and merchant and between the page and
// its server.
import { z } from 'zod';
import { isInstant } from '../../../core/time.ts';
import { cardAnswer, cardBody } from './protocol.ts';

const colour = z.string().regex(/^#[0-9a-f]{6}$/);
const origin = z.string().regex(/^https?:\/\/[a-z0-9.-]{1,253}(:[0-9]{1,5})?$/);
/** Of a page, or of an app with its own scheme. */
const address = z.string().regex(/^(?!javascript|data|vbscript)[a-z][a-z0-9+.-]*:\/\/\S{1,2100}$/);

/** Body of `POST /v1/entries`. */
export const beginEntryBody = z.strictObject({
  kind: z.enum(['card', 'bank', 'paypal']),
  parent_origin: origin,
  ancestors: z.array(z.string().max(300)).max(100),
  return_url: address.nullable(),
  look: z.strictObject({
    background: colour,
    primary: colour,
    dir: z.enum(['ltr', 'rtl']),
    /** By BCP 47; absent where the person's is not known. */
    language: z.string().regex(/^[A-Za-z0-9-]{2,35}$/).optional(),
  }),
  label: z.string().max(600),
});
export type BeginEntryBody = z.output<typeof beginEntryBody>;

/** A begun entry. `path`: of its page. */
export const begunAnswer = z.object({
  id: z.string().regex(/^[a-z0-9_-]{1,100}$/),
  path: z.string().regex(/^\/[A-Za-z0-9_/-]{1,200}(?:\?lang=[A-Za-z0-9-]{2,35})?$/),
  expires: z.string().refine(isInstant),
});

/** The state of an entry. */
export const entryAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['open', 'cancelled', 'absent']) }),
  cardAnswer.extend({ state: z.literal('stored') }),
]).meta({ title: 'ProcessorEntry' });
export type EntryAnswer = z.output<typeof entryAnswer>;

/** What a person entered: a card, a bank account, or a wallet login. */
export const finishEntryBody = z.union([
  cardBody.options[0],
  z.strictObject({
    routing_number: z.string().regex(/^[0-9]{9}$/),
    account_number: z.string().regex(/^[0-9]{4,17}$/),
  }).meta({ title: 'BankNumber' }),
  z.strictObject({ login: z.string().max(100) }).meta({ title: 'WalletLogin' }),
]);
export type FinishEntryBody = z.output<typeof finishEntryBody>;

/** What the page learns: never a token. */
export const finishedAnswer = z.object({
  state: z.enum(['open', 'stored', 'cancelled']),
  brand: z.string(),
  last4: z.string(),
});
