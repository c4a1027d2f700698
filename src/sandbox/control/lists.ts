// What the sandbox offers, as lists: test cards, scenarios, test persons. Staging only. [G-64]
import { z } from 'zod';
import type { DomainOperation } from '../../product/context.ts';
import { operation, type SandboxServices } from '../services.ts';

/** One list: the named texts of each row, and no other field. */
function listing<K extends string>(
  head: Readonly<Record<'id' | 'summary', string>>,
  path: string,
  fields: readonly K[],
  rowsOf: (services: SandboxServices) => readonly Readonly<Record<K, string>>[] | undefined,
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
  ({ cards }) => cards?.cards,
);

export const listScenarios = listing(
  {
    id: 'sandboxScenarios',
    summary: 'Lists the scenarios of the processor, and the outcome of a payment with each.',
  },
  'scenarios',
  ['name', 'story', 'ends'],
  ({ cards }) => cards?.scenarios,
);

export const listTestPersons = listing(
  {
    id: 'sandboxTestPersons',
    summary: 'Lists the test persons by last name, and the outcome of each.',
  },
  'test_persons',
  ['name', 'last', 'story', 'ends'],
  ({ persons }) => persons?.persons,
);
