// The page of flows: what the session of each may do by default, and how a person is asked for it.
import { askedOf } from '../../src/product/people/consent/index.ts';
import { FLOW_SCOPES, SESSION_SCOPES } from '../../src/product/access/oauth/index.ts';
import { table } from './markdown.ts';

/** The page. */
export function flowsPage(): string {
  const flows = Object.entries(FLOW_SCOPES).map(([flow, scopes]) => [
    `\`${flow}\``,
    scopes.map((one) => `\`${one}\``).join(' ') || 'none',
  ]);
  const asked = askedOf(SESSION_SCOPES).map(({ scope, sentence }) => [`\`${scope}\``, sentence]);
  return `# Flows

What the session of a link may do, on its own account only, unless the link was made with
\`scopes\`. A link that names no flow takes the scopes of the flow that it is opened for; opened
for none it has those of \`payment-selection\`. A checkout's session reaches its own sale only.

${table(['Flow', 'Scopes'], flows)}
A person is asked for just these scopes, in these words:

${table(['Scope', 'What the person reads'], asked)}`;
}
