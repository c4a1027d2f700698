// What the catalogue lists of this module.
import { providerRefusals } from '../../../providers/port.ts';
import type { Module } from '../../context.ts';
import { wrappedCredentialKeys } from './store.ts';

export const module: Module = {
  name: 'tenant/provider',
  refusals: providerRefusals,
  wrapped: wrappedCredentialKeys,
};
