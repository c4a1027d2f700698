// The language in which a person last used our pages: what they are told elsewhere is in it too.
import { prepared, type Queryable } from '../../../db/index.ts';

/** Remembers it; nothing where it is the same, or the person is erased. */
export async function rememberLanguage(
  tx: Queryable,
  workspace: number,
  account: string,
  language: string,
): Promise<void> {
  await tx.query(prepared('account_remember_language')`
    update account_person set language = ${language}
    where workspace = ${workspace} and id = ${account} and language is distinct from $1
      and sealed <> ''`);
}

/** The language; null where none is known. */
export async function languageOf(
  db: Queryable,
  workspace: number,
  account: string,
): Promise<string | null> {
  const [row] = await db.query<{ language: string | null }>(prepared('account_language')`
    select language from account_person where workspace = ${workspace} and id = ${account}`);
  return row?.language ?? null;
}
