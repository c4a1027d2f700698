// What the endpoints of the processor simulator have in common.
import type { Keys } from '../../../providers/keys/port.ts';
import { bookKey } from '../store/access.ts';
import { endpointsOf, type BookServices } from '../store/endpoint.ts';
import { refusals } from './refusals.ts';

/** What the processor host runs on; the composition root supplies it. */
export interface SandboxProcessorServices extends BookServices {
  /** Base URLs of the host itself, and of those whose pages frame its pages. */
  readonly urls: Readonly<Record<'processor' | 'widget' | 'hosted', string>>;
  /** Origins of the merchant's own pages, around the page that frames ours; for CSP. */
  framesOf(workspace: number): Promise<readonly string[]>;
}

/** A workspace's merchant key at the simulator: `<workspace number>_<64 hex digits>`. A secret. */
export function processorKey(keys: Keys, workspace: number): string {
  return bookKey(keys, 'processor', workspace);
}

/** Declares endpoints for merchants, and for people's browsers. */
export const { publicEndpoint, endpoint, call } = endpointsOf<SandboxProcessorServices>(
  'processor',
  'G-39',
  refusals.PROCESSOR_KEY_INVALID,
);
