// A language that nobody speaks: English with accents, longer by two fifths, and in brackets. What
// does not fit shows, and what stands on a page without brackets is in no file.
import type { CompiledMessage } from 'icu-minify/format';
import type { Texts } from '../../src/texts/index.ts';

const OPEN = '⟦';
const CLOSE = '⟧';
const ACCENTS: Readonly<Record<string, string>> = {
  ...{ a: 'á', c: 'ç', e: 'ë', i: 'ï', n: 'ñ', o: 'ø', s: 'š', u: 'ü', y: 'ý' },
  ...{ A: 'Å', E: 'É', O: 'Ö' },
};

function stretched(text: string): string {
  const accented = text.replaceAll(/[aceinosuyAEO]/g, (letter) => ACCENTS[letter] ?? letter);
  const words = text.split(/\s+/).filter((word) => word.length > 3);
  const more = Math.ceil(text.length * 0.4);
  return words.length === 0 ? accented : `${accented}${' lørem'.repeat(Math.ceil(more / 6))}`;
}

/** Every literal of a compiled message; names and keys of branches stay. */
function pseudoOf(node: unknown): unknown {
  if (typeof node === 'string') return stretched(node);
  if (!Array.isArray(node)) return node;
  const [name, kind, options] = node as [unknown, unknown, unknown];
  if (node.length < 2) return node;
  if (typeof name !== 'string') return node.map(pseudoOf);
  if (typeof kind !== 'number') return [name, ...node.slice(1).map(pseudoOf)];
  if (typeof options !== 'object' || options === null) return node;
  const branches = Object.entries(options).map(([branch, inside]) => {
    return [branch, typeof inside === 'string' ? stretched(inside) : partsOf(inside)];
  });
  return [name, kind, Object.fromEntries(branches)];
}

function partsOf(message: unknown): unknown {
  return Array.isArray(message) ? message.map(pseudoOf) : message;
}

/** The texts in the pseudo-language. */
export function pseudo({ about, groups }: Texts): Texts {
  const made = Object.entries(groups).map(([group, messages]) => {
    const said = Object.entries(messages ?? {}).map(([name, message]) => {
      const parts = typeof message === 'string' ? [stretched(message)] : partsOf(message);
      return [name, [OPEN, ...(parts as unknown[]), CLOSE] as CompiledMessage];
    });
    return [group, Object.fromEntries(said)];
  });
  return { about, groups: Object.fromEntries(made) as Texts['groups'] };
}

/** Words of a page that stand in no brackets, without digits and signs; a page's own script. */
export const UNMARKED = `(() => {
  const app = document.querySelector('#app');
  const walker = document.createTreeWalker(app, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element.checkVisibility() || element.closest('option, .money') !== null) continue;
    if (/[A-Za-z]{2}/.test(node.data) && !element.textContent.includes('${OPEN}')) {
      found.push(node.data.trim());
    }
  }
  return found;
})()`;
