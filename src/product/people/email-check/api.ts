// Verifying an e-mail address: a code is mailed to it, and whoever enters the code has it.
import { z } from 'zod';
import { latinDigits } from '../../../../texts/typed.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse } from '../../../core/refusal.ts';
import { reference, strictObject, uuid } from '../../../core/schema.ts';
import { operation, type DomainOperation } from '../../context.ts';
import { once } from '../../idempotent/index.ts';
import {
  ADDRESS_MAX,
  askWithin,
  mailRefusals,
  preparedMail,
  requireMail,
} from '../../tell/mail/index.ts';
import {
  changePerson,
  openAccount,
  ownAccountOnly,
  refusals as ofAccount,
  sealerOf,
} from '../account/index.ts';
import { refusals } from './refusals.ts';
import { codeHash, freshCode, putCheck, tryCode } from './store.ts';

const access = { user: null } as const;

const begin = operation({
  id: 'beginEmailVerification',
  route: 'POST accounts /v1/user-info/email/begin-verify',
  summary: "Mails a code to an address, to find out whether it is the person's.",
  cites: 'G-67',
  access,
  body: strictObject({ email: reference(ADDRESS_MAX).meta({ format: 'email' }) }),
  answers: { 200: strictObject({ nonce: uuid() }) },
  refusals: [
    ...[inputRefusals.INVALID_FIELD, ofAccount.ACCOUNT_ERASED],
    ...[mailRefusals.MAIL_OFF, mailRefusals.TOO_MANY_MAILS],
  ],
  async run(services, { caller, body, idempotency }) {
    const { workspace } = caller;
    const account = ownAccountOnly(caller, caller.accountId ?? '', ofAccount.ACCOUNT_NOT_FOUND);
    await requireMail(services, workspace, 'email', body.email);
    const sealer = await sealerOf(services, workspace, account);
    const code = freshCode(services);
    const words = { to: body.email, code };
    const mail = await preparedMail(services, caller, account, 'email_code', words);
    if (mail === null || sealer === null) throw refuse(ofAccount.ACCOUNT_ERASED);
    const known = await openAccount(services, workspace, account);
    const id = services.random.uuid();
    const code_hash = codeHash(services, workspace, id, code);
    const sealed = sealer.seal('emailCheck', id, body.email);
    return once(services.db, workspace, idempotency, async (tx) => {
      await putCheck(tx, { workspace, id, account, code_hash, sealed });
      await askWithin(tx, mail, known?.email?.address.toLowerCase() === body.email.toLowerCase());
      return { status: 200, payload: { nonce: id } };
    });
  },
});

const finish = operation({
  id: 'finishEmailVerification',
  route: 'POST accounts /v1/user-info/email/finish-verify',
  summary: "Makes the address that a code was mailed to the person's own, verified.",
  cites: 'G-67',
  access,
  body: strictObject({
    // A person types it, on whatever keyboard.
    code: z
      .string()
      .overwrite(latinDigits)
      .regex(/^\d{6}$/, 'must be six digits')
      .meta({ examples: ['123456'] }),
    nonce: uuid(),
  }),
  answers: {
    200: strictObject({ account_id: z.string(), email: z.string(), is_verified: z.literal(true) }),
  },
  refusals: [
    ...[refusals.EMAIL_CODE_EXPIRED, refusals.EMAIL_CODE_SPENT, refusals.EMAIL_CODE_WRONG],
    ...[ofAccount.ACCOUNT_ERASED, ofAccount.ACCOUNT_CHANGED_MEANWHILE],
  ],
  async run(services, request) {
    const { caller, body } = request;
    const { workspace, accountId: account_id } = caller;
    const account = ownAccountOnly(caller, account_id ?? '', ofAccount.ACCOUNT_NOT_FOUND);
    const tried = await tryCode(services, workspace, account, body);
    if (tried === 'absent') throw refuse(refusals.EMAIL_CODE_EXPIRED);
    if (tried === 'spent') throw refuse(refusals.EMAIL_CODE_SPENT);
    if (tried === 'wrong') throw refuse(refusals.EMAIL_CODE_WRONG);
    const sealer = await sealerOf(services, workspace, account);
    if (sealer === null) throw refuse(ofAccount.ACCOUNT_ERASED);
    const email = sealer.open('emailCheck', body.nonce, tried.sealed);
    const change = { email: { address: email, requires_verification: false } };
    await changePerson(services, request, account_id ?? '', change);
    return { status: 200, payload: { account_id, email, is_verified: true } };
  },
});

export const operations: readonly DomainOperation[] = [begin, finish];
