// What VitePress is told: its own theme and search, navigation from the list of pages, and nothing
// that asks another host. All of it is data, which is written beside the pages.
import type { DefaultTheme, UserConfig } from 'vitepress';
import { SITE_PATH } from '../../src/pages/site.ts';
import { placeOf, type Listed, type Section } from './list.ts';

/** The configuration for a list of pages. */
export function configOf(
  list: readonly Section[],
  about: string,
): UserConfig<DefaultTheme.Config> {
  return {
    base: SITE_PATH,
    lang: 'en',
    title: 'Holdfast',
    description: about,
    srcExclude: ['public/**'],
    // A page in two builds of one commit is the same to the byte.
    metaChunk: true,
    buildConcurrency: 1,
    head: [['link', { rel: 'icon', href: 'data:,' }]],
    markdown: { html: false },
    vite: { build: { chunkSizeWarningLimit: 2_000 }, logLevel: 'warn' },
    themeConfig: {
      nav: [
        { text: 'First ten minutes', link: '/ten-minutes' },
        { text: 'API reference', link: '/api/index.html', target: '_self' },
        { text: 'Changelog', link: '/changelog' },
      ],
      sidebar: list.map(({ title, pages }, at) => ({
        text: title,
        collapsed: at > 1,
        items: pages.map(sidebarItem),
      })),
      outline: [2, 3],
      search: { provider: 'local' },
      externalLinkIcon: true,
    },
  };
}

function sidebarItem({ title, source, inside }: Listed): DefaultTheme.SidebarItem {
  const place = placeOf(source) as string;
  if (source.endsWith('.md')) return { text: title, link: `/${place.replace(/\.md$/, '')}` };
  // The generator leaves links to files that are no pages as they are, without the base.
  if (inside.length === 0) return { text: title, link: SITE_PATH + place, target: '_self' };
  const folder = { text: title, link: `/${place}/` };
  const pages = inside.filter((one) => one.source.endsWith('.md'));
  if (pages.length === 0) return folder;
  return { ...folder, collapsed: true, items: pages.map(sidebarItem) };
}
