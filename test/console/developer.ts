// A platform with a developer, a reader and a second tenant, for the pages of developers.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createOperator, type Role } from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { signedIn, type Browser, type Page } from './kit.ts';

/** Who works at the console of a platform. */
export class Desk {
  readonly platform: Platform;

  constructor(platform: Platform) {
    this.platform = platform;
  }

  static async open(env: 'staging' | 'production' = 'staging'): Promise<Desk> {
    // Tests try many wrong secrets.
    const settings = { HOLDFAST_ACCESS_LOG: '1', HOLDFAST_ADDRESS_GUESSES: '1000' };
    return new Desk(await startPlatform({ env, settings }));
  }

  /** Somebody with a role, signed in. */
  async hire(username: string, role: Role, workspaces: 'all' | number[] = 'all'): Promise<Browser> {
    const { db, keys, ready } = this.platform;
    const wish = { name: username, username, roles: [role], mustChange: false, workspaces };
    const made = await createOperator({ db, keys, random: systemRandom }, wish, 'operator');
    return signedIn(ready.urls.console, made);
  }

  /** The acts of operators on a subject, oldest first. */
  async acts(subject: string): Promise<string[]> {
    const rows = await this.platform.db.query<{ act: string }>({
      text: `select act from audit_entry where subject = $1 and actor like 'operator:%'
        order by at`,
      values: [subject],
    });
    return rows.map(({ act }) => act);
  }

  /** The tables that have a text in a row, and the log, if that has it. */
  async keeps(text: string): Promise<string[]> {
    const tables = await this.platform.db.query<{ name: string }>({
      text: `select tablename as name from pg_tables where schemaname = 'public'`,
    });
    assert.match(this.platform.log(), /"event":"request"/);
    const found = this.platform.log().includes(text) ? ['the log'] : [];
    for (const { name } of tables) {
      const rows = await this.platform.db.query({
        text: `select from ${name} t where strpos(t::text, $1) > 0 limit 1`,
        values: [text],
      });
      if (rows.length > 0) found.push(name);
    }
    return found;
  }
}

/** A form as a page of the sandbox's tenant has it: with a name under which it acts once. */
export const sends = (
  { ready }: Platform,
  browser: Browser,
  to: string,
  fields: Record<string, string> = {},
): Promise<Page> =>
  browser.post(to, { once: randomUUID(), of: ready.integrator, ...fields });

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" } as const;

/** Markup as people read it. */
export const plain = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name]);

/** What stands in the `code` after a label of a list. */
export function shownFor(text: string, label: string): string {
  const found = new RegExp(`<dt>${label}</dt><dd><(?:code|span)[^>]*>([^<]*)<`).exec(text);
  return plain(found?.[1] ?? '');
}
