// What importing a kind of row needs: its columns, how a row is prepared, and the command that
// imports a block of them.
import type { Command, Decision, ReadSet } from '../../../engine/index.ts';
import type { Random } from '../../../core/random.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import type { Services } from '../../context.ts';
import type { ColumnSchemas } from './cells.ts';
import { ROW_CODES } from './row-codes.ts';
import { importedTable } from './tables.ts';
import type { TableRow } from './table-file.ts';

/** What rows are prepared with. */
export interface ImportParts {
  readonly keys: Keys;
  readonly random: Random;
  readonly workspaces: Services['workspaces'];
}

/** Where rows are imported to. */
export interface ImportPlace {
  readonly workspace: number;
  /** The tenant's wire id. */
  readonly integrator: string;
}

/** A row, ready for the command. */
export interface PreparedRow {
  /** Of the row `imported`. */
  readonly id: string;
  readonly fingerprint: string;
  /** What no other row of the tenant may have too, besides the id: see `claimed`. */
  readonly claims: readonly string[];
}

/** What became of a row. */
export interface RowOutcome {
  readonly outcome: 'imported' | 'unchanged' | 'refused';
  /** Of a refused row: why, and where. */
  readonly code?: string;
  readonly sentence?: string;
  readonly column?: string;
  /** UUID of the account, except of a refused row. */
  readonly account?: string;
}

/** A block of rows for the command; in a trial nothing is written. */
export interface Block<R extends PreparedRow> {
  readonly rows: readonly R[];
  readonly integrator: string;
  readonly trial: boolean;
}

/** A kind of row: accounts, or methods. */
export interface RowKind<R extends PreparedRow = PreparedRow> {
  readonly columns: ColumnSchemas;
  /** The column of the reference. */
  readonly reference: string;
  /** Throws a Refusal for what the schemas of single cells cannot tell. */
  prepare(parts: ImportParts, place: ImportPlace, row: TableRow): Promise<R>;
  /** What becomes of a row that claims what another row has. */
  readonly claimed: RowOutcome;
  readonly command: Command<Block<R>>;
}

/** A refused row. */
export function refused(
  { code, sentence }: { readonly code: string; readonly sentence: string },
  column = '',
): RowOutcome {
  return { outcome: 'refused', code, sentence, column };
}

/** Of a row whose reference or token was imported with other values. */
export const differing = refused({ code: 'ROW_DIFFERS', sentence: ROW_CODES.ROW_DIFFERS });

/** How a kind of row is decided. */
interface BlockSpec<R extends PreparedRow> {
  readonly name: string;
  readonly claimed: RowOutcome;
  load(rows: ReadSet, row: R): void;
  /** What stands against a new row, or null; `made` are those before it in the block. */
  against(decision: Decision, row: R, made: readonly R[]): RowOutcome | null;
  /** UUID of the account that a new row makes, or belongs to. */
  owner(decision: Decision, row: R): string;
  /** Creates it; gives the id of a payment method. */
  create(decision: Decision, row: R, integrator: string): string | null;
}

/**
 * A command that imports a block, each row for itself: one that is there already is left alone, one
 * that was imported with other values is refused.
 */
export function blockCommand<R extends PreparedRow>(spec: BlockSpec<R>): Command<Block<R>> {
  return {
    name: spec.name,
    load(rows, { rows: block }) {
      for (const row of block) {
        rows.read(importedTable, row.id);
        spec.load(rows, row);
      }
    },
    decide(decision, input) {
      const made: R[] = [];
      const claims = new Set<string>();
      const payload = input.rows.map((row): RowOutcome => {
        const before = decision.get(importedTable, row.id);
        const again = made.find(({ id }) => id === row.id);
        const known = before?.fingerprint ?? again?.fingerprint;
        if (known !== undefined && known !== row.fingerprint && known !== '') return differing;
        const account = before?.account_id ?? spec.owner(decision, again ?? row);
        if (known !== undefined) return { outcome: 'unchanged', account };
        if (row.claims.some((claim) => claims.has(claim))) return spec.claimed;
        const no = spec.against(decision, row, made);
        if (no !== null) return no;
        if (!input.trial) insert(decision, spec, row, input.integrator);
        made.push(row);
        for (const claim of row.claims) claims.add(claim);
        return { outcome: 'imported', account };
      });
      return { status: 200, payload };
    },
  };
}

function insert<R extends PreparedRow>(
  decision: Decision,
  spec: BlockSpec<R>,
  row: R,
  integrator: string,
): void {
  const { workspace, now: created } = decision;
  const { id, fingerprint } = row;
  const account_id = spec.owner(decision, row);
  const payment_method_id = spec.create(decision, row, integrator);
  decision.insert(importedTable, {
    ...{ workspace, id, account_id, payment_method_id, fingerprint, created },
  });
}
