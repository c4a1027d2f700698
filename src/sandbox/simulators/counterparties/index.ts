// The sandbox-counterparties port, joined from the simulators: their scenarios, scripts, records,
// hosted receivers and pages.
import type { SandboxCounterparties } from '../../ports/counterparties.ts';
import {
  endpointOf,
  endReceiver,
  openReceiver,
  WAIT_MS,
  receiversOf,
  requestsOf,
} from '../receiver/index.ts';
import { TEST_PERSONS } from '../vendor/index.ts';
import { book } from './books.ts';
import { counterpartiesAt, type ListUrls } from './list.ts';
import { clear, script, waiting } from './scripts.ts';

export { pages } from './pages.ts';

/** The port, where the sandbox runs. */
export function sandboxCounterparties(urls: ListUrls): SandboxCounterparties {
  return {
    all: counterpartiesAt(urls),
    script,
    waiting,
    clear,
    book,
    persons: new Set(TEST_PERSONS.map(({ name }) => name)),
    receivers: {
      addressOf: (id) => `${urls.processor}/receivers/${id}`,
      patienceAt: (url) => (url.startsWith(`${urls.processor}/receivers/`) ? WAIT_MS : null),
      open: openReceiver,
      list: receiversOf,
      find: endpointOf,
      requests: requestsOf,
      end: endReceiver,
    },
  };
}
