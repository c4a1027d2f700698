// The first page of the documentation: what this is, and where to begin; the table of all pages
// follows it.

const CARDS: readonly (readonly [title: string, details: string, link: string])[] = [
  ['The first ten minutes', 'From the start to tests of your own, step by step.', 'ten-minutes'],
  ['The tour', 'Each part of the platform in a few lines.', 'tour'],
  ['One sale', 'The same calls with curl, TypeScript and Python.', 'three-languages'],
  ['Operations', 'Every endpoint, and who may call it.', 'generated/operations'],
  ['Running Holdfast', 'From nothing to a monitored production.', 'operations'],
  ['Going live', 'Where the money lies, and what else it takes.', 'going-live'],
];

/** The head of the page, in the form of VitePress. */
export function landing(about: string): string {
  const data = {
    layout: 'home',
    title: 'Documentation',
    hero: {
      name: 'Holdfast',
      text: 'Payments between your users',
      tagline: `${about}.`,
      actions: [
        { theme: 'brand', text: 'First ten minutes', link: '/ten-minutes' },
        { theme: 'alt', text: 'API reference', link: '/api/index.html', target: '_self' },
        { theme: 'alt', text: 'What works today', link: '/first-page' },
      ],
    },
    features: CARDS.map(([title, details, link]) => ({ title, details, link: `/${link}` })),
  };
  return `---\n${JSON.stringify(data)}\n---\n`;
}
