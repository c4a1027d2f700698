// The laws of histories: what the steps of every lifecycle have in common.
import type { Proof } from '../core/proof.ts';
import type { Table } from '../core/table.ts';

/** `heads`: tables whose rows have a lifecycle. */
export function stepLaws(heads: readonly Pick<Table, 'name'>[]): Proof[] {
  return [
    {
      name: 'steps_follow',
      law: 'Each history starts at creation; every step starts where the last one ended.',
      text: `select resource_id::text as what from (
          select resource_id, version, from_state, at,
            lag(to_state, 1, '') over w as before,
            lag(at) over w as earlier,
            row_number() over w as n
          from step window w as (partition by workspace, resource_id order by version)) h
        where n <> version or from_state <> before or earlier > at`,
    },
    {
      name: 'steps_are_legal',
      law: 'Every step is a legal transition of its lifecycle.',
      text: `select distinct s.resource_id::text as what from step s
        left join machine_move m on m.machine = s.machine and m.from_state = s.from_state
          and m.event = s.event and m.to_state = s.to_state
        where m.machine is null`,
    },
    ...heads.map((table) => ({
      name: `${table.name}_state_is_last_step`,
      law: `Each row of ${table.name} has the state of its last step.`,
      text: `select h.id::text as what from ${table.name} h
        left join step s on s.workspace = h.workspace and s.resource_id = h.id
        and s.version = h.version
        left join step l on l.workspace = h.workspace and l.resource_id = h.id
        and l.version = h.version + 1
        where s.to_state is distinct from h.state or l.version is not null`,
    })),
  ];
}
