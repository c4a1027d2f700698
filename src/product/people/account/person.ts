// The personal fields of an account as one sealed blob, bound to its row. Each person has a key of
// their own; destroying it erases the person.
import { lineagePurpose, sealedPlace } from '../../../core/labels.ts';
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

/** Replaces a person's key once the person is erased. [PD3] */
export const ERASED = 'erased';

/** Where the keys of persons are stored. */
export const wrappedPersonKeys: WrappedColumn = {
  table: 'account_person',
  key: ['workspace', 'id'],
  column: 'wrapped_key',
  where: `wrapped_key <> '${ERASED}'`,
  context: ({ line, id = '' }) => sealedPlace('person', Number(line), id),
};

/** The form in which usernames are compared: Unicode's NFC. */
export function normalUsername(username: string): string {
  return username.normalize('NFC');
}

/** The keyed hash that finds a username in its workspace. [G-20] */
export function usernameKey(keys: Keys, workspace: number, username: string): string {
  return keys.mac(
    lineagePurpose('username', keys.lineOf(workspace)),
    normalUsername(username),
  );
}

/** The key of an erased person's username: no search finds it, nobody can register it. */
export function barredUsername(keys: Keys, workspace: number, username_key: string): string {
  return keys.mac(lineagePurpose('erasedUsername', keys.lineOf(workspace)), username_key);
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
  const bound = sealedPlace('person', keys.lineOf(workspace), id);
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
  return keys.unwrap(row.wrapped_key, sealedPlace('person', keys.lineOf(workspace), id));
}

/** Opens a person's blob with the person's key; `line` is the lineage of the workspace. */
export function openPersonWith(key: Buffer, line: number, id: string, sealed: string): Person {
  return JSON.parse(open(key, sealed, sealedPlace('person', line, id))) as Person;
}

/** Seals a person again with the account's existing key. */
export function sealPersonWith(
  key: Buffer,
  random: Random,
  line: number,
  id: string,
  person: Person,
): string {
  const bound = sealedPlace('person', line, id);
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
type AboutPerson = 'blockNote' | 'refundNote' | 'reviewNote' | 'updateAnswer';

/**
 * Seals a text about a person, such as a note or a stored answer, with the person's key; `line` is
 * the lineage of the workspace.
 */
export function sealAbout(
  key: Buffer,
  random: Random,
  line: number,
  label: AboutPerson,
  id: string,
  plain: string,
): string {
  return seal(key, random.bytes(NONCE_BYTES), plain, sealedPlace(label, line, id));
}

/** Opens what `sealAbout` made. */
export function openAbout(
  key: Buffer,
  line: number,
  label: AboutPerson,
  id: string,
  sealed: string,
): string {
  return open(key, sealed, sealedPlace(label, line, id));
}
