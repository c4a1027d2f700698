// Many invented persons, stored for comparison as the product stores those who apply.
import { newUuid } from '../../src/core/ids.ts';
import { sealedPlace } from '../../src/core/labels.ts';
import { systemRandom as random } from '../../src/core/random.ts';
import type { Database } from '../../src/db/index.ts';
import { featuresOf, type Stated } from '../../src/product/people/matching/features.ts';
import { enrol } from '../../src/product/people/matching/store.ts';
import type { Keys } from '../../src/providers/keys/port.ts';

const GIVEN = 'Ada Bela Cora Dana Edda Fina Gabi Hedda Ilka Jana Kaja Lena Mira Nora Olga Petra';
const FIRST = 'Ahl Berg Cors Dorn Ecks Fint Grab Holm Ings Jost Korb Lund Mahr Nest Orth Pohl';
const LAST = 'mann stein feld bach horst wald kamp brink';
const STREETS = 'Birch Cedar Elm Hazel Larch Maple Oak Willow';
const AT_ONCE = 16;

function nth(list: string, at: number): string {
  const words = list.split(' ');
  return words[at % words.length] as string;
}

/** A number below `range` that looks drawn, the same each time. */
function drawn(at: number, salt: number, range: number): number {
  const one = Math.imul(at * 64 + salt + 1, 0x9e3779b1);
  const two = Math.imul(one ^ (one >>> 15), 0x85ebca6b);
  return ((two ^ (two >>> 13)) >>> 0) % range;
}

/** The n-th invented person. */
export function invented(at: number): Stated {
  const of = (salt: number, range: number): number => drawn(at, salt, range);
  const two = (number: number): string => String(number).padStart(2, '0');
  return {
    ...{ first: nth(GIVEN, of(1, 16)), middle: '' },
    last: nth(FIRST, of(2, 16)) + nth(LAST, of(3, 8)),
    date_of_birth: `19${two(40 + of(4, 60))}-${two(1 + of(5, 12))}-${two(1 + of(6, 28))}`,
    ...{ street: `${1 + of(7, 89)} ${nth(STREETS, of(8, 8))} Street`, street2: '' },
    ...{ city: 'Springfield', region: 'CA', zip: String(94_100 + of(9, 40)), country: 'US' },
    phone_number: `415${String(1_000_000 + of(10, 9_000_000))}`,
    ssn_last4: String(of(11, 10_000)).padStart(4, '0'),
  };
}

/** Stores so many persons in a workspace, the n-th as `stated` says; gives their accounts. */
export async function storePersons(
  { db, keys }: { readonly db: Database; readonly keys: Keys },
  workspace: number,
  count: number,
  stated: (at: number) => Stated = invented,
): Promise<string[]> {
  const accounts = Array.from({ length: count }, newUuid);
  const wrapped = await Promise.all(
    accounts.map((id) => keys.wrap(random.bytes(32), sealedPlace('person', workspace, id))),
  );
  await db.transaction(async (tx) => {
    // The persons have no accounts: nothing else of them is stored.
    await tx.query('set local session_replication_role = replica');
    await tx.query({
      text: `insert into account_person (workspace, id, wrapped_key, sealed, updated)
        select $1, id, wrapped, 'x', now() from unnest($2::uuid[], $3::text[]) as p (id, wrapped)`,
      values: [workspace, accounts, wrapped],
    });
  });
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = accounts.slice(from, from + AT_ONCE);
    await Promise.all(some.map((account, n) => {
      const statement = { application: newUuid(), features: featuresOf(stated(from + n)) };
      return enrol({ db, keys, random }, { workspace, account }, statement);
    }));
  }
  return accounts;
}
