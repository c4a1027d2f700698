// Generates the page of the reporting views from what they promise.
import { REPORTING } from '../../src/product/tenant/reporting/index.ts';
import { table } from './markdown.ts';

/** The page: a table of columns for each view. */
export function reportingPage(): string {
  const views = Object.entries(REPORTING).map(([view, { says, columns }]) => {
    const rows = Object.entries(columns).map(([name, [type, means]]) => {
      return [`\`${name}\``, type.replace('timestamp with time zone', 'timestamptz'), means];
    });
    return `## ${view}\n\n${says}\n\n${table(['Column', 'Type', 'Meaning'], rows)}`;
  });
  return `# Reporting views, version 1

Schema \`reporting_v1\`. Amounts are minor units of their currency; times are of the workspace's
clock, in UTC. Columns may be added at the end of a view, and nothing else changes.
[How to read them](../reporting.md).

${views.join('\n')}`;
}
