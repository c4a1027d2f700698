// `holdfast verify`: checks the laws of the books and the audit chains in one read-only snapshot of
// the database, or an export of a tenant without any. Exit code 1 if a law is broken.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { proofs } from '../catalogue.ts';
import { markProven, readMarks, verifyAudit } from '../product/tell/audit/index.ts';
import { checkExport } from '../product/tenant/export/index.ts';
import { runProofs, type ProofResult } from '../ledger/index.ts';
import { ToldFailure, type CommandContext, type Installation } from './context.ts';
import { addVerb, withInstallation, type VerbArguments } from './installation.ts';

const SNAPSHOT = 'begin isolation level repeatable read read only';

interface Given extends VerbArguments {
  readonly whole?: boolean;
  readonly export?: string;
  readonly key?: string;
}

/** Adds the command `verify`. */
export function addVerify(program: Command, context: CommandContext): void {
  addVerb(program, 'verify', 'check the books and the audit: every law, and what breaks it')
    .option('--whole', 'the audit from its first block, not from the last one that was proven')
    .option('--export <file>', 'an export of a tenant instead, which needs no installation')
    .option('--key <key>', 'the public key that must have signed the export')
    .action(async (given: Given) => {
      const prove = (installation: Installation): Promise<readonly ProofResult[]> =>
        proveAll(installation, given.whole === true);
      const results =
        given.export === undefined
          ? await withInstallation(given.env, context, false, prove)
          : await proveExport(given.export, given.key);
      const broken = results.filter((result) => result.breaches > 0);
      if (given.json === true) {
        context.print(`${JSON.stringify({ ok: broken.length === 0, laws: results })}\n`);
      } else {
        context.print(report(results, context.colours));
      }
      if (broken.length > 0) {
        throw new ToldFailure(`${broken.length} of ${results.length} laws are broken.`);
      }
      if (given.json !== true) context.print(`All ${results.length} laws hold.\n`);
    });
}

/** The end of the anchors is fixed before the snapshot, so that none is newer than it. */
async function proveAll(
  { db, keys, anchors }: Installation,
  whole: boolean,
): Promise<readonly ProofResult[]> {
  const anchored = await anchors.read();
  const { laws, audit } = await db.transaction(async (tx) => {
    const marks = whole ? null : await readMarks(tx, keys);
    const laws = await runProofs(tx, proofs);
    return { laws, audit: await verifyAudit(tx, keys, anchored, marks) };
  }, SNAPSHOT);
  await markProven(db, keys, audit.proven);
  return [...laws, ...audit.results];
}

/** An Ed25519 public key as base64url. */
const KEY = /^[\w-]{43}$/;

/** Reads the file a line at a time. */
async function proveExport(path: string, key = ''): Promise<readonly ProofResult[]> {
  if (!KEY.test(key)) throw new Error('Give --key: the public key that tenant export printed.');
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: 0 });
  return (await checkExport(lines, key)).laws;
}

/** One line per law; below a broken one, its first breaches. */
function report(results: readonly ProofResult[], colours: boolean): string {
  const paint = (code: number, text: string): string =>
    colours ? `\u001b[${code}m${text}\u001b[39m` : text;
  const lines = results.flatMap((result) => {
    if (result.breaches === 0) return [`${paint(32, 'ok    ')}  ${result.law}`];
    const count = `${result.breaches} ${result.breaches === 1 ? 'breach' : 'breaches'}`;
    return [
      `${paint(31, 'BROKEN')}  ${result.law} (${result.name}: ${count})`,
      ...result.examples.map((example) => `          ${example}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}
