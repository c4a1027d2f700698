// `holdfast keys`: versions of the master key, and how many keys each one wraps. [PD3]
import type { Command } from 'commander';
import {
  countByVersion,
  dropVersion,
  prepareVersion,
  rotate,
  type RotationParts,
} from '../product/people/retention/index.ts';
import { ToldFailure, type CommandContext, type Installation } from './context.ts';
import { addVerb, printRecord, withInstallation, type VerbArguments } from './installation.ts';

/** Adds the commands below `keys`. */
export function addKeys(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description('manage the versions of the master key');
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
    const { current, all } = await parts.versions.list();
    const counts = await countByVersion(parts);
    const names = [...new Set([...all, ...counts.keys()])];
    return { ...said, current, ...Object.fromEntries(names.map((v) => [v, counts.get(v) ?? 0])) };
  });
  printRecord(context, record, given.json);
  return record;
}

function partsOf({ db, keys, versions, wrapped: columns }: Installation): RotationParts {
  return { db, keys, versions, columns };
}
