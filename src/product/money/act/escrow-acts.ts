// What operators may do with the held money of an escrow, as rows: release and return it, whole or
// in parts, and divide it where buyer and seller disagree. [G-88, G-94, G-96]
import { displayAmount } from '../../../core/currency.ts';
import { wireId } from '../../../core/ids.ts';
import { refusals as ofDisagreement } from '../disagreement/index.ts';
import { refusals as ofEscrow } from '../escrow/index.ts';
import type { LineLeft } from '../refund/index.ts';
import type { ActField, ActFields, MoneyAct } from './row.ts';
import type { Subject } from './subject.ts';

const held = ({ left }: Subject): bigint => left;
const moved = ({ amount, left }: Subject): bigint => amount - left;
const flows = ({ frozen }: Subject): boolean => frozen === null;
const isSplit = ({ frozen, state }: Subject): boolean => {
  return frozen === 'disagreement' && state === 'ESCROWED';
};
const escrowOf = ({ id }: Subject) => ({ params: { escrow_id: wireId('esc', id) } });

/** What all acts on held money have. */
const common = { kind: 'escrow', before: moved } as const;
const whole = { ...common, when: flows, moves: held, request: escrowOf } as const;

const nameOf = ({ name }: LineLeft, at: number): string => name || `Line item ${at + 1}`;

/** The line items that hold money; once nothing is held, all of them. */
function linesOf({ lines, left }: Subject): readonly (readonly [LineLeft, string])[] {
  return lines
    .map((line, at) => [line, nameOf(line, at)] as const)
    .filter(([line]) => left === 0n || line.left > 0n);
}

const words = ({ currency }: Subject, name: string, left: bigint): string =>
  `${name}: ${displayAmount(left, currency)} held`;

const asked = ({ amount = '0' }: ActFields): bigint => BigInt(amount);

/** A part of a line item, by amount. */
const part = {
  ...common,
  when: (subject: Subject) => flows(subject) && subject.lines.some(({ left }) => left > 0n),
  fields: (subject: Subject): readonly ActField[] => [
    {
      name: 'line',
      label: 'Line item',
      options: linesOf(subject).map(([{ id, left }, name]) => [id, words(subject, name, left)]),
    },
    { name: 'amount', label: 'Amount' },
  ],
  moves: (_: Subject, fields: ActFields) => asked(fields),
  refused({ lines }: Subject, fields: ActFields) {
    const of = lines.find(({ id }) => id === fields['line']);
    return asked(fields) > (of?.left ?? 0n) ? ofEscrow.ESCROW_PART_TOO_LARGE : null;
  },
  request(subject: Subject, { line, amount }: ActFields) {
    const body = { line_items: [{ line_item_id: line, amount: Number(amount) }] };
    return { ...escrowOf(subject), body };
  },
} as const;

const SIDES = [
  ['to_sellers', 'To the sellers'],
  ['to_buyer', 'To the buyer'],
  ['to_integrator', 'To you alone'],
] as const;

/** The three amounts of a split; `of` tells those of one line item from others. */
const sumsFor = (of = '', label = ''): readonly ActField[] =>
  SIDES.map(([name, says]) => ({ name: name + of, label: label + says, zero: true }));
const given = (fields: ActFields, of = '') =>
  Object.fromEntries(SIDES.map(([name]) => [name, Number(fields[name + of] ?? 0)]));
const sum = (fields: ActFields, of = ''): bigint =>
  SIDES.reduce((all, [name]) => all + BigInt(fields[name + of] ?? 0), 0n);

const split = { ...common, operation: 'resolveDisagreement', moves: held } as const;
const wrong = ofDisagreement.DISAGREEMENT_SPLIT_WRONG;

export const ESCROW_ACTS: readonly MoneyAct[] = [
  {
    ...whole,
    name: 'release',
    operation: 'commitEscrow',
    label: 'Release to the sellers',
    says: 'All money that is still held is paid to the sellers and to you. It cannot be undone.',
    on: 'commit',
  },
  {
    ...part,
    name: 'release_part',
    operation: 'releaseEscrow',
    label: 'Release a part',
    says: 'A part of a line item is paid to its sellers and to you; the rest stays held.',
    on: 'release',
  },
  {
    ...common,
    name: 'release_milestone',
    operation: 'releaseEscrow',
    label: 'Release a milestone',
    says: 'What is held for the milestone is paid to its sellers and to you.',
    on: 'release',
    when: (subject) => flows(subject) && subject.milestones.length > 0,
    fields: (subject) => [{
      name: 'milestone',
      label: 'Milestone',
      options: subject.milestones.map(({ id, name, left }) => [id, words(subject, name, left)]),
    }],
    moves: ({ milestones }, { milestone }) =>
      milestones.find(({ id }) => id === milestone)?.left ?? 0n,
    request: (subject, { milestone }) => ({ ...escrowOf(subject), body: { milestone } }),
  },
  {
    ...part,
    name: 'return_part',
    operation: 'returnEscrow',
    label: 'Return a part',
    says: 'A part of a line item goes back to whoever paid; the rest stays held.',
    on: 'return',
  },
  {
    ...whole,
    name: 'cancel_escrow',
    operation: 'cancelEscrow',
    label: 'Cancel and return it',
    says: 'All money that is still held goes back to whoever paid. It cannot be undone.',
    on: 'cancel',
  },
  {
    ...split,
    name: 'divide',
    label: 'Divide what is held',
    says: 'Ends the disagreement: the sellers get their part as agreed, with fees and tax in it, '
      + 'the buyer theirs, and you yours. The three must be all that is held. It cannot be undone.',
    when: isSplit,
    fields: () => sumsFor(),
    refused: ({ left }, fields) => (sum(fields) === left ? null : wrong),
    request: (subject, fields) => ({ ...escrowOf(subject), body: given(fields) }),
  },
  {
    ...split,
    name: 'divide_lines',
    label: 'Divide each line item',
    says: 'Ends the disagreement as a division of the whole does. For each line item the three '
      + 'must be all that is held of it. It cannot be undone.',
    when: (subject) => isSplit(subject) && linesOf(subject).length > 1,
    fields: (subject) => linesOf(subject).flatMap(([{ id, left }, name]) =>
      sumsFor(`:${id}`, `${words(subject, name, left)}. `)),
    refused(subject, fields) {
      const all = linesOf(subject).every(([{ id, left }]) => sum(fields, `:${id}`) === left);
      return all ? null : wrong;
    },
    request(subject, fields) {
      const line_items = linesOf(subject).map(([{ id }]) => {
        return { line_item_id: id, ...given(fields, `:${id}`) };
      });
      return { ...escrowOf(subject), body: { line_items } };
    },
  },
];
