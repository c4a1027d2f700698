// Every generated page: its path below docs/generated and how it is made. A test finds any other
// file there.
import { HOST_NAMES, type HostName } from '../../src/core/operation.ts';
import { citationsPage } from './citations.ts';
import { eventsPage } from './events-page.ts';
import { flowsPage } from './flows-page.ts';
import { importLawPage } from './import-law-page.ts';
import { jsonLines } from './json-lines.ts';
import { allOperations, openapiOf, operationsPage } from './operations-page.ts';
import { alertRules, dashboard, logSchema } from './monitoring-files.ts';
import { refusalsPage } from './refusals-page.ts';
import { reportingPage } from './reporting-page.ts';
import { schemaPage } from './schema-page.ts';
import { statesPage } from './states-page.ts';

/** Pages made from the sources alone, by path below docs/generated. */
export function writtenPages(): Map<string, string> {
  const pages = new Map<string, string>([
    ['README.md', indexPage()],
    ['operations.md', operationsPage()],
    ['flows.md', flowsPage()],
    ['states.md', statesPage()],
    ['refusals.md', refusalsPage()],
    ['events.md', eventsPage()],
    ['schema.md', schemaPage()],
    ['reporting.md', reportingPage()],
    ['import-law.md', importLawPage()],
    ['citations.md', citationsPage()],
    ['log-schema.json', logSchema()],
    ['monitoring/alerts.yml', alertRules()],
    ['monitoring/dashboard.json', dashboard()],
  ]);
  for (const host of describedHosts()) {
    pages.set(`openapi/${host}.json`, `${jsonLines(openapiOf(host))}\n`);
  }
  return pages;
}

/** Pages that need a running system. */
export const PLAYED_PAGES = ['demo.md', 'people.md'] as const;

/** Hosts with operations in this release, in the order of the ready line. */
export function describedHosts(): HostName[] {
  const used = new Set(allOperations().map(({ host }) => host));
  return HOST_NAMES.filter((host) => used.has(host));
}

function indexPage(): string {
  const openapi = describedHosts().map((host) => `- [openapi/${host}.json](openapi/${host}.json)`);
  return `# Generated pages

Made by \`npm run docs\` from the sources; a test fails when one of them is not what the sources
say now. Do not edit them.

- [operations.md](operations.md): every endpoint, who may call it, what it answers
- [flows.md](flows.md): what the session of each flow may do, and what its person is asked
- [states.md](states.md): every lifecycle, as a diagram and as rows
- [refusals.md](refusals.md): every code that a failure can carry, and why payments fail
- [events.md](events.md): every webhook
- [schema.md](schema.md): every table, with the rules that the database holds
- [reporting.md](reporting.md): every column of the views for analysts
- [import-law.md](import-law.md): which part of the sources may know which
- [citations.md](citations.md): where each rule and each choice is relied on
- [log-schema.json](log-schema.json): what a line of the log may say, as JSON Schema
- [monitoring/alerts.yml](monitoring/alerts.yml): the alert rules for Prometheus
- [monitoring/dashboard.json](monitoring/dashboard.json): the dashboard for Grafana
- [demo.md](demo.md): the story of the first page, as \`npm run demo\` plays it
- [people.md](people.md): a person who is verified, paid out and erased, and every test person

The OpenAPI 3.1 documents, as each host serves them at \`/openapi.json\`:

${openapi.join('\n')}
`;
}
