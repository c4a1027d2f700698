// Reads and writes a tenant's settings. A tenant that has set nothing has defaults for all of them.
import { prepared, sql, type Queryable } from '../../../db/index.ts';
import type { OwnTexts } from '../../../texts/index.ts';

/** How pages look. */
export interface Look {
  /** `#rrggbb`. */
  readonly background_color: string;
  /** `#rrggbb`. */
  readonly primary_color: string;
  /** A data URI of a picture; '' for none. */
  readonly logo: string;
  /** The text in link previews. */
  readonly preview_text: string;
}

/** Balances, in minor units, below which a wallet of the tenant is low; 0: never. [G-61] */
export interface WalletAlert {
  readonly currency: string;
  readonly warning: number;
  /** At most `warning`. */
  readonly critical: number;
}

/** What a tenant says about itself. [G-64] */
export interface TenantSettings {
  /** As people read it. */
  readonly name: string;
  readonly registered_origins: readonly string[];
  readonly return_addresses: readonly string[];
  readonly oauth_return_addresses: readonly string[];
  readonly wallet_alerts: readonly WalletAlert[];
  /** How people reach the tenant: an e-mail address or an https page; '' if it has not said. */
  readonly contact: string;
  /** Where neither person nor link says one, by BCP 47; '': that of the browser. */
  readonly language: string;
  /** What it says in its own words. */
  readonly texts: OwnTexts;
  readonly look: Look;
}

/** Settings to change; absent ones stay. */
export interface SettingsChange {
  readonly name?: string | undefined;
  readonly registered_origins?: readonly string[] | undefined;
  readonly return_addresses?: readonly string[] | undefined;
  readonly oauth_return_addresses?: readonly string[] | undefined;
  readonly wallet_alerts?: readonly WalletAlert[] | undefined;
  readonly contact?: string | undefined;
  readonly language?: string | undefined;
  readonly texts?: OwnTexts | undefined;
  readonly look?: { readonly [K in keyof Look]?: string | undefined } | undefined;
}

/** Who bears a lost dispute. [G-93] */
export const BEARERS = ['integrator', 'seller'] as const;
export type Bearer = (typeof BEARERS)[number];

/** What becomes of disputes. */
export interface DisputePolicy {
  /** Of what no reserve covers. */
  readonly bearer: Bearer;
  readonly fee_bearer: Bearer;
  /** Of what a sale pays its sellers; 0 with `reserve_days` 0: nothing. */
  readonly reserve_percent: number;
  readonly reserve_days: number;
}

const NO_POLICY: DisputePolicy = {
  bearer: 'integrator',
  fee_bearer: 'integrator',
  reserve_percent: 0,
  reserve_days: 0,
};

/** The policy for disputes that are opened, and sales that are created, from now on. */
export async function disputePolicy(db: Queryable, workspace: number): Promise<DisputePolicy> {
  const [row] = await db.query<DisputePolicy>(prepared('dispute_policy')`
    select dispute_bearer as bearer, dispute_fee_bearer as fee_bearer, reserve_percent,
      reserve_days
    from tenant_setting where workspace = ${workspace}`);
  return row ?? NO_POLICY;
}

/** Sets the policy; gives the number of changes of the settings so far. */
export async function setDisputePolicy(
  tx: Queryable,
  workspace: number,
  { bearer, fee_bearer, reserve_percent, reserve_days }: DisputePolicy,
): Promise<number> {
  const version = await changeSettings(tx, workspace, {});
  await tx.query(sql`
    update tenant_setting set dispute_bearer = ${bearer}, dispute_fee_bearer = ${fee_bearer},
      reserve_percent = ${reserve_percent}, reserve_days = ${reserve_days}
    where workspace = ${workspace}`);
  return version;
}

/** True where a seller whom the processor has verified is not verified again; the default. */
export async function verifiedByProcessor(db: Queryable, workspace: number): Promise<boolean> {
  const [row] = await db.query<{ processor_verifies: boolean }>(prepared('processor_verifies')`
    select processor_verifies from tenant_setting where workspace = ${workspace}`);
  return row?.processor_verifies ?? true;
}

/** Sets it; gives the number of changes of the settings so far. */
export async function setVerifiedByProcessor(
  tx: Queryable,
  workspace: number,
  verifies: boolean,
): Promise<number> {
  const version = await changeSettings(tx, workspace, {});
  await tx.query(sql`
    update tenant_setting set processor_verifies = ${verifies} where workspace = ${workspace}`);
  return version;
}

/** True where anybody may read the tenant's coverage; by default only the tenant. [G-99] */
export async function coverageIsPublished(db: Queryable, workspace: number): Promise<boolean> {
  const [row] = await db.query<{ coverage_published: boolean }>(prepared('coverage_published')`
    select coverage_published from tenant_setting where workspace = ${workspace}`);
  return row?.coverage_published ?? false;
}

/** Sets it; gives the number of changes of the settings so far. */
export async function publishCoverage(
  tx: Queryable,
  workspace: number,
  published: boolean,
): Promise<number> {
  const version = await changeSettings(tx, workspace, {});
  await tx.query(sql`
    update tenant_setting set coverage_published = ${published} where workspace = ${workspace}`);
  return version;
}

/** Whether and as whom a tenant's people are sent mails. [G-65] */
export interface MailSettings {
  readonly enabled: boolean;
  /** '': the tenant's name. */
  readonly from_name: string;
  /** '': none. */
  readonly reply_to: string;
}

/** The settings of mails; by default a sandbox sends them and production does not. */
export async function mailSettings(
  db: Queryable,
  workspace: number,
  env: 'staging' | 'production',
): Promise<MailSettings> {
  const [row] = await db.query<MailSettings>(prepared('mail_settings')`
    select coalesce(mail_enabled, ${env === 'staging'}) as enabled, mail_from_name as from_name,
      mail_reply_to as reply_to
    from tenant_setting where workspace = ${workspace}`);
  return row ?? { enabled: env === 'staging', from_name: '', reply_to: '' };
}

/** Sets them; gives the number of changes of the settings so far. */
export async function setMailSettings(
  tx: Queryable,
  workspace: number,
  { enabled, from_name, reply_to }: MailSettings,
): Promise<number> {
  const version = await changeSettings(tx, workspace, {});
  await tx.query(sql`
    update tenant_setting set mail_enabled = ${enabled}, mail_from_name = ${from_name},
      mail_reply_to = ${reply_to}
    where workspace = ${workspace}`);
  return version;
}

const BACKGROUND = '#ffffff';
const PRIMARY = '#1d4ed8';

/** The settings of a workspace's tenant. */
export async function settingsOf(db: Queryable, workspace: number): Promise<TenantSettings> {
  type Plain = Omit<TenantSettings, 'look' | 'wallet_alerts' | 'texts'>;
  type Row = Plain & Look & { readonly alerts: string; readonly own: string };
  const [row] = await db.query<Row>(prepared('settings_of')`select coalesce(s.name, t.name) as name,
      coalesce(s.registered_origins, '{}') as registered_origins,
      coalesce(s.return_addresses, '{}') as return_addresses,
      coalesce(s.oauth_return_addresses, '{}') as oauth_return_addresses,
      coalesce(s.wallet_alerts, '[]') as alerts, coalesce(s.contact, '') as contact,
      coalesce(s.language, '') as language, coalesce(s.texts, '{}') as own,
      coalesce(s.background_color, ${BACKGROUND}) as background_color,
      coalesce(s.primary_color, ${PRIMARY}) as primary_color,
      coalesce(s.logo, '') as logo, coalesce(s.preview_text, '') as preview_text
    from workspace w join tenant t on t.integrator = w.integrator
      left join tenant_setting s on s.workspace = w.workspace
    where w.workspace = ${workspace}`);
  if (row === undefined) throw new Error('a workspace of a verified token does not exist');
  const { alerts, own, background_color, primary_color, logo, preview_text, ...rest } = row;
  const wallet_alerts = JSON.parse(alerts) as WalletAlert[];
  const texts = JSON.parse(own) as OwnTexts;
  const look = { background_color, primary_color, logo, preview_text };
  return { ...rest, wallet_alerts, texts, look };
}

/** Changes settings; gives the number of changes so far. */
export async function changeSettings(
  tx: Queryable,
  workspace: number,
  change: SettingsChange,
): Promise<number> {
  const { look = {} } = change;
  const [row] = await tx.query<{ version: number }>({
    text: `insert into tenant_setting as s (workspace, name, registered_origins, return_addresses,
        oauth_return_addresses, background_color, primary_color, logo, preview_text,
        wallet_alerts, contact, language, texts, version, updated)
      select workspace, $2, coalesce($3::text[], '{}'), coalesce($4::text[], '{}'),
        coalesce($5::text[], '{}'), $6, $7, coalesce($8, ''), coalesce($9, ''),
        coalesce($10::jsonb, '[]'), coalesce($11, ''), coalesce($12, ''),
        coalesce($13::jsonb, '{}'), 1, $now + clock_offset from workspace
        where workspace = $1
      on conflict (workspace) do update set name = coalesce($2, s.name),
        registered_origins = coalesce($3::text[], s.registered_origins),
        return_addresses = coalesce($4::text[], s.return_addresses),
        oauth_return_addresses = coalesce($5::text[], s.oauth_return_addresses),
        background_color = coalesce($6, s.background_color),
        primary_color = coalesce($7, s.primary_color), logo = coalesce($8, s.logo),
        preview_text = coalesce($9, s.preview_text),
        wallet_alerts = coalesce($10::jsonb, s.wallet_alerts),
        contact = coalesce($11, s.contact), language = coalesce($12, s.language),
        texts = coalesce($13::jsonb, s.texts), version = s.version + 1, updated = excluded.updated
      returning version`,
    values: [
      workspace,
      change.name ?? null,
      change.registered_origins ?? null,
      change.return_addresses ?? null,
      change.oauth_return_addresses ?? null,
      look.background_color ?? null,
      look.primary_color ?? null,
      look.logo ?? null,
      look.preview_text ?? null,
      change.wallet_alerts === undefined ? null : JSON.stringify(change.wallet_alerts),
      change.contact ?? null,
      change.language ?? null,
      change.texts === undefined ? null : JSON.stringify(change.texts),
    ],
  });
  if (row === undefined) throw new Error('settings were not written');
  return row.version;
}
