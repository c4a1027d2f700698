// What this module needs from the platform, part by part, so that tests can supply each.
import type { Database } from '../../../db/index.ts';
import type { Random } from '../../../core/random.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import type { Stream } from '../../../outbox/index.ts';
import type { Outbound } from '../../../providers/outbound/port.ts';

/** A part of the domain's services, and the outbound port. */
export interface WebhookServices {
  readonly env: 'staging' | 'production';
  readonly db: Database;
  readonly keys: Keys;
  readonly random: Random;
  readonly outbound: Outbound;
  /** The bytes of sealed events. */
  readonly stream: Pick<Stream, 'bodies'>;
}

/** What sealing a secret needs. */
export type SealingServices = Pick<WebhookServices, 'keys' | 'random'>;
