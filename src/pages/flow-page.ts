// The HTML page that all flows start from, without inline scripts and styles. Everything put into
// it must go through escapeHtml.

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
  readonly look: {
    readonly background_color: string;
    readonly primary_color: string;
    readonly logo: string;
  };
  readonly dir: 'ltr' | 'rtl';
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
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text made safe between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (found) => ENTITIES[found] as string);
}

export function renderPage({ boot, title, preview, script, style, sentence }: PageContent): string {
  const safe = escapeHtml;
  const previews =
    preview === ''
      ? ''
      : `<meta name="description" content="${safe(preview)}">
<meta property="og:description" content="${safe(preview)}">
`;
  return `<!doctype html>
<html lang="en" dir="${boot.dir}">
<head>
<meta charset="utf-8">
<title>${safe(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta property="og:title" content="${safe(title)}">
<meta property="og:type" content="website">
${previews}<link rel="icon" href="data:,">
<link rel="stylesheet" href="/ui/assets/${safe(style)}">
<script type="module" src="/ui/assets/${safe(script)}"></script>
</head>
<body>
<main id="app" data-boot="${safe(JSON.stringify(boot))}"><p class="sentence">${safe(sentence)}</p>
<noscript><p class="sentence">This page needs JavaScript. Turn it on and load the page again.</p>
</noscript></main>
</body>
</html>
`;
}
