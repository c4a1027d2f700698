// The page of state machines, from the rows that both the code and the database enforce.
import { machines } from '../../src/catalogue.ts';
import { postsOf, type Machine, type Move } from '../../src/core/machine.ts';
import { table } from './markdown.ts';

/** The page. */
export function statesPage(): string {
  return `# Lifecycles

${machines.length} lifecycles. The same rows are loaded into the database at start, and a
trigger holds every step of history to them, also one that is typed by hand. An arrow that the
interface states is drawn as it is; one that is our choice carries its number, see
[assumptions](../assumptions.md). Arrows marked *staging* exist in staging only.
${machines.map(sectionOf).join('')}`;
}

function sectionOf(machine: Machine): string {
  const rows = machine.moves.map((move) => [
    move.from ?? '(new)',
    `\`${move.on}\`${move.stagingOnly === true ? ' *staging*' : ''}`,
    move.to,
    move.by,
    [...postsOf(move), move.emits?.name].filter(Boolean).join(', ') || '-',
    move.why,
    move.cites,
  ]);
  const head = ['From', 'On', 'To', 'By', 'Posts, emits', 'Why', 'Source'];
  return `
## ${machine.name}

${summary(machine)}

\`\`\`mermaid
stateDiagram-v2
${diagram(machine)}
\`\`\`

${table(head, rows)}`;
}

function summary(machine: Machine): string {
  const { noun, states, moves } = machine;
  return `${states.length} states of ${article(noun)} ${noun}, ${moves.length} arrows.`;
}

function article(noun: string): string {
  return /^[aeiou]/i.test(noun) ? 'an' : 'a';
}

/** Transitions between the same two states share a line. */
function diagram(machine: Machine): string {
  const names = new Map(machine.states.map((state) => [state, state.replaceAll(/\W/g, '_')]));
  const renamed = [...names].filter(([state, name]) => state !== name);
  const arrows = new Map<string, string[]>();
  for (const move of machine.moves) {
    const from = move.from === null ? '[*]' : names.get(move.from);
    const key = `${from} --> ${names.get(move.to)}`;
    arrows.set(key, [...(arrows.get(key) ?? []), labelOf(move)]);
  }
  return [
    ...renamed.map(([state, name]) => `  state "${state}" as ${name}`),
    ...[...arrows].map(([arrow, labels]) => `  ${arrow} : ${[...new Set(labels)].join(', ')}`),
  ].join('\n');
}

function labelOf(move: Move): string {
  const ours = /G-\d\d/.exec(move.cites)?.[0];
  return ours === undefined ? move.on : `${move.on} (${ours})`;
}
