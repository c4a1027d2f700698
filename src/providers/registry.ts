// The providers that there are: one row and one folder for each. A folder is loaded where a
// workspace is connected to it, and no file outside of it names it except its row here. [G-90]
import type { ProviderRow } from './port.ts';

export const PROVIDERS: readonly ProviderRow[] = [
  {
    ...{ kind: 'processor', name: 'stripe', holdDays: 90 },
    load: () => import('./stripe/index.ts'),
  },
  {
    kind: 'identity',
    name: 'stripe',
    load: async () => ({ provider: (await import('./stripe/index.ts')).identity }),
  },
];
