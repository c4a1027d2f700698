// `holdfast keys`: versions of the master key, how many keys each one wraps and what wraps them,
// and the keys that sign. [PD3]
import type { Command } from 'commander';
import {
  countByVersion,
  dropVersion,
  prepareVersion,
  rotate,
  wrapVersions,
  type RotationParts,
} from '../product/people/retention/index.ts';
import { rotateSigningKey } from '../product/access/oauth/index.ts';
import { rotateAuditKey } from '../product/tell/audit/index.ts';
import { ToldFailure, type CommandContext, type Installation } from './context.ts';
import { addVerb, printRecord, withInstallation, type VerbArguments } from './installation.ts';

interface WrapArguments extends VerbArguments {
  readonly kms: string;
}

/** Adds the commands below `keys`. */
export function addKeys(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description('manage master keys and signing keys');
  addMasterKeys(keys, context);
  addSigning(keys, context, 'rotate-signing', 'the key that signs tokens', rotateSigningKey);
  addSigning(keys, context, 'rotate-audit', 'the key that signs the audit log', (installation) =>
    rotateAuditKey(installation, installation.db, 'operator'),
  );
}

function addMasterKeys(keys: Command, context: CommandContext): void {
  addVerb(keys, 'status', 'count the keys wrapped by each version').action(
    async (given: VerbArguments) => {
      await work(given, context, async () => ({}));
    },
  );
  addVerb(keys, 'prepare', 'add a version without using it yet, to copy the key file first').action(
    async (given: VerbArguments) => {
      await work(given, context, async (parts) => ({ prepared: await prepareVersion(parts) }));
    },
  );
  addVerb(keys, 'rotate', 'rewrap every key under a newer version, while the service runs').action(
    async (given: VerbArguments) => {
      const { unreadable } = await work(given, context, async (parts) => {
        const { begun, rewrapped, unreadable: places } = await rotate(parts);
        if (!begun) {
          context.say('No new rotation started: the last one was continued or has just finished.');
        }
        for (const place of places) context.say(`Cannot be unwrapped: ${place}`);
        return { rewrapped, unreadable: places.length };
      });
      if (unreadable === 0) return;
      throw new ToldFailure(`${unreadable} keys could not be unwrapped and were left as they are.`);
    },
  );
  addVerb(keys, 'drop', 'delete an old version that no key uses any more, for good')
    .argument('<version>', 'such as v1')
    .action(async (version: string, given: VerbArguments) => {
      await work(given, context, async (parts) => {
        await dropVersion(parts, version);
        return { dropped: version };
      });
    });
  addVerb(keys, 'wrap', 'wrap the master keys in the key file by a key of AWS KMS')
    .requiredOption('--kms <arn>', 'the key; none: store the master keys in the clear again')
    .action(async (given: WrapArguments) => {
      await work(given, context, async (parts) => {
        await wrapVersions(parts, given.kms === 'none' ? null : given.kms);
        return {};
      });
    });
}

/** A command that replaces a key; what the one before has signed stays valid. */
function addSigning(
  keys: Command,
  context: CommandContext,
  name: string,
  what: string,
  replace: (installation: Installation) => Promise<void>,
): void {
  addVerb(keys, name, `replace ${what}; what the old one signed stays valid`).action(
    async (given: VerbArguments) => {
      await withInstallation(given.env, context, true, replace);
      printRecord(context, { replaced: what }, given.json);
    },
  );
}

/** Does the work, then prints and returns its result and how many keys each version wraps. */
async function work(
  given: VerbArguments,
  context: CommandContext,
  what: (parts: RotationParts) => Promise<Readonly<Record<string, unknown>>>,
): Promise<Readonly<Record<string, unknown>>> {
  const record = await withInstallation(given.env, context, false, async (installation) => {
    const parts = partsOf(installation);
    const said = await what(parts);
    const { current, all, kms } = await parts.versions.list();
    const counts = await countByVersion(parts);
    const names = [...new Set([...all, ...counts.keys()])];
    const wraps = names.map((version) => [version, counts.get(version) ?? 0]);
    return { ...said, current, kms, ...Object.fromEntries(wraps) };
  });
  printRecord(context, record, given.json);
  return record;
}

function partsOf({ db, keys, versions, wrapped: columns }: Installation): RotationParts {
  return { db, keys, versions, columns };
}
