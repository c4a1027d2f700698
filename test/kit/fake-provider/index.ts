// A card processor as the folder of a provider, registered by tests only. It answers from memory,
// except that its check asks the address that it was given.
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { absentPayees } from '../../../src/providers/payees/none.ts';
import { absentProcessor } from '../../../src/providers/processor/none.ts';
import type { ChargeOrder, Notice } from '../../../src/providers/processor/port.ts';
import type { Provider } from '../../../src/providers/port.ts';

const schema = z.strictObject({
  account: z.string().min(1),
  secret_key: z.string().regex(/^sk_(test|live)_[a-z0-9]{8,}$/, 'must be a secret key'),
});

/** Connections that are open now, by account. */
export const open: string[] = [];

/** What it signs a webhook with. */
export function signatureOf(secret: string, body: Buffer | string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

export const provider: Provider<'processor', z.output<typeof schema>> = {
  credentials: schema,
  modeOf: ({ secret_key }) => (secret_key.startsWith('sk_test_') ? 'test' : 'live'),
  connect({ credentials, workspace, baseUrl, noticeUrl }) {
    const { account, secret_key: secret } = credentials;
    open.push(account);
    const money = ({ key, amount, currency }: ChargeOrder) =>
      ({ reference: `${account} ${key}`, amount, currency }) as const;
    return {
      processor: {
        ...absentProcessor,
        authorize: async (order) => ({ state: 'authorized', ...money(order) }),
        capture: async (order) => ({ state: 'captured', ...money(order) }),
        retrieve: async () => ({ state: 'absent' }),
        statement: async () => ({ lines: [], cursor: '', more: false }),
        readNotice({ headers, body }) {
          const bytes = Buffer.from(body);
          if (headers['fake-signature'] !== signatureOf(secret, bytes)) return null;
          const told = JSON.parse(bytes.toString('utf8')) as Omit<Notice, 'workspace'>;
          return { ...told, workspace };
        },
      },
      methodEntry: {
        begin: async ({ kind }) => ({
          id: `${account} ${kind}`,
          url: `${noticeUrl}#entry`,
          origin: new URL(noticeUrl).origin,
          expires: '2999-01-01T00:00:00.000000Z',
        }),
        take: async (_workspace, id) => ({ token: id, brand: 'visa', last4: '4242' }),
      },
      // It keeps no accounts of sellers.
      payees: { ...absentPayees, open: async () => ({ state: 'refused' }) },
      async check() {
        const headers = { authorization: `Bearer ${secret}` };
        const asked = await fetch(`${baseUrl}/account`, { headers }).catch(() => null);
        if (asked === null) return ['It does not answer.'];
        return asked.ok ? [] : ['It does not accept the secret key.'];
      },
      async close() {
        open.splice(open.indexOf(account), 1);
      },
    };
  },
};
