// The books, and what programs read of lifecycles and codes.
import type { Walk } from '../walk.ts';
import { NOBODY } from './cast.ts';

export async function books(walk: Walk): Promise<void> {
  walk.chapter('30-books');
  await walk.ok('listLifecycles');
  await walk.ok('listErrors');
  await walk.ok('getCoverageSettings');
  await walk.ok('getCoverage');
  const at = { integrator: walk.api.ready.integrator };
  await walk.no('getPublishedCoverage', { at, token: null });
  await walk.no('getPublishedCoverage', { at: { integrator: NOBODY.id }, token: null });
  await walk.ok('changeCoverageSettings', { body: { published: true } });
  await walk.ok('getPublishedCoverage', { at, token: null });
  await walk.no('changeCoverageSettings', { body: { published: 'yes' } });
}
