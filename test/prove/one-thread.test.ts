// The attacks on HTTP again, where it has no thread of its own.
import { threads } from '../http/kit.ts';

threads.thread = false;
for (const name of ['transport', 'socket', 'hosts', 'limits', 'address', 'request-id']) {
  await import(`../http/${name}.test.ts`);
}
