// The demo's transcripts as pages: a story is played and its ids are replaced by what they name, so
// that the page is the same each time and on both databases.
import { startPlatform, type Ready } from '../demo/platform.ts';
import type { Step } from '../demo/scene.ts';
import { STORIES, type StoryName } from '../demo/stories.ts';
import { textOf } from '../demo/terminal.ts';
import { table } from './markdown.ts';
import type { PLAYED_PAGES } from './pages.ts';

type PlayedPage = (typeof PLAYED_PAGES)[number];

const PAGES: Readonly<Record<PlayedPage, { title: string; command: string; story: StoryName }>> = {
  'demo.md': { title: 'The demo', command: 'npm run demo', story: 'sale' },
  'people.md': { title: 'People', command: 'npm run demo -- --story people', story: 'people' },
};

/** Plays a page's story on a database, or an embedded one of its own, and returns the page. */
export async function playedPage(
  page: PlayedPage,
  databaseUrl: string | null = null,
): Promise<string> {
  const { title, command, story } = PAGES[page];
  const platform = await startPlatform(databaseUrl);
  try {
    const names = namesOf(platform.ready);
    const sections: string[] = [];
    for await (const step of STORIES[story](platform)) {
      sections.push(named(section(step, sections.length + 1), names));
    }
    return `# ${title}

What \`${command}\` plays, as it answered when this page was made. Ids stand as what they name.
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

/** Names of what a first start created. */
function namesOf({ client, accounts }: Ready): Map<string, string> {
  const names = new Map([[client.client_id, '<client_id>']]);
  for (const [who, ids] of Object.entries(accounts)) {
    for (const [name, id] of Object.entries(ids)) names.set(id, `<${who}.${name}>`);
  }
  return names;
}

const ID = /(?:acct|esc|kyc)_[0-9a-z]{26}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const KINDS: Readonly<Record<string, string>> = {
  acct: 'account_id',
  esc: 'escrow_id',
  kyc: 'kyc_id',
};

/** What an id names, by its prefix or by the text before it. */
function kindOf(id: string, before: string): string {
  const kind = KINDS[id.split('_')[0] ?? ''];
  if (kind !== undefined) return kind;
  if (before.endsWith('webhook-id: ')) return 'event_id';
  if (before.endsWith('/payout/')) return 'payout_status_id';
  const label = /(payment_method|payout_status|wallet)_id"?(?:: "?|=)$/.exec(before)?.[1];
  return label === undefined ? 'invoice_id' : `${label}_id`;
}

function named(text: string, names: Map<string, string>): string {
  let result = text;
  for (const [id, name] of names) result = result.replaceAll(id, name);
  return result.replaceAll(ID, (id, at: number) => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const kind = kindOf(id, result.slice(Math.max(0, at - 60), at));
    const others = [...names.values()].filter((name) => name.startsWith(`<${kind}`)).length;
    const name = others === 0 ? `<${kind}>` : `<${kind} ${others + 1}>`;
    names.set(id, name);
    return name;
  });
}
