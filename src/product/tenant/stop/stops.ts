// The stops as one process knows them: read with its heartbeat, so that each takes effect within
// two seconds on every node, and no request asks the database.
import type { Caller } from '../../../core/operation.ts';
import type { Queryable } from '../../../db/index.ts';
import type { Stoppable } from './store.ts';

interface Row {
  readonly what: Stoppable;
  /** Null: everywhere. */
  readonly integrator: string | null;
  readonly workspace: number | null;
}

export class Stops {
  #rows: readonly Row[] = [];

  /** Reads what is stopped now. */
  async read(db: Queryable): Promise<void> {
    this.#rows = await db.query<Row>({
      name: 'stops',
      text: `select s.what, s.integrator, w.workspace
        from stop s left join workspace w on w.integrator = s.integrator`,
    });
  }

  /** What is stopped for a workspace. */
  of(workspace: number): readonly Stoppable[] {
    const own = this.#rows.filter((row) => {
      return row.integrator === null || row.workspace === workspace;
    });
    return own.map(({ what }) => what);
  }

  /** What keeps a caller from changing anything: a stop of all, of its tenant, or nothing. */
  writesOf({ integrator }: Pick<Caller, 'integrator'>): 'all' | 'tenant' | null {
    const writes = this.#rows.filter(({ what }) => what === 'writes');
    if (writes.some((row) => row.integrator === null)) return 'all';
    return writes.some((row) => row.integrator === integrator) ? 'tenant' : null;
  }
}
