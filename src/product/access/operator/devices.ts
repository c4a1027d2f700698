// From which browsers an operator signs in. A browser is known by a cookie that allows nothing; of
// it a keyed hash is stored. A session in one that was not used before is told by mail.
import { purposeOf } from '../../../core/labels.ts';
import { raw, sql, type Transaction } from '../../../db/index.ts';
import { queueMail } from './mails.ts';
import type { MailingServices, OperatorServices } from './sealed.ts';
import { beginSession } from './sessions.ts';

/** Who came to sign in, as far as the request tells. */
export interface Came {
  /** What the browser's cookie holds; null for none. */
  readonly device: string | null;
  /** Such as `Firefox on Linux`. */
  readonly browser: string;
  /** The network of the address, such as `198.51.100.0/24`. */
  readonly place: string;
}

/** A session that began: the tokens for the browser's two cookies. */
export interface Begun {
  readonly token: string;
  readonly device: string;
}

/** Browsers that are remembered of an operator. */
const MOST_DEVICES = 50;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Begins a session, and queues a mail where the browser is new. [G-98] */
export async function beginSessionFrom(
  tx: Transaction,
  services: MailingServices,
  operatorId: string,
  came: Came | undefined,
): Promise<Begun> {
  if (came === undefined) {
    return { token: await beginSession(tx, services.random, operatorId), device: '' };
  }
  const { device, browser, place } = came;
  const known = device !== null && TOKEN.test(device);
  const token = known ? device : services.random.bytes(32).toString('base64url');
  const [row] = await tx.query<{ fresh: boolean }>(sql`
    insert into operator_device as d (operator_id, device_key) values (${operatorId},
      ${deviceKey(services, operatorId, token)})
    on conflict (operator_id, device_key) do update set seen = $now
    returning d.xmax = 0 as fresh`);
  if (row?.fresh === true) {
    await tx.execute(sql`
      delete from operator_device where operator_id = ${operatorId} and device_key in (
      select device_key from operator_device where operator_id = $1
      order by seen desc, device_key offset ${raw(MOST_DEVICES)})`);
    await queueMail(tx, services, operatorId, 'signed_in', { browser, place });
  }
  return { token: await beginSession(tx, services.random, operatorId), device: token };
}

/** The operator as part of it: two who share a browser have nothing in common in the table. */
function deviceKey({ keys }: Pick<OperatorServices, 'keys'>, id: string, token: string): string {
  return keys.mac(purposeOf('operatorDevice'), `${id}:${token}`);
}
