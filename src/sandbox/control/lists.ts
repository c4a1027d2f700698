// What the sandbox offers, as lists: test cards, scenarios, test persons. Staging only. [G-64]
import { z } from 'zod';
import { operation, type DomainOperation, type Services } from '../../product/context.ts';

/** One list: the named texts of each row, and no other field. */
function listing<K extends string>(
  head: Readonly<Record<'id' | 'summary', string>>,
  path: string,
  fields: readonly K[],
  rowsOf: (services: Services) => readonly Readonly<Record<K, string>>[] | undefined,
): DomainOperation {
  const record = z.strictObject(Object.fromEntries(fields.map((name) => [name, z.string()])));
  return operation({
    ...head,
    route: `GET invoicing /sandbox/${path}`,
    cites: 'G-64',
    access: { client: 'write_sandbox' },
    answers: { 200: z.array(record) },
    stagingOnly: true,
    async run(services) {
      const rows = rowsOf(services) ?? [];
      const shown = rows.map((row) => fields.map((name) => [name, row[name]] as const));
      return { status: 200, payload: shown.map((pairs) => Object.fromEntries(pairs)) };
    },
  });
}

export const listTestCards = listing(
  {
    id: 'sandboxTestCards',
    summary: 'Lists the test cards and accounts, and the outcome of a payment with each.',
  },
  'test_cards',
  ['name', 'brand', 'last4', 'outcome'],
  ({ sandboxCards }) => sandboxCards?.cards,
);

export const listScenarios = listing(
  {
    id: 'sandboxScenarios',
    summary: 'Lists the scenarios of the processor, and the outcome of a payment with each.',
  },
  'scenarios',
  ['name', 'story', 'ends'],
  ({ sandboxCards }) => sandboxCards?.scenarios,
);

export const listTestPersons = listing(
  {
    id: 'sandboxTestPersons',
    summary: 'Lists the test persons by last name, and the outcome of each.',
  },
  'test_persons',
  ['name', 'last', 'story', 'ends'],
  ({ sandboxPersons }) => sandboxPersons?.persons,
);
