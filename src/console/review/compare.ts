// Two applications side by side: what each states, masked unless opened, where they agree, and what
// that says.
import { masked, type MatchSeen } from '../../product/people/review/index.ts';
import type { Explained } from '../../product/people/matching/index.ts';
import type { Applicant } from '../../product/people/identity/case.ts';
import { accountId, wireId } from '../../core/ids.ts';
import { html, type Html, type Shown } from '../../markup/html.ts';
import { badge, card, empty, table } from '../blocks.ts';
import { evidenceTable } from './evidence.ts';
import { percentOf } from './words.ts';

interface Field {
  readonly label: string;
  readonly of: (one: Applicant) => string;
  /** What may be shown of it without a reason. */
  readonly shown: (one: Applicant) => string;
}

const HIDDEN = (): string => '•••';

const FIELDS: readonly Field[] = [
  {
    label: 'Name',
    of: ({ first, middle, last }) => [first, middle, last].filter(Boolean).join(' '),
    shown: (one) => masked(one)?.initials ?? '',
  },
  {
    label: 'Date of birth',
    of: ({ date_of_birth }) => date_of_birth,
    shown: (one) => masked(one)?.birth_year ?? '',
  },
  { label: 'Street', of: ({ street, street2 }) => `${street} ${street2}`.trim(), shown: HIDDEN },
  {
    label: 'Town',
    of: ({ zip, city, region }) => [zip, city, region].join(' ').trim(),
    shown: HIDDEN,
  },
  { label: 'Country', of: ({ country }) => country, shown: ({ country }) => country },
  {
    label: 'Phone',
    of: ({ phone_code, phone_number }) => `${phone_code} ${phone_number}`.trim(),
    shown: HIDDEN,
  },
  { label: 'Tax number, last digits', of: ({ ssn_last4 }) => ssn_last4, shown: HIDDEN },
];

function plain(text: string): string {
  return text.normalize('NFKD').toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** A row: how the two compare stands below the field's name; both are marked if they differ. */
function compared(field: Field, pair: readonly Applicant[], opened: boolean): Shown[] {
  const [one = '', other = ''] = pair.map(field.of).map(plain);
  const given = one !== '' && other !== '';
  const differs = given && one !== other;
  const none = html`<span class="faint">not given</span>`;
  const values = pair.map(opened ? field.of : field.shown);
  return [
    html`${field.label}<div>${given ? badge(differs ? 'differs' : 'same') : none}</div>`,
    ...values.map((value) => (differs ? html`<mark>${value}</mark>` : value)),
  ];
}

/** What a person stated, as rows, masked unless opened. */
export function statedCard(stated: Applicant | null, opened: boolean): Html {
  if (stated === null) {
    return card('Person', empty('No data submitted, or it was erased.'));
  }
  const more: readonly Field[] = [
    {
      label: 'Document',
      of: ({ document_type: type, document_country: country }) => `${type} ${country}`.trim(),
      shown: HIDDEN,
    },
    { label: 'Signature', of: ({ signature }) => signature, shown: HIDDEN },
  ];
  const rows = [...FIELDS, ...more].map((field) => [
    field.label,
    opened ? field.of(stated) : field.shown(stated),
  ]);
  const title = opened ? 'Person' : 'Person, masked';
  return card(title, table({ caption: title, head: ['Field', 'Value'], rows, empty: '' }));
}

/** Each match beside the application, with why it is one. */
export function matchesCard(
  stated: Applicant | null,
  matches: readonly MatchSeen[],
  explained: ReadonlyMap<MatchSeen, Explained>,
  opened: boolean,
): Html {
  const one = (match: MatchSeen): Html => {
    const { application, account, score, state, stated: theirs } = match;
    const head = html`<h3>${percentOf(score)} similar ${badge(state)}</h3>
<p><a href="/reviews/${wireId('kyc', application)}">Their application</a> ·
<a href="/accounts/${accountId(account)}">their account</a></p>`;
    if (stated === null || theirs === null) {
      return html`${head}${empty('Nothing to compare: data was erased.')}`;
    }
    const rows = FIELDS.map((field) => compared(field, [stated, theirs], opened));
    const columns = ['Field', 'This person', 'Other person'];
    const why = explained.get(match);
    return html`${head}${table({ caption: 'Side by side', head: columns, rows, empty: '' })}${
      why && evidenceTable(why, {
        now: percentOf(Math.round(why.score * 10_000)),
        stored: percentOf(score),
      }, opened)}`;
  };
  return card('Matches', matches.length === 0 ? empty('No similar accounts.') : matches.map(one));
}
