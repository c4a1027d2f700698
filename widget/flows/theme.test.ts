// Whatever two colours a tenant chooses, everything on the page stays readable.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast, paletteOf, type Palette } from './theme.ts';

const TEXTS = ['text', 'muted', 'accent', 'danger', 'success', 'warning'] as const;
const GROUNDS = ['background', 'surface', 'surface-strong', 'selected'] as const;

/** Every colour of a coarse cube, as two digits for each part. */
const CUBE = ['00', '55', '77', 'aa', 'ff'].flatMap((red, _, parts) =>
  parts.flatMap((green) => parts.map((blue) => `#${red}${green}${blue}`)),
);

function faults(palette: Palette): string[] {
  const found: string[] = [];
  const ask = (one: keyof Palette, other: keyof Palette, least: number): void => {
    const value = contrast(palette[one], palette[other]);
    if (value < least) found.push(`${one} on ${other}: ${value.toFixed(2)}`);
  };
  for (const text of TEXTS) for (const ground of GROUNDS) ask(text, ground, 4.5);
  for (const ground of GROUNDS) ask('border-strong', ground, 3);
  ask('on-primary', 'primary', 4.5);
  ask('primary', 'background', 1.5);
  return found;
}

test('contrast is measured as WCAG does', () => {
  assert.equal(contrast('#000', '#ffffff'), 21);
  assert.equal(contrast('#777777', '#fff').toFixed(2), '4.48');
});

test('every background with every primary colour of a cube keeps its contrasts', () => {
  for (const background of CUBE) {
    for (const primary of CUBE) {
      const found = faults(paletteOf(background, primary));
      assert.deepEqual(found, [], `${background} ${primary}`);
    }
  }
});

test('readable colours are kept; an invalid colour is ignored', () => {
  const palette = paletteOf('#ffffff', '#1d4ed8');
  assert.equal(palette.background, '#ffffff');
  assert.equal(palette.primary, '#1d4ed8');
  assert.equal(palette.accent, '#1d4ed8');
  assert.equal(palette['on-primary'], '#ffffff');
  assert.deepEqual(paletteOf('#fff', '#14d'), paletteOf('#ffffff', '#1144dd'));
  assert.deepEqual(paletteOf('url(x)', 'red'), paletteOf());
});
