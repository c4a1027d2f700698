// The books as files for a spreadsheet: the trial balance, the statement of a month, and the
// sellers of a year. Amounts are in minor units, as in the files of lists. [G-99]
import { inputRefusals } from '../core/input-refusals.ts';
import { refuse } from '../core/refusal.ts';
import type { Services } from '../product/context.ts';
import {
  MONTH,
  readSellerTotals,
  readStatement,
  readTrialBalance,
  refusals as no,
} from '../product/money/books/index.ts';
import { audit } from '../product/tell/audit/index.ts';
import { csvField, FORMATS } from '../product/tell/list/index.ts';
import { endOfDay } from './books.ts';
import { get, NotThere, type ConsoleApp, type PageRequest } from './routes.ts';

type Rows = readonly (readonly (string | number)[])[];

/** What a file has; its rows come in pieces, each named by what follows it. */
interface BookFile {
  readonly head: readonly string[];
  /** What of the address says which, and its shape. */
  readonly of: readonly [name: string, shape: RegExp];
  read(
    db: Services['db'],
    workspace: number,
    of: string,
    after: string,
  ): Promise<{ readonly rows: Rows; readonly next: string }>;
}

const FILES: Readonly<Record<string, BookFile>> = {
  'trial-balance': {
    head: ['as_of', 'currency', 'account', 'debit', 'credit'],
    of: ['day', /^(?:20|21)\d\d-\d\d-\d\d$|^$/],
    async read(db, workspace, day) {
      const trial = orTooLarge(await readTrialBalance(db, workspace, endOfDay(day)));
      const rows = trial.currencies.flatMap(({ currency, accounts }) => accounts.map((one) => {
        return [trial.as_of, currency, one.kind, one.debit, one.credit];
      }));
      return { rows, next: '' };
    },
  },
  statement: {
    head: ['account', 'currency', 'resource', 'event', 'entries', 'debit', 'credit', 'balance'],
    of: ['month', MONTH],
    async read(db, workspace, month) {
      const { accounts } = orTooLarge(await readStatement(db, workspace, month));
      const rows = accounts.flatMap(({ kind, currency, opening, movements, closing }) => [
        [kind, currency, '', 'opening', '', '', '', opening],
        ...movements.map(({ resource, event, count, debit, credit }) => {
          return [kind, currency, resource, event, count, debit, credit, ''];
        }),
        [kind, currency, '', 'closing', '', '', '', closing],
      ]);
      return { rows, next: '' };
    },
  },
  sellers: {
    head: ['account_id', 'currency', 'period', 'sales', 'gross', 'fees', 'refunds'],
    of: ['year', /^(?:20|21)\d\d$/],
    async read(db, workspace, year, after) {
      const asked = { year: Number(year), after, limit: 100 };
      const { sellers, next } = orTooLarge(await readSellerTotals(db, workspace, asked));
      const rows = sellers.flatMap(({ account_id, currency, quarters, months, ...whole }) => {
        const spans = [
          [year, whole] as const,
          ...quarters.map((one, at) => [`${year}-Q${at + 1}`, one] as const),
          ...months.map((one, at) => [`${year}-${String(at + 1).padStart(2, '0')}`, one] as const),
        ];
        return spans.map(([period, { sales, gross, fees, refunds }]) => {
          return [account_id, currency, period, sales, gross, fees, refunds];
        });
      });
      return { rows, next };
    },
  },
};

/** Registers the files. */
export function bookFilePages(app: ConsoleApp): void {
  get(app, '/books/files/:name', 'read', save);
}

function orTooLarge<T>(read: T | null): T {
  if (read === null) throw refuse(no.BOOKS_TOO_LARGE);
  return read;
}

const lines = (rows: Rows): string => rows.map((row) => {
  const fields = row.map((value) => {
    return csvField({ kind: typeof value === 'number' ? 'number' : 'text' }, value);
  });
  return `${fields.join(',')}\r\n`;
}).join('');

async function save({ services: { db }, session, tenant, params, query }: PageRequest) {
  const file = FILES[params['name'] ?? ''];
  if (tenant === null || file === undefined) throw new NotThere();
  const { head, of: [asked, shape] } = file;
  const of = query[asked] ?? '';
  if (!shape.test(of)) {
    throw refuse(inputRefusals.INVALID_FIELD, { [asked]: `must be a ${asked}` });
  }
  const { workspace } = tenant;
  // What takes too long is refused before a file begins.
  const first = await file.read(db, workspace, of, '');
  const detail = { list: params['name'] ?? '', format: 'csv', of };
  const actor = `operator:${session.operatorId}`;
  await audit(db, { workspace, actor, act: 'exported', subject: '', detail });
  async function* texts(): AsyncGenerator<string> {
    yield lines([head]) + lines(first.rows);
    for (let { next } = first; next !== ''; ) {
      const piece = await file?.read(db, workspace, of, next);
      yield lines(piece?.rows ?? []);
      next = piece?.next ?? '';
    }
  }
  return { stream: texts(), type: FORMATS.csv, name: `${params['name']}-${of || 'now'}.csv` };
}
