// The stops, and the tenants that move, as one process knows them: read with its heartbeat, so that
// each takes effect within two seconds on every node, and no request asks the database.
import type { Caller, Shut } from '../../../core/operation.ts';
import { prepared, type Queryable } from '../../../db/index.ts';
import type { Stoppable } from './store.ts';

interface Row {
  readonly what: Stoppable | 'frozen' | 'moved';
  /** Null: everywhere. */
  readonly integrator: string | null;
  readonly workspace: number | null;
}

export class Stops {
  #rows: readonly Row[] = [];

  /** Reads what is stopped now. */
  async read(db: Queryable): Promise<void> {
    this.#rows = await db.query<Row>(prepared('stops')`select s.what, s.integrator, w.workspace
      from stop s left join workspace w on w.integrator = s.integrator
      union all select m.state, w.integrator, w.workspace
      from tenant_move m join workspace w on w.workspace = m.workspace
      where m.state in ('frozen', 'moved')`);
  }

  /** What is stopped for a workspace. */
  within(workspace: number): readonly string[] {
    const own = this.#rows.filter((row) => {
      return row.integrator === null || row.workspace === workspace;
    });
    return own.map(({ what }) => what);
  }

  /** What keeps a caller out, or from changing anything; null: nothing. */
  shutTo({ integrator }: Pick<Caller, 'integrator'>): Shut | null {
    const own = this.#rows.filter((row) => row.integrator === integrator);
    if (own.some(({ what }) => what === 'moved')) return 'moved';
    if (own.some(({ what }) => what === 'frozen')) return 'moving';
    const writes = this.#rows.filter(({ what }) => what === 'writes');
    if (writes.some((row) => row.integrator === null)) return 'all';
    return writes.some((row) => row.integrator === integrator) ? 'tenant' : null;
  }
}
