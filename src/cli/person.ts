// `holdfast person`: erases a person's data, or puts it on hold. [PD3, PD6]
import type { Command } from 'commander';
import { sql, type Queryable } from '../db/index.ts';
import {
  endHold,
  erasePerson,
  placeHold,
  type EraseRequest,
} from '../product/people/retention/index.ts';
import { uuidOfWireId } from '../core/ids.ts';
import type { CommandContext, Installation } from './context.ts';
import {
  addVerb,
  plainly,
  printRecord,
  withInstallation,
  type VerbArguments,
} from './installation.ts';

interface PersonArguments extends VerbArguments {
  readonly reason: string;
  readonly dryRun?: boolean;
}

type Act = (installation: Installation, request: EraseRequest) => Promise<string>;

/** What each command does, and the word that reports it done. */
const ACTS: readonly { readonly name: string; readonly says: string; readonly act: Act }[] = [
  {
    name: 'erase',
    says: "erase a person's data for good, by destroying its key",
    async act({ db, engine, keys, random }, request) {
      await erasePerson({ db, engine, keys, random }, request);
      return request.dry === true ? 'erasable' : 'erased';
    },
  },
  {
    name: 'hold',
    says: "place a legal hold: the person's data cannot be erased",
    act: async ({ db }, request) => ((await placeHold(db, request)) ? 'held' : 'unchanged'),
  },
  {
    name: 'release',
    says: 'end a hold',
    act: async ({ db }, request) => ((await endHold(db, request)) ? 'released' : 'unchanged'),
  },
];

/** Adds the commands below `person`. */
export function addPerson(program: Command, context: CommandContext): void {
  const person = program.command('person').description("erase or hold a person's data");
  for (const { name, says, act } of ACTS) {
    const verb = addVerb(person, name, says)
      .argument('<account>', 'such as acct_...')
      .requiredOption('--reason <code>', 'lower-case letters, digits and _; no personal data')
      .action((account: string, given: PersonArguments) => run(account, given, context, act));
    if (name === 'erase') {
      verb.option('--dry-run', 'change nothing; check whether the erasure is possible');
    }
  }
}

async function run(
  account: string,
  given: PersonArguments,
  context: CommandContext,
  act: Act,
): Promise<void> {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(given.reason)) {
    throw new Error(
      '--reason must be a code such as subject_request: lower-case letters, digits and _.',
    );
  }
  const state = await withInstallation(given.env, context, true, async (installation) => {
    const workspace = await workspaceOf(installation.db, account);
    const { reason, dryRun: dry = false } = given;
    const request = { ...workspace, reason, actor: 'operator', dry };
    return act(installation, request).catch(plainly);
  });
  printRecord(context, { account, state }, given.json);
}

/**
 * The account in its tenant's workspace, even if clones have it too; else in the clone that has it.
 */
async function workspaceOf(
  db: Queryable,
  wire: string,
): Promise<Pick<EraseRequest, 'workspace' | 'account'>> {
  const account = uuidOfWireId('acct', wire);
  const rows = await db.query<{ workspace: number; main: boolean }>(sql`
    select a.workspace, w.main from account a join workspace w on w.workspace = a.workspace
    where a.id = ${account} and w.ended is null order by w.main desc`);
  const [row, other] = rows;
  if (account === null || row === undefined) throw new Error('There is no such account.');
  if (!row.main && other !== undefined) {
    throw new Error(
      'This account exists in several workspaces, so it is not clear which one is meant.',
    );
  }
  return { workspace: row.workspace, account };
}
