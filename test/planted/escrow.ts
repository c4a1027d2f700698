// Defects of escrows in parts and of disagreements: in the decisions, and in what guards the tables
// against SQL that is typed past them.
import type { Defect } from './defect.ts';

const MONEY = ['test/prove/money-laws.test.ts'];
const BY_HAND = ['test/laws/by-hand-escrow.pg.test.ts'];
const ESCROW = 'src/product/money/escrow';
const QUARREL = 'src/product/money/disagreement';
const GUARDS = 'migrations/0058_escrow_parts_guarded.sql';

const decided: readonly Defect[] = [
  {
    name: 'a part above what is held',
    breaks: 'Sellers are paid more than the buyer paid.',
    file: `${ESCROW}/release.ts`,
    from: 'if (asked > left || asked === 0) {',
    to: 'if (asked === 0) {',
    tests: [...MONEY, 'test/prove/escrow-parts.test.ts'],
  },
  {
    name: 'a line twice in a part',
    breaks: 'The second wish for a line item replaces the first.',
    file: `${ESCROW}/release.ts`,
    from: 'if (seen.has(at)) {',
    to: 'if (seen.size > 100) {',
    tests: MONEY,
  },
  {
    name: 'a milestone beyond what is held',
    breaks: 'What was returned before is released with its milestone.',
    file: `${ESCROW}/release.ts`,
    from: '[at, Math.min(amount, held.lines[at] ?? 0)] as const',
    to: '[at, amount] as const',
    tests: MONEY,
  },
  {
    name: 'a release while disputed',
    breaks: 'Held money goes although both sides wait for a decision.',
    file: `${ESCROW}/decide.ts`,
    from: 'if (time_left !== null) throw refuse(no.ESCROW_DISPUTED);',
    to: '',
    tests: [...MONEY, 'test/prove/disagreement.test.ts'],
  },
  {
    name: 'a freeze in which dates come',
    breaks: 'A date passes while an escrow is frozen, and is due at once when it goes on.',
    file: `${ESCROW}/dispute.ts`,
    from: '...withCourse(shifted(course, secondsBetween(next.at, due)))',
    to: '...withCourse(course)',
    tests: MONEY,
  },
  {
    name: 'a date that comes again',
    breaks: 'The date of a milestone that was released by hand releases it once more.',
    file: `${ESCROW}/dates.ts`,
    from: 'return [at, isReleased(course, name) ? undefined : date] as const;',
    to: 'return [at, date] as const;',
    tests: MONEY,
  },
  {
    name: 'a date without its warning',
    breaks: 'What is due is done at the time of its warning.',
    file: `${ESCROW}/dates.ts`,
    from: 'if (warned) return { at, of, act: true };',
    to: 'if (warned ?? !warned) return { at, of, act: true };',
    tests: MONEY,
  },
  {
    name: 'two parts with one invoice',
    breaks: 'The sixteenth part has the invoice of the first.',
    file: `${ESCROW}/tables.ts`,
    from: "typeof part === 'number' ? part + 1 : 0",
    to: "typeof part === 'number' ? (part + 1) % 16 : 0",
    tests: ['test/prove/escrow-course.test.ts'],
  },
  {
    name: 'a part with the id of another',
    breaks: 'Invoices of parts that are stored are not found any more.',
    file: `${ESCROW}/tables.ts`,
    from: "typeof part === 'number' ? part + 1 : 0",
    to: "typeof part === 'number' ? part : 0",
    tests: [...MONEY, 'test/prove/escrow-course.test.ts', 'test/prove/escrow-parts.test.ts'],
  },
  {
    name: 'a split that does not sum',
    breaks: 'What nobody gets of held money is lost.',
    file: `${QUARREL}/split.ts`,
    from: 'if (to_sellers + to_buyer + to_integrator !== sum(left)) {',
    to: 'if (to_sellers + to_buyer + to_integrator > sum(left)) {',
    tests: [...MONEY, 'test/prove/disagreement.test.ts'],
  },
  {
    name: 'a split that leaves a line out',
    breaks: 'Line items that a split does not name stay held for ever.',
    file: `${QUARREL}/split.ts`,
    from: 'sum([sellers[at] ?? 0, buyer[at] ?? 0, integrator[at] ?? 0]) !== amount',
    to: 'sum([sellers[at] ?? 0, buyer[at] ?? 0, integrator[at] ?? 0]) > amount',
    tests: ['test/prove/escrow-bad-input.test.ts'],
  },
  {
    name: 'a disagreement that ends twice',
    breaks: 'What was decided is decided again.',
    file: `${QUARREL}/decide.ts`,
    from: "if (row.state !== 'open') throw refuse(no.DISAGREEMENT_NOT_OPEN);",
    to: '',
    tests: [...MONEY, 'test/prove/disagreement.test.ts'],
  },
  {
    name: 'who proposes also accepts',
    breaks: 'One side alone divides what is held.',
    file: `${QUARREL}/decide.ts`,
    from: 'if (proposal.side === side) throw',
    to: 'if (proposal.id === side) throw',
    tests: [...MONEY, 'test/prove/disagreement.test.ts'],
  },
  {
    name: 'a proposal that was replaced',
    breaks: 'A side accepts what it did not see.',
    file: `${QUARREL}/decide.ts`,
    from: 'if (proposal?.id !== input.proposal) throw',
    to: 'if (proposal === null) throw',
    tests: [...MONEY, 'test/prove/disagreement.test.ts'],
  },
];

const typed: readonly Defect[] = [
  {
    name: 'a part above what is held is typed',
    breaks: 'The database takes parts that exceed their line item.',
    file: GUARDS,
    from: 'where least <= 0\n      or gone > coalesce(',
    to: 'where least <= 0\n      or gone < -coalesce(',
    tests: BY_HAND,
  },
  {
    name: 'a part of less than nothing is typed',
    breaks: 'The database takes a part that gives back what went.',
    file: GUARDS,
    from: 'where least <= 0\n',
    to: 'where least < -9\n',
    tests: BY_HAND,
  },
  {
    name: 'an end that leaves something is typed',
    breaks: 'The database takes the end of an escrow whose money has not gone.',
    file: GUARDS,
    from: "or (ended and amount <> (sale ->> 'total')::bigint)",
    to: '',
    tests: BY_HAND,
  },
  {
    name: 'a milestone is typed twice',
    breaks: 'The database takes a milestone that was released before.',
    file: GUARDS,
    from: 'count(milestone) > count(distinct milestone)',
    to: 'count(milestone) > 100',
    tests: BY_HAND,
  },
  {
    name: 'a release while disputed is typed',
    breaks: 'The database takes a part of a frozen escrow.',
    file: GUARDS,
    from: '(new.time_left is not null and parts <> before)',
    to: '(new.time_left is not null and parts is null)',
    tests: BY_HAND,
  },
  {
    name: 'the end of a freeze is typed',
    breaks: 'The database lets an escrow go on although its sides disagree.',
    file: GUARDS,
    from: "and d.escrow_id = new.id and d.state = 'open')",
    to: "and d.escrow_id = new.id and d.state = 'opened')",
    tests: BY_HAND,
  },
  {
    name: 'a part without its invoice is typed',
    breaks: 'The database takes a part whose invoice is missing, or has another id.',
    file: GUARDS,
    from: 'and (d.id is null\n',
    to: 'and (false\n',
    tests: BY_HAND,
  },
  {
    name: 'what has gone is typed anew',
    breaks: 'The database takes a history of parts that was changed.',
    file: GUARDS,
    from: 'where p is distinct from parts -> (n - 1)::integer',
    to: 'where p is null',
    tests: BY_HAND,
  },
  {
    name: 'a split that does not sum is typed',
    breaks: 'The database takes a settlement of more than was held.',
    file: GUARDS,
    from: "(settlement::json ->> 'to_integrator')::bigint = held))",
    to: "(settlement::json ->> 'to_integrator')::bigint >= held))",
    tests: BY_HAND,
  },
];

export const escrowDefects: readonly Defect[] = [...decided, ...typed];
