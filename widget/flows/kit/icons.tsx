// Icons drawn for this kit: lines on a 20 grid in the text's colour, and payment method glyphs,
// generic cards in their brand's colour. All are decoration; a text always says the same.
import type { ComponentChildren } from 'preact';

function Line({ children, name = '' }: { children: ComponentChildren; name?: string }) {
  return (
    <svg
      class={`icon ${name}`}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

const line = (d: string, name?: string) => () => (
  <Line {...(name === undefined ? {} : { name })}>
    <path d={d} />
  </Line>
);

const ROUND = 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15Z';

export const CheckIcon = line(`${ROUND}m-3.2 7.7 2.2 2.2 4.2-4.6`);
export const InfoIcon = line(`${ROUND}m0 6.7v4M10 6.5v.1`);
export const AlertIcon = line('M10 3 2.3 16.5h15.4L10 3Zm0 5.2v3.6m0 2.3v.1');
export const LockIcon = line('M5 9h10v8H5V9Zm2 0V6a3 3 0 0 1 6 0v3');
export const PlusIcon = line('M10 4v12M4 10h12');
export const MoreIcon = line('M4.5 10h.01M10 10h.01M15.5 10h.01', 'dots');
export const UploadIcon = line('M10 13V4m0 0L6.5 7.5M10 4l3.5 3.5M3.5 13.5v3h13v-3');
export const FileIcon = line('M5 2.5h6.5L15 6v11.5H5v-15Zm6.5 0V6H15');
export const ChevronIcon = line('m8 5 5 5-5 5', 'turns');
export const CloseIcon = line('m5.5 5.5 9 9m0-9-9 9');
export const BackIcon = line('M12 5 7 10l5 5', 'turns');
export const DownIcon = line('m5.5 8 4.5 4.5L14.5 8');

/** Colours of each brand's card: background and chip. */
const BRANDS: Readonly<Record<string, readonly [string, string]>> = {
  visa: ['#1a3fa8', '#f2c14e'],
  'master-card': ['#2b2b33', '#f0883e'],
  maestro: ['#1d5fa8', '#e35d5b'],
  'american-express': ['#1c77c3', '#cfe6f7'],
  discover: ['#e8eaee', '#ef7d22'],
  'diners-club': ['#0b5c8c', '#dce9f2'],
  jcb: ['#0b7a4b', '#e5c558'],
  'china-unionpay': ['#0d7480', '#e0565b'],
  electron: ['#2462c9', '#a9d3ff'],
};
const PLAIN: readonly [string, string] = ['#5b6472', '#d6dae1'];

function Glyph({ children }: { children: ComponentChildren }) {
  return (
    <svg class="glyph" viewBox="0 0 36 24" aria-hidden="true">
      {children}
    </svg>
  );
}

/** A card in its brand's colour (`method_class`); a plain one for an unknown brand. */
export function CardGlyph({ brand }: { readonly brand: string }) {
  const [ground, chip] = BRANDS[brand] ?? PLAIN;
  return (
    <Glyph>
      <rect x=".5" y=".5" width="35" height="23" rx="4" fill={ground} stroke="#8883" />
      <rect x="5" y="7" width="7" height="5.5" rx="1.4" fill={chip} />
      <path d="M5 18h5m3 0h5m3 0h4" stroke={chip} stroke-width="1.6" stroke-linecap="round" />
      <circle cx="28.5" cy="6.5" r="2.6" fill={chip} opacity=".55" />
      <circle cx="31" cy="6.5" r="2.6" fill={chip} opacity=".8" />
    </Glyph>
  );
}

/** A wallet in the text's colours. */
export function WalletGlyph() {
  return (
    <Glyph>
      <rect class="glyph-ground" x=".5" y=".5" width="35" height="23" rx="4" />
      <rect class="glyph-line" x="10.5" y="8" width="15" height="10" rx="1.5" />
      <path class="glyph-line" d="M12 8 21.5 5.500V8m4 3.500h-4a1.5 1.5 0 0 0 0 3h4" />
    </Glyph>
  );
}

/** A bank's front in the text's colours. */
export function BankGlyph() {
  return (
    <Glyph>
      <rect class="glyph-ground" x=".5" y=".5" width="35" height="23" rx="4" />
      <path class="glyph-line" d="M11 10 18 5.5 25 10H11Zm2 3v3m5-3v3m5-3v3M11 18.500h14" />
    </Glyph>
  );
}

/** An arrow through a door: a method with a browser login. */
export function LoginGlyph() {
  return (
    <Glyph>
      <rect x=".5" y=".5" width="35" height="23" rx="4" fill="#164a96" stroke="#8883" />
      <path
        d="M19 6.5h5.5V17.5H19M11 12h8.5m-3-3 3 3-3 3"
        fill="none"
        stroke="#a9dcff"
        stroke-width="1.7"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </Glyph>
  );
}

/** A dashed card: a method to be added. */
export function AddGlyph() {
  return (
    <Glyph>
      <rect class="glyph-empty" x=".8" y=".8" width="34.4" height="22.4" rx="4" />
      <path class="glyph-line" d="M18 7.500v9M13.5 12h9" />
    </Glyph>
  );
}

/** The large mark of a result; animated if the person allows motion. */
export function ResultMark({ good }: { readonly good: boolean }) {
  return (
    <svg class={good ? 'mark' : 'mark mark-failure'} viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="24" r="24" />
      <path
        d={good ? 'm15 24.5 6.3 6.300L33.5 18' : 'M24 14v13m0 6.500v.1'}
        fill="none"
        stroke="currentColor"
        stroke-width="3.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
