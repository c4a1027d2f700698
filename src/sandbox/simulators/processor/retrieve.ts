// Colours of the processor's pages: two come from the embedding page, the rest is derived so that
// text and borders keep WCAG's contrast whatever the two are.

/** How a page looks, to fit the page around it. */
export interface Look {
  /** `#rrggbb`. */
  readonly background: string;
  /** `#rrggbb`, of the main button. */
  readonly primary: string;
  readonly dir: 'ltr' | 'rtl';
}

type Rgb = readonly [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
const INK: Rgb = [24, 26, 32];
const RED: readonly Rgb[] = [
  [180, 35, 24],
  [255, 180, 171],
];
/** WCAG 2.2 minimum for text and for field borders, with room for rounding. */
const TEXT_CONTRAST = 4.6;
const EDGE_CONTRAST = 3.1;
const STEP = 0.05;

const NAME = /^([0-9a-f]{6})-([0-9a-f]{6})\.css$/;

/** Name of the stylesheet with a look's colours. */
export function lookName({ background, primary }: Look): string {
  return `${background.slice(1)}-${primary.slice(1)}.css`.toLowerCase();
}

/** The stylesheet of that name; null for an invalid name. */
export function lookStyle(name: string): string | null {
  const match = NAME.exec(name);
  if (match === null) return null;
  const [background, primary] = [rgbOf(match[1] ?? ''), rgbOf(match[2] ?? '')];
  const text = readableOn(background, INK);
  const red = RED.find((one) => contrast(one, background) >= TEXT_CONTRAST) ?? text;
  const colours = {
    background,
    text,
    muted: mixed(text, background, 0.6, TEXT_CONTRAST),
    edge: mixed(text, background, 0.3, EDGE_CONTRAST),
    faint: blend(text, background, 0.05),
    error: red,
    primary,
    'on-primary': readableOn(primary, BLACK),
  };
  const lines = Object.entries(colours).map(([key, [r, g, b]]) => `--${key}:rgb(${r} ${g} ${b})`);
  const scheme = text === WHITE ? 'dark' : 'light';
  return `:root{color-scheme:${scheme};${lines.join(';')}}\n`;
}

function rgbOf(hex: string): Rgb {
  const at = (start: number): number => Number.parseInt(hex.slice(start, start + 2), 16);
  return [at(0), at(2), at(4)];
}

/** White or `dark`, whichever is more readable; black if `dark` is too close. */
function readableOn(background: Rgb, dark: Rgb): Rgb {
  const [light, inked] = [contrast(WHITE, background), contrast(dark, background)];
  if (Math.max(light, inked) >= TEXT_CONTRAST) return inked >= light ? dark : WHITE;
  return contrast(BLACK, background) >= light ? BLACK : WHITE;
}

/** The least of the text's colour on the background that reaches the contrast. */
function mixed(text: Rgb, background: Rgb, least: number, minimum: number): Rgb {
  for (let share = least; share < 1; share += STEP) {
    const colour = blend(text, background, share);
    if (contrast(colour, background) >= minimum) return colour;
  }
  return text;
}

function blend(text: Rgb, background: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2): number =>
    Math.round(text[at] * share + background[at] * (1 - share));
  return [part(0), part(1), part(2)];
}

/** From 1 to 21, as WCAG 2.2 defines it. */
function contrast(one: Rgb, other: Rgb): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (part: number): number => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
