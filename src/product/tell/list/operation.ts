// The operations that search the lists, one for each, made from its declaration.
import type { List } from '../../../core/list.ts';
import { operation, type DomainOperation } from '../../context.ts';
import { readList } from './read.ts';
import { pageSchema, querySchema, questionOf } from './schema.ts';

const access = { client: 'read_invoices' } as const;

const inPascal = (name: string): string => {
  return name.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
};

/** The operations; `lists`: all of them. */
export function operationsOf(lists: readonly List[]): readonly DomainOperation[] {
  return lists.map((list) => operation({
    id: `search${inPascal(list.name)}`,
    route: `GET invoicing /v1/search/${list.name}`,
    summary: `Searches ${list.title.toLowerCase()}, a page at a time, ${
      list.up ? 'the soonest' : 'the newest'
    } first.`,
    cites: 'G-57',
    access,
    query: querySchema(list),
    answers: { 200: pageSchema(list) },
    async run({ db }, { caller, query }) {
      const { rows, next } = await readList(db, caller.workspace, list, questionOf(list, query));
      return { status: 200, payload: { rows, next } };
    },
  }));
}
