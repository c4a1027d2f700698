// Operations on existing accounts: read, search by username, update, block. [G-20]
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { Refusal, refuse } from '../../../core/refusal.ts';
import { identifier, optional, strictObject, text, wireIdOf } from '../../../core/schema.ts';
import type { Caller } from '../../../core/operation.ts';
import {
  operation,
  submit,
  type DomainOperation,
  type Sender,
  type Services,
} from '../../context.ts';
import { blockAccount, unblockAccount, type BlockInput } from './block.ts';
import { ERASED, openPerson, openSealer, usernameKey, type Person } from './person.ts';
import {
  blocksOf,
  findAccount,
  findByUsername,
  known,
  mergesOf,
  type StoredAccount,
} from './read.ts';
import { accountNotFoundInBody, namesNoAccount, refusals } from './refusals.ts';
import {
  USERNAME_MAX,
  accountParams,
  accountUuid,
  blockRecord,
  mergeTag,
  personFields,
  personUpdate,
  updatedRecord,
  userInfo,
  userInfoRecord,
  type PersonUpdate,
  type UserInfo,
} from './schema.ts';
import { updatePerson } from './update.ts';

const TRIES = 3;
const READS = 'search_accounts';

async function shownInfo(
  services: Services,
  caller: Caller,
  account: StoredAccount,
): Promise<UserInfo> {
  const person = await openPerson(services, caller.workspace, account.id, account);
  return infoWith(services, caller, account, person);
}

async function infoWith(
  { db }: Services,
  { workspace, integrator }: Caller,
  account: StoredAccount,
  person: Person,
): Promise<UserInfo> {
  const merges = await mergesOf(db, workspace, account.id);
  const tags = merges.map((merge) => mergeTag(account.id, merge, integrator));
  return userInfo(account, person, integrator, { blocks: blocksOf(account), tags });
}

const getUserInfo = operation({
  id: 'getUserInfo',
  route: 'GET accounts /v1/user-info/{account_id}',
  summary: 'Retrieves an account.',
  cites: 'G-20',
  access: { client: READS },
  params: accountParams,
  answers: { 200: userInfoRecord },
  refusals: [refusals.ACCOUNT_NOT_FOUND],
  async run(services, { caller, params }) {
    const id = accountUuid(params.account_id);
    const account = known(await findAccount(services.db, caller.workspace, id));
    return { status: 200, payload: await shownInfo(services, caller, account) };
  },
});

const searchUserInfo = operation({
  id: 'searchUserInfo',
  route: 'GET accounts /v1/user-info/search',
  summary: 'Finds an account by its exact username.',
  cites: 'G-20',
  access: { client: READS },
  query: strictObject({ username: identifier(USERNAME_MAX) }),
  answers: { 200: userInfoRecord },
  refusals: [refusals.ACCOUNT_NOT_FOUND],
  async run(services, { caller, query }) {
    const key = usernameKey(services.keys, caller.workspace, query.username);
    const account = known(await findByUsername(services.db, caller.workspace, key));
    return { status: 200, payload: await shownInfo(services, caller, account) };
  },
});

/** One try of an update; ACCOUNT_CHANGED_MEANWHILE calls for another. */
async function tryUpdate(
  services: Services,
  sender: Sender,
  wire: string,
  body: PersonUpdate,
): Promise<UserInfo> {
  const { db, random } = services;
  const { caller } = sender;
  const { workspace } = caller;
  const stored = known(await findAccount(db, workspace, accountUuid(wire)));
  const { id } = stored;
  if (stored.wrapped_key === ERASED) throw refuse(refusals.ACCOUNT_ERASED);
  const sealer = await openSealer(services, workspace, id, stored);
  const before = sealer.openJson<Person>('person', id, stored.sealed);
  const person = personFields(before, body, random.uuid());
  const shown = await infoWith(services, caller, stored, person);
  const same = isDeepStrictEqual(person, before);
  const input = {
    account: id,
    before: stored.sealed,
    after: same ? null : sealer.sealJson('person', id, person),
    has_email: person.email !== null,
    sealed_answer: sealer.sealJson('updateAnswer', id, shown),
  };
  const answer = await submit(services, sender, updatePerson, input);
  const { sealed_answer } = answer.payload as { sealed_answer: string };
  return sealer.openJson<UserInfo>('updateAnswer', id, sealed_answer);
}

/** Changes personal fields, again where somebody else changed them meanwhile; gives them all. */
export async function changePerson(
  services: Services,
  sender: Sender,
  wire: string,
  body: PersonUpdate,
): Promise<UserInfo> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryUpdate(services, sender, wire, body);
    } catch (error) {
      const raced =
        error instanceof Refusal && error.spec.code === refusals.ACCOUNT_CHANGED_MEANWHILE.code;
      if (!raced || tries === TRIES) throw error;
    }
  }
}

const updateUserInfo = operation({
  id: 'updateUserInfo',
  route: 'PUT accounts /user-info/{account_id}',
  summary: 'Updates name, address or e-mail of an account; omitted fields do not change.',
  cites: 'G-20',
  access: { client: 'write_registrations' },
  params: accountParams,
  body: personUpdate,
  answers: { 200: updatedRecord },
  refusals: [
    refusals.ACCOUNT_NOT_FOUND,
    refusals.EMAIL_INVALID,
    refusals.ACCOUNT_ERASED,
    refusals.ACCOUNT_CHANGED_MEANWHILE,
  ],
  async run(services, request) {
    const { caller, params, body } = request;
    const info = await changePerson(services, request, params.account_id, body);
    const payload = caller.scopes.has(READS) ? info : { account_id: info.account_id };
    return { status: 200, payload };
  },
});

const capability = z.enum(['login']).meta({ description: '`login` blocks the whole account.' });
const blockReason = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be lower-case letters, digits or underscores')
  .meta({ description: 'For example `account_close`.' });

const blockBody = strictObject({
  account_id: wireIdOf('acct'),
  block_capability: capability,
  block_reason: blockReason,
  note: optional(text()),
});

const unblockBody = strictObject({
  account_id: wireIdOf('acct'),
  block_capability: capability,
  note: optional(text()),
});

const blocksRecord = z.strictObject({
  account_id: z.string(),
  blocks: z.record(z.string(), blockRecord),
});

interface BlockRequest {
  readonly account_id: string;
  readonly block_capability: string;
  readonly block_reason?: string;
  readonly note?: string | undefined;
}

async function blockInput(
  services: Services,
  workspace: number,
  body: BlockRequest,
): Promise<BlockInput> {
  const { db, random } = services;
  const stored = await findAccount(db, workspace, accountUuid(body.account_id));
  if (stored === null) throw namesNoAccount();
  const { id } = stored;
  let sealed_note: string | null = null;
  if (body.note !== undefined && body.note !== '' && stored.wrapped_key !== ERASED) {
    const sealer = await openSealer(services, workspace, id, stored);
    sealed_note = sealer.seal('blockNote', id, body.note);
  }
  return {
    account: id,
    capability: body.block_capability,
    issuer: 'integrator',
    reason: body.block_reason ?? '',
    sealed_note,
    fresh_id: random.uuid(),
  };
}

const block = operation({
  id: 'blockAccount',
  route: 'POST accounts /v2/block',
  summary: 'Blocks all transactions and pages of an account until it is unblocked.',
  cites: 'G-20',
  access: { client: 'write_registrations' },
  body: blockBody,
  answers: { 200: blocksRecord },
  refusals: [accountNotFoundInBody],
  async run(services, request) {
    const input = await blockInput(services, request.caller.workspace, request.body);
    return submit(services, request, blockAccount, input);
  },
});

const unblock = operation({
  id: 'unblockAccount',
  route: 'POST accounts /v2/unblock',
  summary: 'Removes a block that the integrator set.',
  cites: 'G-20',
  access: { client: 'write_registrations' },
  body: unblockBody,
  answers: { 200: blocksRecord },
  refusals: [accountNotFoundInBody, refusals.ACCOUNT_MERGED, refusals.ACCOUNT_BLOCK_NOT_YOURS],
  async run(services, request) {
    const input = await blockInput(services, request.caller.workspace, request.body);
    return submit(services, request, unblockAccount, input);
  },
});

const getBlocks = operation({
  id: 'getAccountBlocks',
  route: 'GET accounts /v2/block/{account_id}',
  summary: 'Lists the active blocks of an account.',
  cites: 'G-20',
  access: { client: 'read_accounts' },
  params: accountParams,
  answers: { 200: blocksRecord },
  refusals: [refusals.ACCOUNT_NOT_FOUND],
  async run(services, { caller, params }) {
    const id = accountUuid(params.account_id);
    const account = known(await findAccount(services.db, caller.workspace, id));
    const blocks = Object.fromEntries(blocksOf(account).map((one) => [one.block_id, one]));
    return { status: 200, payload: { account_id: params.account_id, blocks } };
  },
});

export const operations: readonly DomainOperation[] = [
  searchUserInfo,
  getUserInfo,
  updateUserInfo,
  block,
  unblock,
  getBlocks,
];
