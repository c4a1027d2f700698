// The personal fields of an account as one sealed blob, bound to its row. Each person has a key of
// their own; destroying it erases the person.
import type { Random } from '../../../core/random.ts';
import { open, seal } from '../../../core/sealing.ts';
import type { WrappedColumn } from '../../../providers/keys/versions.ts';
import type { Keys } from '../../../providers/keys/port.ts';

/** An email address of an account. */
export interface PersonEmail {
  readonly email_id: string;
  readonly address: string;
  readonly is_verified: boolean;
}

/** What is known of a person. Absent texts are ''. */
export interface Person {
  readonly username: string;
  readonly email: PersonEmail | null;
  readonly full_name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly street_address_1: string;
  readonly street_address_2: string;
  readonly street_address_3: string;
  readonly city: string;
  readonly state_province: string;
  readonly country_iso: string;
  readonly zip_postal_code: string;
  readonly external_platforms: Readonly<Record<string, unknown>>;
}

/** A person's blob, and the wrapped key that opens it. */
export interface SealedPerson {
  readonly wrapped_key: string;
  readonly sealed: string;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;

/** `line`: of the workspace, so that a clone can open what was sealed in its original. */
function place(line: number, table: string, id: string): string {
  return `${line}/${table}/${id}`;
}

/** Replaces a person's key once the person is erased. [PD3] */
export const ERASED = 'erased';

/** Where the keys of persons are stored. */
export const wrappedPersonKeys: WrappedColumn = {
  table: 'account_person',
  key: ['workspace', 'id'],
  column: 'wrapped_key',
  where: `wrapped_key <> '${ERASED}'`,
  context: ({ line, id = '' }) => place(Number(line), 'account_person', id),
};

/** The form in which usernames are compared: Unicode's NFC. */
export function normalUsername(username: string): string {
  return username.normalize('NFC');
}

/** The keyed hash that finds a username in its workspace. [G-20] */
export function usernameKey(keys: Keys, workspace: number, username: string): string {
  return keys.mac(`username:${keys.lineOf(workspace)}`, normalUsername(username));
}

/** The key of an erased person's username: no search finds it, nobody can register it. */
export function barredUsername(keys: Keys, workspace: number, username_key: string): string {
  return keys.mac(`erased_username:${keys.lineOf(workspace)}`, username_key);
}

/** An erased person. */
const NOBODY: Person = {
  username: '',
  email: null,
  full_name: '',
  first_name: '',
  last_name: '',
  street_address_1: '',
  street_address_2: '',
  street_address_3: '',
  city: '',
  state_province: '',
  country_iso: '',
  zip_postal_code: '',
  external_platforms: {},
};

/** Seals a new person with a new key. `id` is the account's. */
export async function sealPerson(
  keys: Keys,
  random: Random,
  workspace: number,
  id: string,
  person: Person,
): Promise<SealedPerson> {
  const key = random.bytes(KEY_BYTES);
  const bound = place(keys.lineOf(workspace), 'account_person', id);
  const sealed = seal(key, random.bytes(NONCE_BYTES), JSON.stringify(person), bound);
  return { wrapped_key: await keys.wrap(key, bound), sealed };
}

/** The opened key of a person; for one request only. */
export async function personKey(
  keys: Keys,
  workspace: number,
  id: string,
  row: Pick<SealedPerson, 'wrapped_key'>,
): Promise<Buffer> {
  return keys.unwrap(row.wrapped_key, place(keys.lineOf(workspace), 'account_person', id));
}

/** Opens a person's blob with the person's key; `line` is the lineage of the workspace. */
export function openPersonWith(key: Buffer, line: number, id: string, sealed: string): Person {
  return JSON.parse(open(key, sealed, place(line, 'account_person', id))) as Person;
}

/** Seals a person again with the account's existing key. */
export function sealPersonWith(
  key: Buffer,
  random: Random,
  line: number,
  id: string,
  person: Person,
): string {
  const bound = place(line, 'account_person', id);
  return seal(key, random.bytes(NONCE_BYTES), JSON.stringify(person), bound);
}

/** Opens a person; an erased one is blank. A changed blob or one of another row throws a fault. */
export async function openPerson(
  keys: Keys,
  workspace: number,
  id: string,
  row: SealedPerson,
): Promise<Person> {
  if (row.wrapped_key === ERASED) return NOBODY;
  const key = await personKey(keys, workspace, id, row);
  return openPersonWith(key, keys.lineOf(workspace), id, row.sealed);
}

/** What else is sealed with a person's key. */
type AboutPerson = 'block_note' | 'refund_note' | 'review_note' | 'update_answer';

/**
 * Seals a text about a person, such as a note or a stored answer, with the person's key; `line` is
 * the lineage of the workspace.
 */
export function sealAbout(
  key: Buffer,
  random: Random,
  line: number,
  purpose: AboutPerson,
  id: string,
  plain: string,
): string {
  return seal(key, random.bytes(NONCE_BYTES), plain, place(line, purpose, id));
}

/** Opens what `sealAbout` made. */
export function openAbout(
  key: Buffer,
  line: number,
  purpose: AboutPerson,
  id: string,
  sealed: string,
): string {
  return open(key, sealed, place(line, purpose, id));
}
