// A delivery loop in a process of its own, to be killed by a test. Takes the database's URL and the
// master key from its environment; ends with its parent.
import { outboundHttp } from '../../src/providers/outbound/http.ts';
import { Database } from '../../src/db/index.ts';
import { deliveryLoop } from '../../src/product/tell/webhook/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { Records, Stream } from '../../src/outbox/index.ts';
import { memoryKeys, signToken } from './scene.ts';

const db = new Database({ url: process.env['LOOP_DATABASE_URL'] ?? '', max: 2 });
const keys = memoryKeys(Buffer.from(process.env['LOOP_MASTER'] ?? '', 'hex'));
const outbound = outboundHttp({ env: 'staging' });
const stream = new Stream(db, new Records([]), 'staging');
deliveryLoop(
  { env: 'staging', db, keys, random: systemRandom, outbound, stream },
  { signToken, timeoutMs: 400, leaseMs: 1000, pollMs: 20 },
);
process.on('disconnect', () => process.exit(0));
