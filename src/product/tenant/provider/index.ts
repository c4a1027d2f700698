// The connections of tenants to their providers. What a provider does is behind the ports.
export {
  addressesFor,
  connectionNamed,
  connectionsOf,
  connectProvider,
  disconnectProvider,
  noticeUrl,
} from './store.ts';
export type { NewConnection } from './store.ts';
export { standing, standingLines } from './standing.ts';
