// Every page of the processor host.
import type { FastifyInstance } from 'fastify';
import { challengePages } from './challenge-page.ts';
import type { SandboxProcessorServices } from './endpoint.ts';
import { entryPages } from './entry-page.ts';
import { serveAssets } from './page.ts';

/** Registers the pages and what they load. */
export function pages(app: FastifyInstance, services: SandboxProcessorServices): void {
  serveAssets(app);
  entryPages(app, services);
  challengePages(app, services);
}
