// Defects of the ledger and of the outbox: what the integrator holds, the names of the accounts,
// the queries that audit the books, and the order of the events.
import type { Defect } from './defect.ts';

const INTEGRATOR = ['src/ledger/integrator.pg.test.ts'];
const PROOFS = ['src/ledger/proofs.pg.test.ts'];
const OUTBOX = ['src/outbox/outbox.test.ts'];

export const ledgerDefects: readonly Defect[] = [
  {
    name: 'the integrator is overdrawn',
    breaks: 'A refund is paid from money that the integrator does not hold.',
    file: 'src/ledger/integrator.ts',
    from: 'if (row === null || row.amount < amount) throw',
    to: 'if (row === null) throw',
    tests: INTEGRATOR,
  },
  {
    name: 'credits go into another account',
    breaks: 'Folding one currency swallows the credits of all.',
    file: 'src/ledger/integrator.ts',
    from: 'delete from integrator_credit where workspace = $1 and account_id = $2 returning amount',
    to: 'delete from integrator_credit where workspace = $1 and $2::uuid = $2 returning amount',
    tests: INTEGRATOR,
  },
  {
    name: 'a fold that nobody notices',
    breaks: 'A debit that was decided before a fold is written over it.',
    file: 'src/ledger/integrator.ts',
    from: 'version = version + 1, updated = $now',
    to: 'updated = $now',
    tests: INTEGRATOR,
  },
  {
    name: 'one account for all currencies',
    breaks: 'System accounts of two currencies are the same account.',
    file: 'src/ledger/chart.ts',
    from: 'const name = `${lineage}/${kind}/${currency}`;',
    to: 'const name = `${lineage}/${kind}`;',
    tests: PROOFS,
  },
  {
    name: 'the audit adds currencies up',
    breaks: 'An entry of five dollars against five euro passes the audit.',
    file: 'src/ledger/proofs.ts',
    from: 'group by workspace, resource_id, version, currency having sum(amount) <> 0',
    to: 'group by workspace, resource_id, version having sum(amount) <> 0',
    tests: PROOFS,
  },
  {
    name: 'the audit does not count the integrator',
    breaks: 'What the integrator holds may differ from its entries unseen.',
    file: 'src/ledger/proofs.ts',
    from: 'where b.amount + coalesce(c.s, 0) <> coalesce(p.s, 0)',
    to: 'where b.amount + coalesce(c.s, 0) < coalesce(p.s, 0)',
    tests: PROOFS,
  },
  {
    name: 'the audit does not see a gap',
    breaks: 'A history from which a step was taken passes the audit.',
    file: 'src/engine/tables.ts',
    from: 'where n <> version or from_state <> before or earlier > at',
    to: 'where from_state <> before or earlier > at',
    tests: PROOFS,
  },
  {
    name: 'events of one resource out of order',
    breaks: 'A receiver hears that an invoice is paid before it hears that it exists.',
    file: 'src/outbox/seal.ts',
    from: `from head h cross join taken t
  order by at, resource_id, resource_version`,
    to: `from head h cross join taken t
  order by event_id desc`,
    tests: OUTBOX,
  },
  {
    name: 'a sequence starts over',
    breaks: 'Two events of a workspace have one number.',
    file: 'src/outbox/seal.ts',
    from: 'sequence: event.last + BigInt(at + 1)',
    to: 'sequence: event.last + BigInt(at)',
    tests: OUTBOX,
  },
  {
    name: "another workspace's counter moves along",
    breaks: 'Sealing one workspace leaves a gap in the sequence of another.',
    file: 'src/outbox/seal.ts',
    from: 'update seal set sequence = $2 where workspace = $1',
    to: 'update seal set sequence = $2 where workspace >= $1',
    tests: OUTBOX,
  },
  {
    name: 'who delivers is woken for nothing',
    breaks: 'Every sealed block wakes the deliveries, also where nobody listens.',
    file: 'src/outbox/loop.ts',
    from: 'if (deliveries > 0) options.queued();',
    to: 'options.queued();',
    tests: OUTBOX,
  },
];
