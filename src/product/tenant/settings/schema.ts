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
import { faultOfOwn, fitting, type OwnTexts } from '../../../texts/index.ts';
import type { Environment } from '../../context.ts';
import { ADDRESS_MAX, isAddress, isOrigin } from './address.ts';
import { DISAGREEMENT_OUTCOMES } from './disagreement.ts';
import { BEARERS, type DisputePolicy, type WalletAlert } from './store.ts';

/** In bytes of the picture. */
export const LOGO_MAX_BYTES = 65_536;
const LOGO_TEXT_MAX = Math.ceil(LOGO_MAX_BYTES / 3) * 4 + 64;
const NAME_MAX = 255;
const PREVIEW_MAX = 255;
const LIST_MAX = 50;
const CONTACT_MAX = 255;
/** An e-mail address or a page; nothing that could become another kind of link. */
const CONTACT = /^(?:|[^\s@:/?#&]+@[^\s@:/?#&]+|https:\/\/[^\s@"<>]+)$/;
const COLOR = /^#[0-9a-fA-F]{6}$/;

const address = z.string().max(ADDRESS_MAX).meta({ format: 'uri' });
const addresses = (): z.ZodArray<z.ZodString> => list(address).max(LIST_MAX);
/** A CSS colour. */
export const color = z.string().regex(COLOR, 'must be a colour such as #1d4ed8');

/** Balances, in minor units, below which a wallet of the integrator is low; 0: never. */
const thresholds = { currency: currencyCode(), warning: amount() };
const WARNED = `\`wallet-balance-alert\` is sent when a debit takes the tenant's own wallet of a
currency below \`warning\` or \`critical\` minor units; with 0 or without an entry none is sent.`;

/** Bytes of JSON of all own texts together: pages carry them. */
const TEXTS_MAX = 65_536;
const OWN_TEXT_MAX = 2_000;
const ownTexts = () => z.record(z.string().max(100), z.string().max(OWN_TEXT_MAX));

/** Body of PATCH: an absent field stays; a list replaces the earlier one. */
export const settingsBody = strictObject({
  name: optional(name(NAME_MAX)),
  registered_origins: optional(addresses()),
  return_addresses: optional(addresses()),
  oauth_return_addresses: optional(addresses()),
  wallet_alerts: optional(
    list(strictObject({ ...thresholds, critical: optional(amount()) })).max(LIST_MAX),
  ).meta({ description: WARNED.replace('\n', ' ') }),
  contact: optional(
    z.string().max(CONTACT_MAX).regex(CONTACT, 'must be an e-mail address or an https page'),
  ).meta({
    description: 'How people reach you, on receipts: an e-mail address or an https page; "": none.',
  }),
  language: optional(z.string().max(35)).meta({
    description:
      'In which people are spoken to where neither they nor the link say one, by BCP 47; "", the ' +
      'default: that of their browser.',
    examples: ['pt-BR'],
  }),
  texts: optional(z.record(z.string().max(35), ownTexts())).meta({
    description:
      'What people read in your words, by language and key, in ICU MessageFormat; a language ' +
      'that we do not speak is added. It replaces all that was there.',
    examples: [{ de: { 'checkout.thanks': 'Danke! {shop} weiß Bescheid.' } }],
  }),
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
  contact: z.string(),
  language: z.string(),
  texts: z.record(z.string(), z.record(z.string(), z.string())),
  look: strictObject({
    background_color: z.string(),
    primary_color: z.string(),
    logo: z.string(),
    preview_text: z.string(),
  }),
});

const bearer = z.enum(BEARERS);
const BEARER =
  '`integrator`, the default; or `seller`: what no reserve covers of a lost dispute becomes a ' +
  'debt of the sellers whom the sale paid, which their next sales repay.';
const FEE =
  'Who bears what the processor keeps for a lost dispute: `integrator`, the default, or ' +
  '`seller`, as a part of the loss.';
const PERCENT =
  'The share of what new sales pay each seller that is restricted for `reserve_days`, and covers ' +
  'their lost disputes; 0, the default: none. Set both or neither.';
/** A percentage of a sale, in whole numbers. */
const percent = (): z.ZodInt => z.int().min(0).max(100);
const RESERVE_DAYS_MAX = 180;
const days = (): z.ZodInt => z.int().min(0).max(RESERVE_DAYS_MAX);

/** What becomes of disputes. [G-93] */
export const disputeSettings = strictObject({
  bearer,
  fee_bearer: bearer,
  reserve_percent: percent(),
  reserve_days: days(),
}).meta({ title: 'DisputeSettings' });

/** Body of PUT: an absent field is its default. */
export const disputeSettingsBody = strictObject({
  bearer: bearer.meta({ description: BEARER }),
  fee_bearer: optional(bearer).meta({ description: FEE }),
  reserve_percent: optional(percent()).meta({ description: PERCENT }),
  reserve_days: optional(days()),
});

/** Body and record of what becomes of disagreements. [G-96] */
export const disagreementSettings = strictObject({
  days: z.int().min(1).max(180).meta({ description: 'How long a disagreement may stay open.' }),
  outcome: z.enum(DISAGREEMENT_OUTCOMES).meta({
    description: 'What happens then: all to one side, or `none`, the default: a person decides.',
  }),
}).meta({ title: 'DisagreementSettings' });

/** Body and record of what the processor's verification of a seller counts for. [G-92] */
export const payeeSettings = strictObject({
  processor_verifies: z.boolean().meta({
    description:
      'True, the default: a seller whom the card processor has verified for payouts is accepted ' +
      'and not verified again. False: they are verified here, too.',
  }),
});

/** Body and record of who may read the tenant's coverage. [G-99] */
export const coverageSettings = strictObject({
  published: z.boolean().meta({
    description:
      'True: anybody may read `GET /v1/coverage/{integrator}`, without a token. False, the ' +
      'default: only the tenant reads its coverage.',
  }),
});

/** The policy of a body. Throws a Refusal for a share without days, and days without a share. */
export function policyOf({
  bearer: whole,
  fee_bearer = 'integrator',
  reserve_percent = 0,
  reserve_days = 0,
}: z.output<typeof disputeSettingsBody>): DisputePolicy {
  if ((reserve_percent === 0) !== (reserve_days === 0)) {
    const field = reserve_percent === 0 ? 'reserve_percent' : 'reserve_days';
    throw refuse(inputRefusals.INVALID_FIELD, { [field]: 'must be positive too, or both be 0' });
  }
  return { bearer: whole, fee_bearer, reserve_percent, reserve_days };
}

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

/** Throws a Refusal for texts that cannot be shown, and for a language that nobody speaks. */
export function checkTexts({ language = '', texts = {} }: SettingsBody, own: OwnTexts): void {
  const wrong = faultOfOwn(texts);
  if (wrong !== null) throw refuse(inputRefusals.INVALID_FIELD, wrong);
  if (Buffer.byteLength(JSON.stringify(texts)) > TEXTS_MAX) {
    const texts = `must be at most ${TEXTS_MAX} bytes together`;
    throw refuse(inputRefusals.INVALID_FIELD, { texts });
  }
  if (language !== '' && fitting(language, { ...own, ...texts }) !== language) {
    const language = 'must be a language of ours, or one of `texts`';
    throw refuse(inputRefusals.INVALID_FIELD, { language });
  }
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
