// Operations by which a person adds, renames and removes cards and bank accounts. A card's number
// is typed on the processor's page and never comes here. [G-47, PD4]
import { z } from 'zod';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { isUuid, WIRE_ID_MAX } from '../../../core/ids.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { name, optional, reference, strictObject } from '../../../core/schema.ts';
import { invoiceTime } from '../../../core/time.ts';
import {
  ENTRY_KINDS,
  type BegunEntry,
  type EnteredToken,
} from '../../../providers/method-entry/port.ts';
import { providerRefusals, requireProcessor } from '../../../providers/port.ts';
import {
  accountNotFoundInBody,
  accountUuid,
  languageOf,
  refusals as account,
} from '../../people/account/index.ts';
import { operation, submit, type DomainOperation, type Services } from '../../context.ts';
import { keptAnswer, onceSealed } from '../../idempotent/index.ts';
import { addressAllowed, color, frameOrigins, settingsOf } from '../../tenant/settings/index.ts';
import type { TenantSettings } from '../../tenant/settings/index.ts';
import { refusals as terms, requireSignedTerms } from '../../people/terms/index.ts';
import { entryOf, keepEntry, requirePlace } from './entry.ts';
import { shownCurrency } from './method.ts';
import { attachEntered, removeMethod, renameMethod, type MethodChange } from './method-change.ts';
import { refusals } from './refusals.ts';
import { paymentMethodRecord } from './schema.ts';

/** Longest name of a payment method, in characters. */
const NAME_MAX = 64;
const ADDRESS_MAX = 2_048;
/** Seconds for which a repetition gets the page's address again; the page is valid as long. */
const ADDRESS_SECONDS = 1_200;

const session = { session: 'write_payment_method' } as const;
const sessionOrClient = { ...session, client: 'write_payment_method' } as const;

const entryBody = strictObject({
  kind: z.enum(ENTRY_KINDS),
  return_url: optional(reference(ADDRESS_MAX)).meta({
    description: 'For a login (`paypal`) only: the URL to return to; `entry_id` is added.',
  }),
  page: optional(z.enum(['widget', 'hosted'])).meta({
    description: 'The page that frames the entry; by default the widget.',
  }),
  dir: optional(z.enum(['ltr', 'rtl'])),
  background_color: optional(color).meta({
    description: "Background color of the surrounding page; by default the tenant's.",
  }),
  primary_color: optional(color),
});
type EntryBody = z.output<typeof entryBody>;

const entryRecord = strictObject({
  entry_id: z.string(),
  kind: z.enum(ENTRY_KINDS),
  url: z.string(),
  origin: z.string(),
  expires: z.string(),
  /** Absent: as ever, all but a login may be framed. */
  framed: z.literal(false).optional().meta({
    description: 'False: the page refuses to be framed; open it in a window of its own.',
  }),
}).meta({ title: 'PaymentMethodEntry' });

/** UUID of a session's account; null for a client. */
function ownAccount({ accountId }: Caller): string | null {
  return accountId === null ? null : accountUuid(accountId);
}

/** UUID of a session's account. Throws a Refusal for a client. */
function sessionAccount(caller: Caller): string {
  const uuid = ownAccount(caller);
  if (uuid === null) throw refuse(accountNotFoundInBody);
  return uuid;
}

const begin = operation({
  id: 'createPaymentMethodEntry',
  route: 'POST payments /v1/payment_method/entry',
  summary: "Starts the entry of a card or account on a page of the processor's origin.",
  cites: 'G-47',
  access: session,
  body: entryBody,
  answers: { 201: entryRecord },
  refusals: [
    account.ACCOUNT_BLOCKED,
    refusals.RETURN_URL_NOT_ALLOWED,
    refusals.PAYMENT_METHOD_LIMIT,
    refusals.PAYMENT_METHOD_ENTRY_LIMIT,
    providerRefusals.PROVIDER_NOT_CONFIGURED,
    refusals.METHOD_ENTRY_UNAVAILABLE,
    accountNotFoundInBody,
  ],
  async run(services, { caller, body, idempotency }) {
    const { db, random } = services;
    const { workspace } = caller;
    const uuid = sessionAccount(caller);
    const settings = await settingsOf(db, workspace);
    const id = random.uuid();
    const returnUrl = returnUrlOf(services, settings, body, id);
    // Both checks come before the call to the processor, so that a refused request makes no entry
    // there. A repetition under a key is answered even where no place is left.
    const kept = await keptAnswer(idempotency, (work) =>
      onceSealed(services, workspace, idempotency, work),
    );
    if (kept !== null) return kept;
    await requirePlace(db, workspace, uuid);
    await requireProcessor(services.providers, workspace);
    const language = await languageOf(db, workspace, uuid);
    const begun = await beginAt(services, settings, { workspace, language }, body, returnUrl);
    return onceSealed(services, workspace, idempotency, async (tx) => {
      const { kind } = body;
      await keepEntry(tx, { workspace, id, account: uuid, kind, processorEntry: begun.id });
      const expires = invoiceTime(begun.expires);
      const framed = begun.framed === false ? { framed: begun.framed } : {};
      const payload = { entry_id: id, kind, url: '', origin: begun.origin, expires, ...framed };
      const secrets = [{ place: 'url', text: begun.url, seconds: ADDRESS_SECONDS }];
      return { status: 201, payload, secrets };
    });
  },
});

/** Where a login returns to, with the id of the entry; null for a page in a frame. */
function returnUrlOf(
  { env, urls }: Services,
  settings: TenantSettings,
  { kind, return_url: asked }: EntryBody,
  id: string,
): string | null {
  if (kind !== 'paypal') {
    if (asked === undefined) return null;
    throw refuse(inputRefusals.INVALID_FIELD, { return_url: 'is only accepted for a login' });
  }
  if (asked === undefined) throw refuse(inputRefusals.MISSING_FIELD, { return_url: 'is required' });
  const allowed =
    addressAllowed([urls.widget, urls.hosted], env, asked) ||
    addressAllowed(settings.oauth_return_addresses, env, asked);
  if (!allowed) throw refuse(refusals.RETURN_URL_NOT_ALLOWED, { return_url: 'is not registered' });
  const url = new URL(asked);
  url.searchParams.set('entry_id', id);
  // Escaping can make the query three times as long.
  if (url.href.length <= ADDRESS_MAX) return url.href;
  throw refuse(inputRefusals.INVALID_FIELD, { return_url: 'is too long' });
}

async function beginAt(
  { env, methodEntry, urls }: Services,
  settings: TenantSettings,
  { workspace, language }: { readonly workspace: number; readonly language: string | null },
  { kind, page, dir, ...theme }: EntryBody,
  returnUrl: string | null,
): Promise<BegunEntry> {
  const background = theme.background_color ?? settings.look.background_color;
  const primary = theme.primary_color ?? settings.look.primary_color;
  const begun = await methodEntry.begin({
    workspace,
    kind,
    parentOrigin: new URL(urls[page ?? 'widget']).origin,
    ancestors: [urls.widget, urls.hosted, ...frameOrigins(settings, env)],
    returnUrl,
    look: {
      background: background.toLowerCase(),
      primary: primary.toLowerCase(),
      dir: dir ?? 'ltr',
      ...(language === null ? {} : { language }),
    },
    label: settings.name,
  });
  if (begun === null) throw refuse(refusals.METHOD_ENTRY_UNAVAILABLE, {}, 1);
  return begun;
}

const attach = operation({
  id: 'createPaymentMethod',
  route: 'POST payments /v1/payment_method',
  summary: 'Creates a payment method from an entry that was completed at the processor.',
  cites: 'G-47',
  access: session,
  body: strictObject({
    entry_id: reference(WIRE_ID_MAX),
    keep: optional(z.boolean()).meta({
      description:
        'False, in a checkout only: the card pays this sale, is listed in it alone, and is not ' +
        'kept; by default it is.',
    }),
  }),
  answers: { 201: paymentMethodRecord },
  refusals: [
    terms.TERMS_NOT_SIGNED,
    refusals.ENTRY_NOT_FOUND,
    refusals.PAYMENT_METHOD_ENTRY_EXPIRED,
    refusals.PAYMENT_METHOD_ENTRY_CANCELLED,
    refusals.PAYMENT_METHOD_ENTRY_INCOMPLETE,
    providerRefusals.PROVIDER_NOT_CONFIGURED,
    refusals.METHOD_ENTRY_UNAVAILABLE,
    account.ACCOUNT_BLOCKED,
    accountNotFoundInBody,
  ],
  async run(services, { caller, body, idempotency }) {
    const { db, random, workspaces } = services;
    const { workspace, integrator } = caller;
    await requireSignedTerms(db, caller);
    const uuid = sessionAccount(caller);
    const onlyFor = body.keep === false ? (caller.authorizedInvoiceId ?? null) : null;
    if (body.keep === false && onlyFor === null) {
      throw refuse(inputRefusals.INVALID_FIELD, { keep: 'must be true outside a checkout' });
    }
    const entry = isUuid(body.entry_id) ? await entryOf(db, workspace, uuid, body.entry_id) : null;
    if (entry === null) throw refuse(refusals.ENTRY_NOT_FOUND);
    const { attached, processor_entry } = entry;
    const token = attached ? null : await takeFinished(services, workspace, processor_entry);
    const currency = shownCurrency(await workspaces.currencies(workspace));
    const owned = { id: random.uuid(), account: uuid, currency, integrator, onlyFor };
    const card = token && { ...owned, ...token };
    const input = { entry: body.entry_id, integrator, card };
    return submit(services, { caller, idempotency }, attachEntered, input);
  },
});

/** What the person has entered. Throws a Refusal while there is nothing. */
async function takeFinished(
  { methodEntry, providers }: Services,
  workspace: number,
  processorEntry: string,
): Promise<EnteredToken> {
  await requireProcessor(providers, workspace);
  const taken = await methodEntry.take(workspace, processorEntry);
  if (taken === null) throw refuse(refusals.METHOD_ENTRY_UNAVAILABLE, {}, 1);
  if (taken === 'pending') throw refuse(refusals.PAYMENT_METHOD_ENTRY_INCOMPLETE);
  if (taken === 'cancelled') throw refuse(refusals.PAYMENT_METHOD_ENTRY_CANCELLED);
  if (taken === 'absent') throw refuse(refusals.PAYMENT_METHOD_ENTRY_EXPIRED);
  return taken;
}

const methodParams = strictObject({ payment_method_id: z.string() });

/** What the caller may change: any method of its workspace for a client, its own for a session. */
function changeOf(caller: Caller, id: string): MethodChange {
  if (!isUuid(id)) throw refuse(refusals.PAYMENT_METHOD_NOT_FOUND_IN_PATH);
  return { id, account: ownAccount(caller), integrator: caller.integrator };
}

const rename = operation({
  id: 'renamePaymentMethod',
  route: 'PATCH payments /v1/payment_method/{payment_method_id}',
  summary: "Renames a card or account, or makes it its owner's default.",
  cites: 'G-47',
  access: sessionOrClient,
  params: methodParams,
  body: strictObject({
    display_string: optional(name(NAME_MAX)),
    is_default: optional(z.literal(true)),
  }),
  answers: { 200: paymentMethodRecord },
  refusals: [
    refusals.PAYMENT_METHOD_NOT_FOUND_IN_PATH,
    refusals.PAYMENT_METHOD_NOT_RENAMABLE,
    refusals.PAYMENT_METHOD_NOT_ACTIVE,
  ],
  async run(services, request) {
    const { caller, params, body } = request;
    const input = { ...changeOf(caller, params.payment_method_id), ...body };
    return submit(services, request, renameMethod, input);
  },
});

const remove = operation({
  id: 'removePaymentMethod',
  route: 'DELETE payments /v1/payment_method/{payment_method_id}',
  summary: 'Removes a card or account; payments in progress continue.',
  cites: 'G-47',
  access: sessionOrClient,
  params: methodParams,
  answers: { 200: paymentMethodRecord },
  refusals: [refusals.PAYMENT_METHOD_NOT_FOUND_IN_PATH, refusals.PAYMENT_METHOD_NOT_REMOVABLE],
  async run(services, request) {
    const input = changeOf(request.caller, request.params.payment_method_id);
    return submit(services, request, removeMethod, input);
  },
});

export const methodOperations: readonly DomainOperation[] = [begin, attach, rename, remove];
