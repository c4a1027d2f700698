// Request body and record of a tenant's settings: the one place where their wire fields are spelled
// and their values are checked. [G-64]
import { z } from 'zod';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse, type Refusal } from '../../../core/refusal.ts';
import {
  amount,
  currencyCode,
  list,
  name,
  optional,
  strictObject,
  text,
} from '../../../core/schema.ts';
import type { Environment } from '../../context.ts';
import { ADDRESS_MAX, isAddress, isOrigin } from './address.ts';
import { BEARERS, type WalletAlert } from './store.ts';

/** In bytes of the picture. */
export const LOGO_MAX_BYTES = 65_536;
const LOGO_TEXT_MAX = Math.ceil(LOGO_MAX_BYTES / 3) * 4 + 64;
const NAME_MAX = 255;
const PREVIEW_MAX = 255;
const LIST_MAX = 50;
const COLOR = /^#[0-9a-fA-F]{6}$/;

const address = z.string().max(ADDRESS_MAX).meta({ format: 'uri' });
const addresses = (): z.ZodArray<z.ZodString> => list(address).max(LIST_MAX);
/** A CSS colour. */
export const color = z.string().regex(COLOR, 'must be a colour such as #1d4ed8');

/** Balances, in minor units, below which a wallet of the integrator is low; 0: never. */
const thresholds = { currency: currencyCode(), warning: amount() };
const WARNED = `\`wallet-balance-alert\` is sent when a debit takes the tenant's own wallet of a
currency below \`warning\` or \`critical\` minor units; with 0 or without an entry none is sent.`;

/** Body of PATCH: an absent field stays; a list replaces the earlier one. */
export const settingsBody = strictObject({
  name: optional(name(NAME_MAX)),
  registered_origins: optional(addresses()),
  return_addresses: optional(addresses()),
  oauth_return_addresses: optional(addresses()),
  wallet_alerts: optional(
    list(strictObject({ ...thresholds, critical: optional(amount()) })).max(LIST_MAX),
  ).meta({ description: WARNED.replace('\n', ' ') }),
  look: optional(
    strictObject({
      background_color: optional(color),
      primary_color: optional(color),
      logo: optional(z.string().max(LOGO_TEXT_MAX)).meta({
        description: `A data URI of a PNG or JPEG of at most ${LOGO_MAX_BYTES} bytes; "" for none.`,
      }),
      preview_text: optional(text(PREVIEW_MAX)),
    }),
  ),
});
export type SettingsBody = z.output<typeof settingsBody>;

const kept = z.array(z.string());

export const settingsRecord = strictObject({
  name: z.string(),
  registered_origins: kept,
  return_addresses: kept,
  oauth_return_addresses: kept,
  wallet_alerts: z.array(strictObject({ ...thresholds, critical: amount() })),
  look: strictObject({
    background_color: z.string(),
    primary_color: z.string(),
    logo: z.string(),
    preview_text: z.string(),
  }),
});

/** Body and record of who bears lost disputes. [G-93] */
export const disputeSettings = strictObject({
  bearer: z.enum(BEARERS).meta({
    description:
      '`integrator`, the default; or `seller`: a lost dispute becomes a debt of the sellers ' +
      'whom the sale paid, which their next sales repay.',
  }),
});

/** Body and record of what the processor's verification of a seller counts for. [G-92] */
export const payeeSettings = strictObject({
  processor_verifies: z.boolean().meta({
    description:
      'True, the default: a seller whom the card processor has verified for payouts is accepted ' +
      'and not verified again. False: they are verified here, too.',
  }),
});

const ADDRESS = 'must be an absolute URL, such as https://shop.example/return';

/** Throws a Refusal for addresses that may not be registered in this environment. */
export function checkAddresses(body: SettingsBody, env: Environment): void {
  const errors: Record<string, string> = {};
  const look = (
    field: 'registered_origins' | 'return_addresses' | 'oauth_return_addresses',
    sentence: string,
    fits: (entry: string) => boolean,
  ): void => {
    for (const [at, entry] of (body[field] ?? []).entries()) {
      if (!fits(entry)) errors[`${field}[${at}]`] = sentence;
    }
  };
  look('registered_origins', 'must be an origin such as https://shop.example', (entry) =>
    isOrigin(entry, env),
  );
  look('return_addresses', ADDRESS, (entry) => isAddress(entry, env, false));
  look('oauth_return_addresses', ADDRESS, (entry) => isAddress(entry, env, true));
  if (Object.keys(errors).length > 0) throw refuse(inputRefusals.INVALID_FIELD, errors);
}

/**
 * The thresholds to store. Throws a Refusal for a currency that is not enabled or named twice, and
 * for `critical` above `warning`.
 */
export function alertsOf(
  asked: NonNullable<SettingsBody['wallet_alerts']>,
  enabled: { has(currency: string): boolean },
): WalletAlert[] {
  return asked.map(({ currency, warning, critical = 0 }, at) => {
    const wrong = (field: string, sentence: string): Refusal =>
      refuse(inputRefusals.INVALID_FIELD, { [`wallet_alerts[${at}].${field}`]: sentence });
    if (!enabled.has(currency)) throw wrong('currency', 'must be a currency that is enabled');
    const first = asked.findIndex((one) => one.currency === currency);
    if (first < at) throw wrong('currency', `repeats the currency of wallet_alerts[${first}]`);
    if (critical > warning) throw wrong('critical', 'must not exceed warning');
    return { currency, warning, critical };
  });
}
