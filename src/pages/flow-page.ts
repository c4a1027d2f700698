// The page that all flows start from, without inline scripts and styles.
import { html, pageText } from '../markup/html.ts';
import { textFileName, type OfferedLanguage } from './text-files.ts';

/** What the page's script is told; widget/flows/flow.ts has the same fields. */
export interface Boot {
  readonly word: string;
  readonly env: 'staging' | 'production';
  readonly link: 'unused' | 'used' | 'expired' | 'unknown';
  readonly handle: string;
  readonly flow: string | null;
  readonly flow_query: string | null;
  readonly integrator_name: string;
  readonly frame_origins: readonly string[];
  readonly return_url: string | null;
  readonly home: string | null;
  readonly contact: string;
  readonly mails: string | null;
  readonly look: {
    readonly background_color: string;
    readonly primary_color: string;
    readonly logo: string;
  };
  readonly dir: 'ltr' | 'rtl';
  /** True where the link says in which direction it is read, whatever the language. */
  readonly dir_fixed: boolean;
  /** The language chosen here, one of `languages`. */
  readonly language: string;
  readonly languages: readonly OfferedLanguage[];
  /** Said where the texts do not load. */
  readonly failed: string;
}

/** One page. */
export interface PageContent {
  readonly boot: Boot;
  /** No personal data: titles show in histories and on screens. */
  readonly title: string;
  /** For link previews; '' for none. */
  readonly preview: string;
  /** Name of the asset. */
  readonly script: string;
  readonly style: string;
  /** Shown until the script renders; tells what to do if a link cannot be opened. */
  readonly sentence: string;
  /** For whoever has no script. */
  readonly noScript: string;
}

/** The page as text. */
export function renderPage(content: PageContent): string {
  const { boot, title, preview, script, style, sentence, noScript } = content;
  const previews =
    preview !== '' &&
    html`<meta name="description" content="${preview}">
<meta property="og:description" content="${preview}">
`;
  const head = html`<meta property="og:title" content="${title}">
<meta property="og:type" content="website">
${previews}<link rel="stylesheet" href="/ui/assets/${style}">
<link rel="preload" as="fetch" crossorigin href="/ui/assets/${textsName(boot)}">
<script type="module" src="/ui/assets/${script}"></script>`;
  const body = html`<main id="app" data-boot="${JSON.stringify(boot)}">
<p class="sentence">${sentence}</p>
<noscript><p class="sentence">${noScript}</p>
</noscript></main>`;
  return pageText({ title, lang: boot.language, dir: boot.dir, head, body });
}

/** The texts that the page begins with. */
function textsName({ flow, flow_query, language, languages }: Boot): string {
  const { file } = languages.find(({ tag }) => tag === language) ?? { file: '' };
  return textFileName(flow ?? flow_query, file);
}
