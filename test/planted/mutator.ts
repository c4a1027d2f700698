// Finds every small change that can be made to a source file: each is one edit that a test should
// notice. Reads the syntax tree of the compiler that checks the types; runs nothing.
import {
  isArrayLiteralExpression,
  isArrowFunction,
  isBigIntLiteral,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isIfStatement,
  isImportDeclaration,
  isExportDeclaration,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isPropertyAssignment,
  isReturnStatement,
  isStringLiteral,
  isTemplateExpression,
  isTypeNode,
  isWhileStatement,
  SyntaxKind,
  type Expression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import type { Edit } from './scratch.ts';

/** One change, by what kind of change it is. */
export interface Mutant extends Edit {
  readonly at: number;
  readonly kind: string;
  /** Counted from 1. */
  readonly line: number;
  /** The source line, trimmed: with the change it names the mutant though lines move. */
  readonly context: string;
}

/** What stands in place of an operator: the boundary, and the opposite. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+=': ['-='],
  '-=': ['+='],
};

/** The same in statements of SQL. */
const SQL_OPERATORS: readonly (readonly [found: RegExp, to: string])[] = [
  [/ <> /g, ' = '],
  [/ (?:>=|<=) /g, ' <> '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ and /g, ' or '],
  [/ or /g, ' and '],
  [/ = /g, ' <> '],
  [/ \+ /g, ' - '],
  [/ is not null/g, ' is null'],
  [/ is null/g, ' is not null'],
];
const SQL = /\b(?:select|insert|update|delete|from|where|values)\b/;

/** Members that are prose for people; what reads them is not behaviour. */
const PROSE = new Set(['why', 'cites', 'law', 'noun', 'sentence', 'what', 'note']);
/** The same as arguments: of rows of refusals, of a machine and of laws. */
const PROSE_ARGUMENTS: Readonly<Record<string, readonly number[]>> = {
  no: [2, 3],
  notYet: [2, 3],
  move: [4, 5],
  law: [1],
};
/** Members of a machine's row that can be left out. */
const OPTIONAL = new Set(['emits', 'posts']);
const CONSTANTS = ['true', 'false', 'null', '0', '0n', `''`, '[]'];

type Found = Pick<Mutant, 'at' | 'from' | 'to' | 'kind'>;

/** All mutants of a file, in the order of the text. */
export function mutantsOf(file: string, source: SourceFile): Mutant[] {
  const { text } = source;
  const found: Found[] = [];
  const visit = (node: Node): void => {
    if (isTypeNode(node) || isImportDeclaration(node) || isExportDeclaration(node)) return;
    if (isProse(node)) return;
    for (const make of MAKERS) found.push(...make(node, text));
    node.forEachChild(visit);
  };
  visit(source);
  const keys = new Set<string>();
  return found
    .filter(({ at, from, to }) => {
      const key = `${at} ${from} ${to}`;
      return from !== to && !keys.has(key) && keys.add(key);
    })
    .toSorted((one, other) => one.at - other.at)
    .map((one) => ({ ...one, file, ...placeOf(text, one.at) }));
}

function placeOf(text: string, at: number): { line: number; context: string } {
  const line = text.slice(0, at).split('\n').length;
  return { line, context: text.split('\n')[line - 1]?.trim() ?? '' };
}

/** Prose for people, what a fault of ours says, and a command's or a statement's name in logs. */
function isProse(node: Node): boolean {
  const { parent } = node;
  const prose = parent && isCallExpression(parent) && PROSE_ARGUMENTS[textOf(parent.expression)];
  if (prose) return prose.includes(parent.arguments.indexOf(node as Expression));
  if (isPropertyAssignment(node)) {
    return PROSE.has(textOf(node.name)) || (textOf(node.name) === 'name' && isNamed(parent));
  }
  return isNewExpression(node) && /(?:Error|Fault)$/.test(textOf(node.expression));
}

/** True for the object of a command, or of a statement of SQL. */
function isNamed(node: Node): boolean {
  if (!isObjectLiteralExpression(node)) return false;
  return node.properties.some((member) => /^(?:decide|text)\b/.test(textOf(member)));
}

function textOf(node: Node): string {
  return node.getSourceFile().text.slice(node.getStart(), node.end);
}

/** The change of a node's whole text. */
function instead(node: Node, kind: string, to: string): Found {
  return { at: node.getStart(), from: textOf(node), to, kind };
}

type Maker = (node: Node, text: string) => readonly Found[];

const operators: Maker = (node) => {
  if (!isBinaryExpression(node)) return [];
  const { operatorToken: token } = node;
  return (OPERATORS[textOf(token)] ?? []).map((to) => instead(token, 'operator', to));
};

const conditions: Maker = (node) => {
  if (isIfStatement(node) || isWhileStatement(node)) {
    return ['true', 'false'].map((to) => instead(node.expression, 'guard', to));
  }
  if (!isConditionalExpression(node)) return [];
  return ['true', 'false'].map((to) => instead(node.condition, 'condition', to));
};

const negations: Maker = (node) => {
  if (!isPrefixUnaryExpression(node)) return [];
  const sign = textOf(node).slice(0, 1);
  return sign === '!' || sign === '-' ? [instead(node, 'sign', textOf(node.operand))] : [];
};

const literals: Maker = (node) => {
  if (node.kind === SyntaxKind.TrueKeyword) return [instead(node, 'boolean', 'false')];
  if (node.kind === SyntaxKind.FalseKeyword) return [instead(node, 'boolean', 'true')];
  if (isNumericLiteral(node) || isBigIntLiteral(node)) {
    if (isPropertyAssignment(node.parent) && node.parent.name === node) return [];
    const written = textOf(node);
    const end = written.endsWith('n') ? 'n' : '';
    if (!/^(?:[\d_]+n?|0x[\da-fA-F]+)$/.test(written)) return [];
    const value = BigInt(written.replaceAll('_', '').replace(/n$/, ''));
    return [instead(node, 'off by one', `${value + 1n}${end}`)];
  }
  if (isStringLiteral(node) && /^[A-Za-z][\w-]*$/.test(node.text)) {
    if (isPropertyAssignment(node.parent) && node.parent.name === node) return [];
    return [instead(node, 'name', `''`)];
  }
  return [];
};

/** A statement that is a call or an assignment, left out. */
const statements: Maker = (node) => {
  if (!isExpressionStatement(node) || /^super\b/.test(textOf(node))) return [];
  return [instead(node, 'statement', ';')];
};

/** What a function gives, as a constant; the compiler says which of them fit. */
const results: Maker = (node) => {
  const value = isReturnStatement(node) ? node.expression : bodyOf(node);
  if (value === undefined || CONSTANTS.includes(textOf(value))) return [];
  return CONSTANTS.map((to) => instead(value, 'result', to));
};

function bodyOf(node: Node): Expression | undefined {
  if (!isArrowFunction(node) || isBlock(node.body)) return undefined;
  return isParenthesizedExpression(node.body) ? node.body.expression : node.body;
}

const swaps: Maker = (node, text) => {
  if (!isCallExpression(node) || node.arguments.length !== 2) return [];
  const [first, second] = node.arguments as unknown as [Node, Node];
  const [at, end] = [first.getStart(), second.end];
  const to = textOf(second) + text.slice(first.end, second.getStart()) + textOf(first);
  return [{ at, from: text.slice(at, end), to, kind: 'swap' }];
};

/** A list without one of its members, or with none. */
const lists: Maker = (node, text) => {
  if (!isArrayLiteralExpression(node) || node.elements.length === 0) return [];
  // `[a, b] = ...` takes apart, it makes no list.
  if (isBinaryExpression(node.parent) && node.parent.left === node) return [];
  const empty = instead(node, 'list', '[]');
  const without = node.elements.map((element, n): Found => {
    const next = node.elements[n + 1];
    const [at, end] = [element.getStart(), next?.getStart() ?? element.end];
    return { at, from: text.slice(at, end), to: '', kind: 'member' };
  });
  return node.elements.length === 1 ? [empty] : [empty, ...without];
};

const members: Maker = (node) => {
  if (!isPropertyAssignment(node) || !OPTIONAL.has(textOf(node.name))) return [];
  return [instead(node, 'row', '...{}')];
};

const queries: Maker = (node) => {
  if (!isNoSubstitutionTemplateLiteral(node) && !isTemplateExpression(node)) return [];
  const written = textOf(node);
  if (!SQL.test(written)) return [];
  return SQL_OPERATORS.flatMap(([found, to]) =>
    [...written.matchAll(found)].map(({ 0: from, index }): Found => {
      return { at: node.getStart() + index, from, to, kind: 'query' };
    }),
  );
};

const MAKERS: readonly Maker[] = [
  operators,
  conditions,
  negations,
  literals,
  statements,
  results,
  swaps,
  lists,
  members,
  queries,
];

const SHOWN = 48;

/** Text on one line, cut where it is long. */
export function brief(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length > SHOWN ? `${flat.slice(0, SHOWN)}…` : flat;
}

/** Where a change is, and what it is. */
export function sentence({ file, line, from, to }: Mutant): string {
  return `${file}:${line} \`${brief(from)}\` -> \`${brief(to)}\``;
}
