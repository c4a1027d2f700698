// The pages for the developers of a tenant: what its servers are, may and did.
import type { ConsoleApp } from '../routes.ts';
import { clientPages } from './clients.ts';
import { deliveryPages } from './delivery.ts';
import { endpointForms } from './endpoints.ts';
import { limitPages } from './limits.ts';
import { mailPages } from './mails.ts';
import { requestPages } from './requests.ts';
import { settingsPages } from './settings.ts';

/** Registers them. */
export function developerPages(app: ConsoleApp): void {
  clientPages(app);
  settingsPages(app);
  limitPages(app);
  mailPages(app);
  requestPages(app);
  endpointForms(app);
  deliveryPages(app);
}
