// The personal fields of an account as one sealed blob, bound to its row. Each person has a key of
// their own; destroying it erases the person.
import { lineagePurpose, sealedPlace } from '../../../core/labels.ts';
import type { Random } from '../../../core/random.ts';
import type { WrappedColumn } from '../../../providers/keys/versions.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { PersonSealer } from './sealer.ts';

/** An email address of an account. */
export interface PersonEmail {
  readonly email_id: string;
  readonly address: string;
  readonly is_verified: boolean;
}

/** The texts that are known of a person, as on the wire. */
export const TEXT_FIELDS = [
  'full_name',
  'first_name',
  'last_name',
  'street_address_1',
  'street_address_2',
  'street_address_3',
  'city',
  'state_province',
  'country_iso',
  'zip_postal_code',
] as const;

/** A value for each of these texts. */
export type Texts<T = string> = { readonly [Field in (typeof TEXT_FIELDS)[number]]: T };

export function eachText<T>(valueOf: (field: keyof Texts) => T): Texts<T> {
  return Object.fromEntries(TEXT_FIELDS.map((field) => [field, valueOf(field)])) as Texts<T>;
}

/** What is known of a person. Absent texts are ''. */
export interface Person extends Texts {
  readonly username: string;
  readonly email: PersonEmail | null;
  readonly external_platforms: Readonly<Record<string, unknown>>;
}

/** A person's blob, and the wrapped key that opens it. */
export interface SealedPerson {
  readonly wrapped_key: string;
  readonly sealed: string;
}

const KEY_BYTES = 32;

/** Replaces a person's key once the person is erased. [PD3] */
export const ERASED = 'erased';

/** Where the keys of persons are stored. */
export const wrappedPersonKeys: WrappedColumn = {
  table: 'account_person',
  key: ['workspace', 'id'],
  column: 'wrapped_key',
  where: `wrapped_key <> '${ERASED}'`,
  context: ({ lineage, id = '' }) => sealedPlace('person', Number(lineage), id),
};

/** The keyed hash that finds a username, in Unicode's NFC, in its workspace. [G-20] */
export function usernameKey(keys: Keys, workspace: number, username: string): string {
  return keys.mac(lineagePurpose('username', keys.lineageOf(workspace)), username.normalize('NFC'));
}

/** The key of an erased person's username: no search finds it, nobody can register it. */
export function barredUsername(keys: Keys, workspace: number, username_key: string): string {
  return keys.mac(lineagePurpose('erasedUsername', keys.lineageOf(workspace)), username_key);
}

/** An erased person. */
const NOBODY: Person = {
  username: '',
  email: null,
  ...eachText(() => ''),
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
  const lineage = keys.lineageOf(workspace);
  const sealed = new PersonSealer(key, random, lineage).sealJson('person', id, person);
  return { wrapped_key: await keys.wrap(key, sealedPlace('person', lineage, id)), sealed };
}

/** The sealer of a person who is not erased. `id` is the account's. */
export async function openSealer(
  { keys, random }: { readonly keys: Keys; readonly random: Random },
  workspace: number,
  id: string,
  { wrapped_key }: Pick<SealedPerson, 'wrapped_key'>,
): Promise<PersonSealer> {
  const lineage = keys.lineageOf(workspace);
  const key = await keys.unwrap(wrapped_key, sealedPlace('person', lineage, id));
  return new PersonSealer(key, random, lineage);
}

/** Opens a person; an erased one is blank. A changed blob or one of another row throws a fault. */
export async function openPerson(
  parts: Parameters<typeof openSealer>[0],
  workspace: number,
  id: string,
  row: SealedPerson,
): Promise<Person> {
  if (row.wrapped_key === ERASED) return NOBODY;
  const sealer = await openSealer(parts, workspace, id, row);
  return sealer.openJson<Person>('person', id, row.sealed);
}
