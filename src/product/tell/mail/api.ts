// The settings of mails, which each tenant has. [G-65]
import { z } from 'zod';
import type { Transaction } from '../../../db/index.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse } from '../../../core/refusal.ts';
import { optional, strictObject, text } from '../../../core/schema.ts';
import { actorOf, operation, type DomainOperation } from '../../context.ts';
import { once } from '../../idempotent/index.ts';
import { isAddress } from '../../people/account/index.ts';
import { mailSettings, setMailSettings } from '../../tenant/settings/index.ts';
import { audit } from '../audit/index.ts';
import { skipTold } from './plan.ts';
import { refusals } from './refusals.ts';

const NAME_MAX = 80;
const ADDRESS_MAX = 320;

const settings = strictObject({
  enabled: z.boolean().meta({
    description: 'In production it can be true where the installation has a mail server.',
  }),
  from_name: z.string(),
  reply_to: z.string(),
}).meta({ title: 'MailSettings' });

const settingsBody = strictObject({
  enabled: z.boolean(),
  from_name: optional(text(NAME_MAX)).meta({
    description: "The sender as people read it; absent: the tenant's name.",
  }),
  reply_to: optional(text(ADDRESS_MAX)).meta({
    description: 'Where answers go, and how receipts say that the tenant is reached.',
    examples: ['help@shop.example'],
  }),
});

const common = {
  cites: 'G-65',
  access: { client: 'write_settings' },
  answers: { 200: settings },
} as const;

const get = operation({
  ...common,
  id: 'getMailSettings',
  route: 'GET invoicing /v1/settings/mail',
  summary: "Retrieves whether the tenant's people are sent mails, and by whom.",
  async run({ db, env }, { caller: { workspace } }) {
    return { status: 200, payload: await mailSettings(db, workspace, env) };
  },
});

const change = operation({
  ...common,
  id: 'changeMailSettings',
  route: 'PUT invoicing /v1/settings/mail',
  summary: "Sets whether the tenant's people are sent mails from now on, and by whom.",
  body: settingsBody,
  refusals: [refusals.MAIL_NOT_CONFIGURED, inputRefusals.INVALID_FIELD],
  async run(services, { caller, body, idempotency }) {
    const { workspace } = caller;
    const { enabled, from_name = '', reply_to = '' } = body;
    if (reply_to !== '' && !isAddress(reply_to)) {
      throw refuse(inputRefusals.INVALID_FIELD, { reply_to: 'must be a mail address' });
    }
    if (enabled && services.mail === null) throw refuse(refusals.MAIL_NOT_CONFIGURED);
    const payload = { enabled, from_name, reply_to };
    return once(services.db, workspace, idempotency, async (tx: Transaction) => {
      const before = await mailSettings(tx, workspace, services.env);
      if (enabled && !before.enabled) await skipTold(tx, workspace);
      const version = await setMailSettings(tx, workspace, payload);
      const detail = { version, fields: `mail_enabled:${enabled}` };
      const actor = actorOf(caller);
      await audit(tx, { workspace, actor, act: 'tenant_settings_changed', detail });
      return { status: 200, payload };
    });
  },
});

export const operations: readonly DomainOperation[] = [get, change];
