// A site in React that shows the checkout of docs/widget.md, bundled from a project of others with
// the packed `@holdfast/widget`.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { docPieces } from '../client/kit.ts';

/** The page about the widget, with the addresses of an installation. */
export function checkoutOfThePage(widget: string): string {
  const [piece = ''] = docPieces('widget', 'tsx');
  return piece.replaceAll('{widget_url}', widget);
}

/** What the tests steer, and see: all in `window`. */
const MAIN = `
import { StrictMode, useState, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { HoldfastFlow } from '@holdfast/widget/react';
import type { WidgetScript } from '@holdfast/widget';
import { Checkout } from './checkout.js';

interface Wish { redirect: string; script?: WidgetScript }
declare global {
  interface Window { said: unknown[]; show: (wish: Wish | null) => void; again: () => void }
}
window.said = [];

function Page(): ReactElement | null {
  const [wish, show] = useState<Wish | null>(null);
  const [count, setCount] = useState(0);
  window.show = show;
  window.again = () => setCount(count + 1);
  if (wish === null) return null;
  const { redirect, script } = wish;
  if (script === undefined) {
    return <Checkout redirect={redirect} onPaid={() => window.said.push(['paid', count])} />;
  }
  return (
    <HoldfastFlow
      script={script}
      flow="tos"
      redirect={{ url: redirect }}
      theme={{ primaryColor: '#0a7' }}
      className="flow"
      onComplete={({ state }) => window.said.push(['complete', state])}
      onError={({ code }) => window.said.push(['error', code])}
      onReady={({ source }) => window.said.push(['ready', source])}
    />
  );
}
createRoot(document.getElementById('app') as HTMLElement).render(<StrictMode><Page /></StrictMode>);
`;

/** Writes the site's sources into the project, in which React is installed. */
export function writeReactPage(project: string, widget: string): void {
  writeFileSync(join(project, 'checkout.tsx'), checkoutOfThePage(widget));
  writeFileSync(join(project, 'main.tsx'), MAIN);
}

/** Bundles the site in its development mode, which mounts everything twice, and serves it. */
export async function serveReactPage(
  project: string,
): Promise<{ readonly origin: string; stop(): Promise<void> }> {
  const { outputFiles } = await build({
    ...{ absWorkingDir: project, entryPoints: ['main.tsx'], bundle: true, write: false },
    ...{ jsx: 'automatic', define: { 'process.env.NODE_ENV': '"development"' } },
    logLevel: 'silent',
  });
  const script = outputFiles[0]?.text ?? '';
  const page =
    '<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">' +
    '<h1>Shop</h1><div id="app"></div><script src="/main.js"></script></html>';
  const server = createServer((request, response) => {
    const wanted = request.url === '/main.js';
    const type = wanted ? 'text/javascript' : 'text/html; charset=utf-8';
    response.writeHead(200, { 'content-type': type });
    response.end(wanted ? script : page);
  });
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
