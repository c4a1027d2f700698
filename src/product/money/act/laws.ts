// Invariants of acts on money that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';
import { BALANCE } from './decide.ts';

export const laws: readonly Proof[] = [
  law('balancing_takes_two',
    'Each entry that balances the books was confirmed by a second operator, to the cent.',
    `select m.id::text as what from money_act m
      left join posting p on p.workspace = m.workspace and p.resource_id = m.id and p.amount > 0
      where m.act = '${BALANCE}'
      group by m.workspace, m.id, m.state, m.amount, m.second_id
      having coalesce(sum(p.amount), 0) <> case m.state when 'done' then m.amount else 0 end
        or (m.state = 'done' and m.second_id is null)`),
];
