// Pictures of the goods in SVG, inlined so that nothing is loaded from elsewhere: one row per
// product id.
import { Html } from './html.ts';

const PICTURES: Readonly<Record<string, string>> = {
  'ash-mug': `<rect width="320" height="240" fill="#e9d9c3"/>
<path d="M0 172h320v68H0z" fill="#d9c3a5"/>
<ellipse cx="160" cy="200" rx="92" ry="13" fill="#b89d7c" opacity=".55"/>
<path d="M208 92c40-6 58 12 54 42-4 28-26 42-56 40l2-16c20 0 34-9 36-27 2-17-10-26-34-23z"
 fill="#7d5a41"/>
<path d="M90 70h124l-7 118c-1 10-9 14-18 14h-74c-9 0-17-4-18-14z" fill="#93694a"/>
<path d="M90 70h124l-5 78c-9 10-15-8-24 2s-11 22-20 6-16-14-24 0-14 4-21-6-16 10-25-2z"
 fill="#c9c7b1"/>
<path d="M90 70h124l-3 48c-10 6-14-7-24-3s-12 14-22 4-15-9-24-1-14 2-22-5-17 6-26-2z"
 fill="#e3e2d0"/>
<ellipse cx="152" cy="70" rx="62" ry="11" fill="#f1efdf"/>
<ellipse cx="152" cy="71" rx="54" ry="8" fill="#4b3325"/>
<path d="M108 92c2 30 3 60 8 92" fill="none" stroke="#fff" stroke-width="6" opacity=".35"
 stroke-linecap="round"/>
<path d="M132 46c-8-10 6-14-2-26M158 42c-8-10 6-14-2-26M182 46c-8-10 6-14-2-26" fill="none"
 stroke="#fff" stroke-width="4" opacity=".55" stroke-linecap="round"/>`,
  'salt-jug': `<rect width="320" height="240" fill="#d9dde2"/>
<path d="M0 186h320v54H0z" fill="#bfc6ce"/>
<ellipse cx="160" cy="212" rx="84" ry="11" fill="#8f99a5" opacity=".55"/>
<path d="M206 74c46-4 62 26 50 60-8 22-28 34-50 34v-16c18-2 30-10 35-25 8-24-8-40-37-37z"
 fill="#8d949c"/>
<path d="M122 38h62l8 10-8 26c26 18 36 44 36 72 0 32-18 56-34 66h-66c-16-10-34-34-34-66 0-28
 10-54 36-72z" fill="#a9b0b8"/>
<path d="M87 128c40 14 92 14 132 0M88 168c40 14 90 14 130 0" fill="none" stroke="#2d4a94"
 stroke-width="6"/>
<path d="M152 120c-14 10-20 22 0 40 20-18 14-30 0-40zM116 138c6 6 8 14 4 24M190 138c-6 6-8 14-4 24"
 fill="#2d4a94" stroke="#2d4a94" stroke-width="4" stroke-linecap="round"/>
<ellipse cx="153" cy="39" rx="31" ry="6" fill="#c8ced5"/>
<path d="M104 98c-8 12-12 24-12 38" fill="none" stroke="#fff" stroke-width="7" opacity=".5"
 stroke-linecap="round"/>`,
  'dinner-service': `<rect width="320" height="240" fill="#dfe6dc"/>
<path d="M0 180h320v60H0z" fill="#c3cfbe"/>
<ellipse cx="160" cy="196" rx="112" ry="16" fill="#93a18d" opacity=".55"/>
<ellipse cx="160" cy="184" rx="104" ry="18" fill="#f7f4ea"/>
<ellipse cx="160" cy="174" rx="92" ry="16" fill="#e7e2d0"/>
<ellipse cx="160" cy="164" rx="92" ry="16" fill="#f7f4ea"/>
<path d="M96 108h128c-4 34-28 50-64 50s-60-16-64-50z" fill="#5f7d6a"/>
<ellipse cx="160" cy="108" rx="64" ry="12" fill="#38503f"/>`,
  'loom-deposit': `<rect width="320" height="240" fill="#e8dfd2"/>
<path d="M0 196h320v44H0z" fill="#d2c3ad"/>
<path d="M84 44h14v156H84zM222 44h14v156h-14z" fill="#7a5a3c"/>
<path d="M74 60h172v12H74zM74 168h172v14H74z" fill="#93704d"/>
<path d="M104 72v96M116 72v96M128 72v96M140 72v96M152 72v96M164 72v96M176 72v96M188 72v96M200 72v96
M212 72v96" stroke="#f6efe2" stroke-width="3"/>
<path d="M100 118h120v50H100z" fill="#a4443c"/>
<path d="M100 130h120M100 144h120M100 156h120" stroke="#e9c9a0" stroke-width="4"/>`,
  'moon-jar': `<rect width="320" height="240" fill="#c7d0cf"/>
<path d="M0 184h320v56H0z" fill="#aab7b6"/>
<ellipse cx="166" cy="212" rx="96" ry="12" fill="#7f8f8f" opacity=".5"/>
<path d="M128 34h64l4 16c46 14 74 48 74 82 0 38-34 66-72 76h-76c-38-10-72-38-72-76 0-34
 28-68 74-82z" fill="#f6f3ea"/>
<path d="M196 50c46 14 74 48 74 82 0 38-34 66-72 76h-34c52-16 74-48 72-88-2-30-18-54-40-70z"
 fill="#dcd8cb"/>
<path d="M51 136c70 12 150 12 218-2" fill="none" stroke="#cfcaba" stroke-width="3"/>
<ellipse cx="160" cy="34" rx="32" ry="6" fill="#fffdf6"/>
<ellipse cx="160" cy="35" rx="26" ry="4" fill="#8d8878"/>
<path d="M84 92c-14 20-18 44-10 66" fill="none" stroke="#fff" stroke-width="9"
 stroke-linecap="round"/>
<path d="M206 84c10 4 14 14 10 20M222 158c-6 8-14 12-22 14" fill="none" stroke="#c3beac"
 stroke-width="2" stroke-linecap="round"/>`,
  'breakfast-bowls': `<rect width="320" height="240" fill="#efe1cf"/>
<path d="M0 180h320v60H0z" fill="#dfc9ad"/>
<ellipse cx="160" cy="206" rx="104" ry="12" fill="#b99f7c" opacity=".55"/>
<path d="M58 138h204c-2 38-34 66-72 68h-60c-38-2-70-30-72-68z" fill="#a4552f"/>
<path d="M58 138h204c-1 14-6 26-13 36H71c-7-10-12-22-13-36z" fill="#f4ead9"/>
<ellipse cx="160" cy="138" rx="102" ry="16" fill="#c57c4f"/>
<path d="M76 100h168c-2 30-24 52-56 54h-56c-32-2-54-24-56-54z" fill="#8f4a2a"/>
<path d="M76 100h168c-1 10-4 18-8 26H84c-4-8-7-16-8-26z" fill="#54756b"/>
<ellipse cx="160" cy="100" rx="84" ry="13" fill="#b8693d"/>
<path d="M94 66h132c-2 26-20 44-46 46h-40c-26-2-44-20-46-46z" fill="#8f4a2a"/>
<path d="M94 66h132c0 6-2 11-4 16H98c-2-5-4-10-4-16z" fill="#d9a441"/>
<ellipse cx="160" cy="66" rx="66" ry="11" fill="#c57c4f"/>
<ellipse cx="160" cy="68" rx="56" ry="7" fill="#7a3d22"/>
<path d="M80 156c4 16 12 26 24 34" fill="none" stroke="#fff" stroke-width="5" opacity=".6"
 stroke-linecap="round"/>`,
  'indigo-throw': `<rect width="320" height="240" fill="#dfe3ea"/>
<path d="M40 40h240" stroke="#8a6a4c" stroke-width="10" stroke-linecap="round"/>
<path d="M74 34h150v168H74z" fill="#24365f"/>
<path d="M224 34h34v140h-34z" fill="#1a2747"/>
<path d="M74 34h184v16H74z" fill="#3b5286"/>
<path d="M74 74h150M74 82h150M74 138h150M74 146h150M74 154h150" stroke="#e8e4d6"
 stroke-width="3"/>
<path d="M224 74h34M224 82h34M224 138h34M224 146h34M224 154h34" stroke="#b9b7b0"
 stroke-width="3"/>
<path d="M74 98l15 12 15-12 15 12 15-12 15 12 15-12 15 12 15-12 15 12 15-12" fill="none"
 stroke="#8fa7d6" stroke-width="4"/>
<path d="M74 118l15 12 15-12 15 12 15-12 15 12 15-12 15 12 15-12 15 12 15-12" fill="none"
 stroke="#5f7ab5" stroke-width="4"/>
<path d="M78 202v18M88 202v20M98 202v17M108 202v20M118 202v18M128 202v21M138 202v18M148 202v20M158
 202v17M168 202v20M178 202v18M188 202v21M198 202v18M208 202v20M218 202v17" stroke="#24365f"
 stroke-width="3" stroke-linecap="round"/>
<path d="M228 174v16M236 174v18M244 174v15M252 174v18" stroke="#1a2747" stroke-width="3"
 stroke-linecap="round"/>`,
  'linen-cushion': `<rect width="320" height="240" fill="#efe4d8"/>
<path d="M0 176h320v64H0z" fill="#c9ad8d"/>
<path d="M0 176h320v8H0z" fill="#b4957a"/>
<ellipse cx="160" cy="200" rx="100" ry="10" fill="#8d7159" opacity=".55"/>
<path d="M66 44c30 10 158 10 188 0-8 34-8 124 2 154-34-10-158-10-192 0 10-30 10-120 2-154z"
 fill="#a83a32"/>
<path d="M254 44c-8 34-8 124 2 154-18-5-58-8-96-8 46-30 74-84 94-146z" fill="#8f2d28"/>
<path d="M92 66c40 8 96 8 136 0M88 96c44 6 100 6 144 0M86 126c46 6 102 6 148 0M86 156c46 4
 102 4 148 0" fill="none" stroke="#d98a78" stroke-width="2.5" stroke-dasharray="9 7"/>
<circle cx="160" cy="114" r="7" fill="#f3dccb"/>
<path d="M160 114c-26-6-42-20-56-40M160 114c26-6 42-20 56-40M160 116c-26 8-42 24-54 46M160 116c26
 8 42 24 54 46" fill="none" stroke="#7d2622" stroke-width="2" opacity=".6"/>`,
};

/** The picture of a product; hidden from screen readers, since the name stands beside it. */
export function pictureOf(id: string): Html {
  const drawn = PICTURES[id] ?? '';
  return new Html(
    `<svg class="art" viewBox="0 0 320 240" aria-hidden="true" focusable="false">${drawn}</svg>`,
  );
}

/** The shop's logo: a kiln's arch with a thread through it. */
export const MARK = new Html(`<svg class="mark" viewBox="0 0 40 40" aria-hidden="true">
<path d="M5 36V20C5 11 12 4 20 4s15 7 15 16v16H26V22a6 6 0 0 0-12 0v14z" fill="#9c3f22"/>
<path d="M2 29c8-7 12 5 18 0s10-7 18 0" fill="none" stroke="#24365f" stroke-width="3"
 stroke-linecap="round"/></svg>`);

/** The same for the browser's tab. */
export const ICON = MARK.text.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
