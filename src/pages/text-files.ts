// The texts that pages load: a file for each language and flow, with the groups that the flow
// shows, so that a page carries its own language and screens alone.
import {
  ENGLISH,
  languages,
  textsOf,
  textsWith,
  type Group,
  type Messages,
  type OwnTexts,
  type Texts,
} from '../texts/index.ts';
import type { Asset } from './bundles.ts';

/** What every page says. */
export const SHARED_GROUPS = [
  ...(['page', 'link', 'agree', 'sale', 'consent', 'refusal', 'title'] as const),
] satisfies readonly Group[];

/** What flows say beside that. */
export const FLOW_GROUPS: Readonly<Record<string, readonly Group[]>> = {
  page: [],
  'payment-selection': ['methods'],
  checkout: ['methods', 'checkout', 'failure'],
  tos: [],
  kyc: ['kyc', 'kyc_reason'],
  kyb: ['kyb', 'kyb_reason'],
  purchase: ['methods'],
  payout: ['methods', 'kyc', 'kyc_reason', 'payout'],
  'payout-full': ['methods', 'kyc', 'kyc_reason', 'payout'],
  escrow: ['escrow', 'disagreement'],
  txnhistory: ['history', 'failure'],
  txndetails: ['history', 'failure'],
};

/** A language as a page is told of it; `file` is a part of the names of its files. */
export interface OfferedLanguage {
  readonly tag: string;
  readonly name: string;
  readonly file: string;
  /** What the tenant says otherwise than the file. */
  readonly own?: Texts;
}

/** Our languages, and those of a tenant with what a flow says in its words. */
export function offeredLanguages(
  own: OwnTexts = {},
  flow: string | null = null,
): readonly OfferedLanguage[] {
  const ours = languages().map(({ tag, name, version }) => {
    return { tag, name, file: `${tag}-${version}` };
  });
  const added = Object.keys(own).filter((tag) => !ours.some((one) => one.tag === tag));
  const file = ours.find(({ tag }) => tag === ENGLISH)?.file ?? '';
  const all = [...ours, ...added.map((tag) => ({ tag, name: '', file }))];
  return all.map((one) => (own[one.tag] === undefined ? one : withOwn(one, own, flow)));
}

function withOwn(one: OfferedLanguage, own: OwnTexts, flow: string | null): OfferedLanguage {
  const { about, groups } = textsWith(own, one.tag);
  const said = Object.keys(own[one.tag] ?? {}).map((key) => key.split('.') as [string, string]);
  const shown = new Set<string>([...SHARED_GROUPS, ...(FLOW_GROUPS[flow ?? ''] ?? [])]);
  const mine: Record<string, Messages> = {};
  for (const [group, name] of said) {
    const message = groups[group]?.[name];
    if (message === undefined || (flow !== null && !shown.has(group))) continue;
    mine[group] = { ...mine[group], [name]: message };
  }
  return { ...one, name: about.name, own: { about, groups: mine } };
}

/** Name of the file of a flow; a flow that is not known yet has that of its page. */
export function textFileName(flow: string | null, file: string): string {
  return `texts-${flow ?? 'page'}-${file}.json`;
}

/** A file by its name; undefined for none. */
export function textFile(name: string): Asset | undefined {
  for (const { tag, file } of offeredLanguages()) {
    const flow = Object.keys(FLOW_GROUPS).find((one) => textFileName(one, file) === name);
    if (flow !== undefined) return { type: 'application/json', text: contentOf(tag, flow) };
  }
  return undefined;
}

function contentOf(tag: string, flow: string): string {
  const { about, groups } = textsOf(tag);
  const shown = [...SHARED_GROUPS, ...(FLOW_GROUPS[flow] ?? [])];
  const said = shown.map((group) => [group, groups[group]]);
  return JSON.stringify({ about, groups: Object.fromEntries(said) });
}
