// The texts that pages load: a file for each language and flow, with the groups that the flow
// shows, so that a page carries its own language and screens alone.
import { languages, textsOf, type Group } from '../texts/index.ts';
import type { Asset } from './bundles.ts';

/** What every page says. */
export const SHARED_GROUPS = ['page', 'link', 'agree', 'sale', 'consent', 'refusal'] as const satisfies readonly Group[];

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
  txnhistory: ['history', 'failure'],
  txndetails: ['history', 'failure'],
};

/** A language as a page is told of it; `file` is a part of the names of its files. */
export interface OfferedLanguage {
  readonly tag: string;
  readonly name: string;
  readonly file: string;
}

/** All languages. */
export function offeredLanguages(): readonly OfferedLanguage[] {
  return languages().map(({ tag, name, version }) => ({ tag, name, file: `${tag}-${version}` }));
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
  const shown = [...SHARED_GROUPS, ...(FLOW_GROUPS[flow] ?? [])].map((group) => [group, groups[group]]);
  return JSON.stringify({ about, groups: Object.fromEntries(shown) });
}
