// What the endpoints of the processor simulator have in common.
import { z } from 'zod';
import { endpointsOf, publicEndpointsOf, type BookServices } from '../store/endpoint.ts';
import { chargeKey } from './protocol.ts';
import { refusals } from './refusals.ts';

/** What the processor host runs on; the composition root supplies it. */
export interface SandboxProcessorServices extends BookServices {
  /** Base URLs of the host itself, and of those whose pages frame its pages. */
  readonly urls: Readonly<Record<'processor' | 'widget' | 'hosted', string>>;
  /** Origins of the merchant's own pages, around the page that frames ours; for CSP. */
  framesOf(workspace: number): Promise<readonly string[]>;
}

export const KEY_PARAMS = z.strictObject({ key: chargeKey });

type Services = SandboxProcessorServices;

/** An endpoint for a merchant. */
export const endpoint = endpointsOf<Services>(
  'G-39',
  'processor',
  refusals.PROCESSOR_KEY_INVALID,
);
/** An endpoint for a person's browser. */
export const publicEndpoint = publicEndpointsOf<Services>('G-39');
