// The demo's transcript as a page: the story is played, and ids are replaced by what they name, so
// that it reads the same each time and on both databases.
import type { Step } from '../demo/scene.ts';
import { playStory } from '../demo/story.ts';
import { startPlatform, type Ready } from '../demo/platform.ts';
import { textOf } from '../demo/terminal.ts';
import { table } from './markdown.ts';

/** Plays the story on a database, or on an embedded one of its own, and gives the page. */
export async function demoPage(databaseUrl: string | null = null): Promise<string> {
  const platform = await startPlatform(databaseUrl);
  try {
    const names = namesOf(platform.ready);
    const sections: string[] = [];
    for await (const step of playStory(platform)) {
      sections.push(named(section(step, sections.length + 1), names));
    }
    return `# The demo

What \`npm run demo\` plays, as it answered when this page was made. Ids stand as what they name.
${sections.join('')}`;
  } finally {
    await platform.stop();
  }
}

function section(step: Step, number: number): string {
  const facts = Object.entries(step.facts).map(([name, value]) => `${name}: ${textOf(value)}`);
  const [head = [], ...rows] = step.rows;
  return [
    `\n## ${number}. ${step.title}\n`,
    ...callOf(step),
    ...(facts.length > 0 ? [`\`\`\`yaml\n${facts.join('\n')}\n\`\`\`\n`] : []),
    ...(rows.length > 0 ? [table(head, rows)] : []),
  ].join('\n');
}

function callOf({ call, sent, status }: Step): string[] {
  if (call === null) return [];
  const line = `\`${call.method} {${call.host}_url}${call.path}\` answers ${status}.\n`;
  if (sent === null) return [line];
  return [line, `\`\`\`json\n${JSON.stringify(sent, null, 2)}\n\`\`\`\n`];
}

/** The names of what a first start made. */
function namesOf({ client, accounts }: Ready): Map<string, string> {
  const names = new Map([[client.client_id, '<client_id>']]);
  for (const [who, ids] of Object.entries(accounts)) {
    for (const [name, id] of Object.entries(ids)) names.set(id, `<${who}.${name}>`);
  }
  return names;
}

const ESCROW = /esc_[0-9a-z]{26}/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function named(text: string, names: Map<string, string>): string {
  let result = text;
  for (const [id, name] of names) result = result.replaceAll(id, name);
  const escrows = [...new Set(result.match(ESCROW) ?? [])];
  for (const id of escrows) {
    if (names.has(id)) continue;
    const others = [...names.values()].filter((name) => name.includes('escrow_id')).length;
    names.set(id, others === 0 ? '<escrow_id>' : `<escrow_id ${others + 1}>`);
  }
  for (const id of escrows) result = result.replaceAll(id, names.get(id) ?? id);
  return result.replaceAll(UUID, (id, at: number, whole: string) => {
    const kind = whole.slice(0, at).endsWith('webhook-id: ') ? 'event_id' : 'invoice_id';
    const others = [...names.values()].filter((name) => name.includes(kind)).length;
    names.set(id, others === 0 ? `<${kind}>` : `<${kind} ${others + 1}>`);
    return names.get(id) ?? id;
  });
}
