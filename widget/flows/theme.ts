// Derives all colours of a page from a tenant's two, and adjusts them so that WCAG 2.2 AA contrasts
// always hold.

/** Red, green and blue, 0 to 255. */
type Rgb = readonly [number, number, number];

/** The page's colours, named as the kit's custom properties. */
export interface Palette {
  readonly background: string;
  /** Text on the background and on every surface. */
  readonly text: string;
  /** Less important text; still readable. */
  readonly muted: string;
  /** Buttons. */
  readonly primary: string;
  /** Text on buttons. */
  readonly 'on-primary': string;
  /** The primary colour as text, important border or focus ring. */
  readonly accent: string;
  /** Surfaces slightly different from the background. */
  readonly surface: string;
  readonly 'surface-strong': string;
  readonly selected: string;
  /** Borders that identify a control. */
  readonly 'border-strong': string;
  readonly danger: string;
  readonly success: string;
  readonly warning: string;
}

// Pure, since only then one of the two is readable on every colour (4.58 at worst).
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
const TEXT_CONTRAST = 4.5;

/** #rgb or #rrggbb; anything else gives the default. */
function parse(colour: string | undefined, otherwise: string): Rgb {
  const good = /^#(?:[0-9a-f]{3}){1,2}$/i.test(colour ?? '') ? (colour as string) : otherwise;
  const hex = good.length === 4 ? good.slice(1).replaceAll(/./g, '$&$&') : good.slice(1);
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(0), part(2), part(4)];
}

function text(rgb: Rgb): string {
  return `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** WCAG contrast of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  return contrastOf(parse(one, '#000'), parse(other, '#000'));
}

/** Whole numbers, since the measured colour must be the one shown. */
function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const between = (part: number, at: number): number => part + ((to[at] as number) - part) * share;
  return from.map((part, at) => Math.round(between(part, at))) as unknown as Rgb;
}

/** Black or white, whichever is more readable on `ground`. */
function inkOn(ground: Rgb): Rgb {
  return contrastOf(BLACK, ground) >= contrastOf(WHITE, ground) ? BLACK : WHITE;
}

/** `colour`, moved towards black or white until it has the contrast on every ground. */
function readable(colour: Rgb, grounds: readonly Rgb[], least = TEXT_CONTRAST): Rgb {
  const ink = inkOn(grounds[0] as Rgb);
  for (let step = 0; step < 20; step += 1) {
    const moved = mix(colour, ink, step / 20);
    if (grounds.every((ground) => contrastOf(moved, ground) >= least)) return moved;
  }
  return ink;
}

/** A surface between background and `towards`, limited so that text stays readable on it. */
function surfaceOf(background: Rgb, ink: Rgb, towards: Rgb, share: number): Rgb {
  const surface = mix(background, towards, share);
  if (contrastOf(ink, surface) >= 7) return surface;
  return mix(background, ink === BLACK ? WHITE : BLACK, share);
}

/** All colours that follow from two; an invalid colour counts as not given. */
export function paletteOf(backgroundColour?: string, primaryColour?: string): Palette {
  const background = parse(backgroundColour, '#ffffff');
  const primary = parse(primaryColour, '#2446d8');
  const ink = inkOn(background);
  const surface = surfaceOf(background, ink, ink, 0.04);
  const strong = surfaceOf(background, ink, ink, 0.09);
  const accent = readable(primary, [background, surface, strong]);
  const selected = surfaceOf(background, ink, accent, 0.08);
  const grounds = [background, surface, strong, selected];
  const on = (colour: Rgb, least?: number): string => text(readable(colour, grounds, least));
  // A button of the background's own colour would be invisible.
  const button = readable(primary, [background], 1.5);
  return {
    background: text(background),
    text: on(mix(ink, background, 0.08), 7),
    muted: on(mix(background, ink, 0.6)),
    primary: text(button),
    'on-primary': text(inkOn(button)),
    accent: on(accent),
    surface: text(surface),
    'surface-strong': text(strong),
    selected: text(selected),
    'border-strong': on(mix(background, ink, 0.4), 3),
    danger: on([179, 38, 30]),
    success: on([20, 108, 46]),
    warning: on([138, 83, 0]),
  };
}

/** Sets the colours on the page: `--background`, `--text` and so on. */
export function applyTheme(palette: Palette): void {
  const { style } = document.documentElement;
  for (const [name, value] of Object.entries(palette)) style.setProperty(`--${name}`, value);
}
