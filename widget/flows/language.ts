// Which language the page speaks, and the loading of its texts: before anything is drawn, and again
// when the person chooses another.
import type { Texts } from '../../texts/say.ts';
import type { Boot } from './flow.ts';
import { setTexts, textOf } from './texts.ts';

const KEPT = 'holdfast-language';
let spoken = { tag: '', flow: '' };

/** The language that the person chose in this browser, else that of the link or the browser. */
export function startLanguage({ language, languages }: Boot): string {
  try {
    const kept = localStorage.getItem(KEPT);
    if (languages.some(({ tag }) => tag === kept)) return kept as string;
  } catch {
    // Nothing is stored.
  }
  return language;
}

/** Remembers the person's choice. */
export function keepLanguage(tag: string): void {
  try {
    localStorage.setItem(KEPT, tag);
  } catch {
    // It is chosen for this page alone.
  }
}

/** The language of the page. */
export function pageLanguage(): string {
  return spoken.tag;
}

/** The texts of a file with a tenant's own. */
function mixed(file: Texts, own: Texts | undefined): Texts {
  if (own === undefined) return file;
  const groups = { ...file.groups };
  for (const [group, messages] of Object.entries(own.groups)) {
    groups[group] = { ...groups[group], ...messages };
  }
  return { about: own.about, groups };
}

/**
 * Speaks a language from now on; loads what a flow says in it. A flow that is not known yet has the
 * texts of every page. The page is named in it. Throws if they cannot be loaded.
 */
export async function speak(boot: Boot, tag: string, flow: string | null): Promise<void> {
  const wanted = { tag, flow: flow ?? 'page' };
  if (wanted.tag === spoken.tag && wanted.flow === spoken.flow) return;
  const { file = '', own } = boot.languages.find((one) => one.tag === tag) ?? {};
  const answer = await fetch(`/ui/assets/texts-${wanted.flow}-${file}.json`);
  if (!answer.ok) throw new Error(`the texts answered ${answer.status}`);
  const loaded = mixed((await answer.json()) as Texts, own);
  setTexts(loaded);
  spoken = wanted;
  const page = document.documentElement;
  page.lang = tag;
  const named = textOf('title', flow === null ? 'link' : flow.replace('-', '_'));
  document.title = [named, boot.integrator_name].filter(Boolean).join(' · ');
  if (!boot.dir_fixed) page.dir = loaded.about.direction;
}
