// Request bodies and records of accounts: the one place where their wire fields are spelled.
import { z } from 'zod';
import { accountId, derivedUuid, uuidOfWireId, wireId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import {
  identifier,
  metadata,
  optional,
  reference,
  strictObject,
  text,
  wireIdOf,
} from '../../../core/schema.ts';
import { invoiceTime, type Instant } from '../../../core/time.ts';
import { isAddress } from '../../../core/mail-address.ts';
import { eachText, type Person } from './person.ts';
import { refusals } from './refusals.ts';
import type { AccountBlockRow } from './tables.ts';

export const USERNAME_MAX = 64;
const NAME_MAX = 255;
const ADDRESS_MAX = 320;
const COUNTRY = /^[A-Z]{2}$/;
export { isAddress };

const emailBody = strictObject({
  address: reference(ADDRESS_MAX).meta({ format: 'email' }),
  requires_verification: optional(z.boolean()),
}).meta({
  description: 'Set requires_verification to false if the integrator has verified the address.',
});

const personShape = {
  email: optional(emailBody),
  ...eachText(() => optional(text(NAME_MAX))),
  country_iso: optional(
    z
      .string()
      .regex(COUNTRY, 'must be a country code of two upper-case letters')
      .meta({ pattern: COUNTRY.source }),
  ),
  external_platforms: optional(metadata()),
} as const;

/** Body of register. [G-20] */
export const registration = strictObject({ username: identifier(USERNAME_MAX), ...personShape });
export type Registration = z.output<typeof registration>;

/** Body of an update; absent fields stay as they are. */
export const personUpdate = strictObject(personShape);
export type PersonUpdate = z.output<typeof personUpdate>;

export const accountParams = strictObject({ account_id: wireIdOf('acct') });

/** A body's personal fields merged over the known ones. `emailId` is for a new address. */
export function personFields(
  known: Person | null,
  body: PersonUpdate & { readonly username?: string },
  emailId: string,
): Person {
  return {
    username: known?.username ?? (body.username ?? '').normalize('NFC'),
    email: emailOf(known, body, emailId),
    ...eachText((field) => body[field] ?? known?.[field] ?? ''),
    external_platforms: body.external_platforms ?? known?.external_platforms ?? {},
  };
}

function emailOf(known: Person | null, body: PersonUpdate, emailId: string): Person['email'] {
  if (body.email === undefined) return known?.email ?? null;
  const { address, requires_verification } = body.email;
  // The interface's errors name the field, not a part of it. [seed: Errors]
  if (!isAddress(address)) throw refuse(refusals.EMAIL_INVALID, { email: 'EMAIL_INVALID' });
  if (known?.email?.address === address && requires_verification === undefined) return known.email;
  return { email_id: emailId, address, is_verified: requires_verification === false };
}

/** The UUID of an account's wire id; null for a malformed one. */
export function accountUuid(wire: string): string | null {
  return uuidOfWireId('acct', wire);
}

const emailRecord = z.strictObject({
  email_id: z.string(),
  address: z.string(),
  email_types: z.array(z.string()),
  is_verified: z.boolean(),
});

/** An account with all that its integrator gave; never a password. [G-20] */
export const accountRecord = z.strictObject({
  account_id: z.string(),
  username: z.string(),
  email: emailRecord.nullable(),
  ...eachText(() => z.string()),
  external_platforms: z.record(z.string(), z.unknown()),
}).meta({ title: 'Account' });

/** An active block. */
export const blockRecord = z.strictObject({
  account_id: z.string(),
  block_id: z.string(),
  capability: z.string(),
  issuer: z.string(),
  reason: z.string(),
});
export type BlockRecord = z.output<typeof blockRecord>;

/** A block as it is stored. */
export type Block = Pick<AccountBlockRow, 'id' | 'capability' | 'issuer' | 'reason'>;

/** Renders a block of an account, given by its UUID. */
export function renderBlock(account: string, { id, ...block }: Block): BlockRecord {
  const { capability, issuer, reason } = block;
  const ids = { account_id: accountId(account), block_id: wireId('blk', id) };
  return { ...ids, capability, issuer, reason };
}

/** A tag on an account, such as a merge. */
const tagRecord = z.strictObject({
  tag_id: z.string(),
  account_id: z.string(),
  resource_type: z.string().meta({ description: '`account`: the tag refers to another account.' }),
  resource_id: z.string(),
  namespace: z.string().meta({ description: '`account_merge`.' }),
  tag: z.string().meta({ description: '`merged_to` or `merged_from`.' }),
  status: z.string().meta({ description: '`ACTIVE`: a merge cannot be undone.' }),
  integrator: z.string(),
  created: z.string(),
  updated: z.string(),
});

/** What user-info answers to a token that may read it. */
export const userInfoRecord = z.strictObject({
  account_id: z.string(),
  username: z.string(),
  email: emailRecord.nullable(),
  is_blocked: z.boolean(),
  blocked_capabilities: z.record(z.string(), blockRecord),
  integrator: z.string(),
  tags: z.array(tagRecord),
  created: z.string(),
});

export type UserInfo = z.output<typeof userInfoRecord>;

/**
 * The answer of an update: user-info, or only the id for a token that may not read it. A scope to
 * write does not let one read names and addresses.
 */
export const updatedRecord = userInfoRecord.partial().required({ account_id: true }).meta({
  description: 'All fields with the scope `search_accounts`, otherwise only `account_id`.',
});

function renderEmail(email: Person['email']): z.output<typeof emailRecord> | null {
  if (email === null) return null;
  const { email_id, address, is_verified } = email;
  return { email_id, address, email_types: ['primary_contact'], is_verified };
}

/** Renders an account with its personal fields. `id` is the UUID. */
export function accountWithPerson(id: string, person: Person): z.output<typeof accountRecord> {
  return {
    account_id: accountId(id),
    username: person.username,
    email: renderEmail(person.email),
    ...eachText((field) => person[field]),
    external_platforms: { ...person.external_platforms },
  };
}

export function userInfo(
  account: { readonly id: string; readonly blocked: boolean; readonly created: Instant },
  person: Person,
  integrator: string,
  noted: {
    readonly blocks: readonly BlockRecord[];
    readonly tags: z.output<typeof tagRecord>[];
  },
): z.output<typeof userInfoRecord> {
  return {
    account_id: accountId(account.id),
    username: person.username,
    email: renderEmail(person.email),
    is_blocked: account.blocked,
    blocked_capabilities: Object.fromEntries(
      noted.blocks.map((block) => [block.capability, block]),
    ),
    integrator,
    tags: noted.tags,
    created: invoiceTime(account.created),
  };
}

/** A merge of an account, as seen from it. */
export interface Merge {
  /** Id of the block that closed the source. */
  readonly id: string;
  readonly tag: 'merged_to' | 'merged_from';
  /** UUID of the other account. */
  readonly other: string;
  readonly created: Instant;
  readonly updated: Instant;
}

/** The tag of a merge on an account; `id` is the account's UUID. */
export function mergeTag(
  id: string,
  { tag, other, ...merge }: Merge,
  integrator: string,
): z.output<typeof tagRecord> {
  return {
    tag_id: wireId('acttag', derivedUuid(`account_tag/${merge.id}/${tag}`)),
    account_id: accountId(id),
    resource_type: 'account',
    resource_id: accountId(other),
    namespace: 'account_merge',
    tag,
    status: 'ACTIVE',
    integrator,
    created: invoiceTime(merge.created),
    updated: invoiceTime(merge.updated),
  };
}
