// The chapter of lists: the newest of each, and a limit that is none.
import { lists as declared } from '../../../src/catalogue.ts';
import type { Walk } from '../walk.ts';

/** What of these is there at a moment is a matter of time: what is asked for is not there. */
const MOMENTARY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ledger_entries: { currency: 'XTS' },
  open_items: { kind: 'parked_charge', currency: 'XTS' },
  mails: { state: 'bounced' },
  unpublished_events: { cursor: `2000-01-31T00:00:00.000000Z~${'00000000-0000-7000-8000-'
    + '000000000000'}~1~00000000-0000-7000-8000-000000000000` },
};

/** Every list. */
export async function lists(walk: Walk): Promise<void> {
  walk.chapter('31-lists');
  for (const { name } of declared) {
    const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    const id = `search${words.join('')}`;
    await walk.ok(id, { query: { limit: 1, ...MOMENTARY[name] } });
    await walk.no(id, { query: { limit: 0 } });
  }
}
