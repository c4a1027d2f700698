// The operation that explains a resource. Staging only. [G-64]
import type { Machine } from '../../../core/machine.ts';
import { reference, strictObject } from '../../../core/schema.ts';
import { found, operation, type DomainOperation } from '../../context.ts';
import { refusals } from './refusals.ts';
import { explanation } from './schema.ts';
import { explain } from './timeline.ts';

/** The operations; `machines`: every lifecycle. */
export function operationsOf(machines: readonly Machine[]): readonly DomainOperation[] {
  return [
    operation({
      id: 'sandboxExplain',
      route: 'GET invoicing /sandbox/explain/{id}',
      summary: 'Explains a resource: its timeline, its current state and what happens next.',
      cites: 'G-64',
      access: { client: 'write_sandbox' },
      params: strictObject({ id: reference() }),
      answers: { 200: explanation },
      refusals: [refusals.RESOURCE_NOT_FOUND],
      stagingOnly: true,
      async run({ db, requestNotes }, { caller, params }) {
        // So that calls answered before this one are included.
        await requestNotes?.flush();
        const explained = await explain(db, caller.workspace, params.id, machines);
        return found(explained, refusals.RESOURCE_NOT_FOUND);
      },
    }),
  ];
}
