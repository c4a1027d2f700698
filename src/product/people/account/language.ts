// The language in which a person last used our pages: what they are told elsewhere is in it too.
import type { Queryable } from '../../../db/index.ts';

/** Remembers it; nothing where it is the same, or the person is erased. */
export async function rememberLanguage(
  tx: Queryable,
  workspace: number,
  account: string,
  language: string,
): Promise<void> {
  await tx.query({
    name: 'account_remember_language',
    text: `update account_person set language = $3
      where workspace = $1 and id = $2 and language is distinct from $3 and sealed <> ''`,
    values: [workspace, account, language],
  });
}

/** The language; null where none is known. */
export async function languageOf(
  db: Queryable,
  workspace: number,
  account: string,
): Promise<string | null> {
  const [row] = await db.query<{ language: string | null }>({
    name: 'account_language',
    text: 'select language from account_person where workspace = $1 and id = $2',
    values: [workspace, account],
  });
  return row?.language ?? null;
}
