// The page of webhooks, from the list of events.
import { z } from 'zod';
import { events } from '../../src/catalogue.ts';
import { table } from './markdown.ts';

interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
}

/** The page. */
export function eventsPage(): string {
  return `# Events

Each body is \`{event_id, event_name, bucket_key, sent_at, sequence, resource_version, message}\`.
\`sequence\` counts the tenant's events without gaps; \`resource_version\` orders the events of one
resource; \`event_id\` is also the header \`webhook-id\` and stays the same when an event is sent
again, with the same bytes. Signatures follow Standard Webhooks. The stream can be read at
\`GET /v1/events?after=<sequence>\`.
${events.map(sectionOf).join('')}`;
}

function sectionOf(event: (typeof events)[number]): string {
  const message = event.message as z.ZodType;
  const schema = z.toJSONSchema(message, { unrepresentable: 'any' }) as JsonSchema;
  const rows = Object.entries(schema.properties ?? {}).map(([name, one]) => [
    `\`${name}\``,
    kindOf(one),
  ]);
  return `
## ${event.name}

${event.when} Source: ${event.cites}. Its \`message\`:

${table(['Field', 'Type'], rows)}`;
}

function kindOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((one) => `\`${String(one)}\``).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(kindOf).join(' or ');
  return schema.type ?? 'anything';
}
