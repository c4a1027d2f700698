// What each field of a match says, in words and as a bar: to the right where it speaks for one
// person, to the left where it speaks against. The words carry the meaning, not the colour.
import type { Evidence, Explained } from '../../product/people/matching/index.ts';
import { html, type Html, type Shown } from '../../markup/html.ts';

/** Bits at which a bar is as long as can be. */
const LONGEST = 24;
const BAR_HEIGHT = 2;
/** Bits from which words of strength change. */
const [SLIGHT, SOME, STRONG] = [0.5, 3, 8];
const ODDS_MOST = 1_000_000;
const MINUS = '\u2212';

const FIELDS: Readonly<Record<Evidence['field'], string>> = {
  name: 'Name',
  birth: 'Date of birth',
  place: 'Address',
  phone: 'Phone',
  tax: 'Tax number, last digits',
};

const COMPARED: Readonly<Record<Evidence['comparison'], string>> = {
  missing: 'Not given by both',
  same: 'The same',
  swapped: 'Given name and surname are swapped',
  surname: 'The surname is alike, the given names are not',
  given: 'The given names are alike, the surname is not',
  alike: 'Alike, not the same',
  turned: 'The same with day and month swapped',
  digit: 'One digit differs',
  parts: 'Two of day, month and year are the same',
  house: 'The same street and house number',
  street: 'The same street, another house number',
  postcode: 'The same postcode, another street',
  town: 'The same town, another street',
  region: 'The same region, another town',
  differs: 'Different',
};

/** A number for people, such as `12,000`. */
export function grouped(count: number): string {
  return new Intl.NumberFormat('en').format(count);
}

function signed(bits: number): string {
  const text = Math.abs(bits).toFixed(1);
  if (text === '0.0') return '0';
  return `${bits < 0 ? MINUS : '+'}${text}`;
}

/** How strongly so many bits speak, and for what. */
function strengthOf(bits: number): string {
  const size = Math.abs(bits);
  if (size < SLIGHT) return 'says nothing';
  const how = size >= STRONG ? 'strongly ' : size >= SOME ? '' : 'slightly ';
  return `${how}${bits > 0 ? 'for' : 'against'} one person`;
}

function bar(bits: number): Html {
  const width = Math.min(Math.abs(bits), LONGEST).toFixed(1);
  const from = bits < 0 ? `-${width}` : '0';
  return html`<svg class="evidence-bar" viewBox="-${LONGEST} 0 ${2 * LONGEST} ${BAR_HEIGHT}"
 preserveAspectRatio="none" aria-hidden="true"><rect class="middle" x="-0.1" width="0.2"
 height="${BAR_HEIGHT}"/><rect class="${bits < 0 ? 'against' : 'for'}" x="${from}" y="0.3"
 width="${width}" height="1.4"/></svg>`;
}

function row(title: string, says: Shown, bits: number): Html {
  return html`<tr><th scope="row">${title}<div class="says">${says}</div></th>
<td>${bar(bits)}<span class="bits">${signed(bits)}</span> ${strengthOf(bits)}</td></tr>
`;
}

/** How a field compares; with how many have the value, once data is shown. */
function words({ comparison, shared }: Evidence, persons: number, opened: boolean): string {
  const says = COMPARED[comparison];
  if (!opened || shared === null) return `${says}.`;
  const have = shared === 1 ? 'person has' : 'people have';
  return `${says}; ${grouped(shared)} of ${grouped(Math.max(shared, persons))} ${have} it.`;
}

/** The odds of so many bits in words. */
function oddsOf(weight: number): string {
  const odds = 2 ** Math.abs(weight);
  const rounded = odds < 10 ? Math.round(odds * 10) / 10 : Math.round(odds);
  const text = odds > ODDS_MOST ? 'more than a million' : grouped(rounded);
  return weight < 0 ? `${text} to 1 against one person` : `${text} to 1 for one person`;
}

/**
 * Why two applications match, field by field. `scores`: as the people of today give it, and as it
 * was stored when the application was submitted.
 */
export function evidenceTable(
  { fields, relatives, prior, weight, persons, score: exact }: Explained,
  scores: Readonly<Record<'now' | 'stored', string>>,
  opened: boolean,
): Html {
  const score = scores.now === scores.stored
    ? scores.now
    : `${scores.now}, and was ${scores.stored} when this was submitted`;
  const why = exact === 1 ? 'All data is the same' : `Odds of ${oddsOf(weight)}`;
  const family = relatives < -SLIGHT
    ? 'A relative, or somebody who lives with them, could agree in this too.'
    : 'A relative, or somebody who lives with them, would hardly agree in all of this.';
  return html`<table class="evidence"><caption>Why they match</caption>
<thead class="unseen"><tr><th scope="col">Field</th><th scope="col">What it says</th></tr></thead>
<tbody>${fields.map((one) => row(FIELDS[one.field], words(one, persons, opened), one.bits))}
${row('Family and household', family, relatives)}
${row('Before any field', `Of ${grouped(persons)} people hardly any two are one.`, prior)}</tbody>
<tfoot>${row('Together', `${why}. The score is ${score}.`, weight)}
</tfoot></table>
<p class="hint">Numbers are bits: each one more doubles the odds that both are one person, each one
less halves them. What few people share says more than what many do.${
    opened ? null : ' How many share it is shown with the data.'}</p>`;
}
