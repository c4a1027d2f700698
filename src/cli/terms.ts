// `holdfast terms publish` and `terms show`: the text that people accept before they pay. [G-21]
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { currentTerms, publishTerms, readTerms } from '../product/people/terms/index.ts';
import type { CommandContext } from './context.ts';
import {
  addVerb,
  printRecord,
  unreadable,
  withInstallation,
  type VerbArguments,
} from './installation.ts';

/** Adds the commands below `terms`. */
export function addTerms(program: Command, context: CommandContext): void {
  const terms = program.command('terms').description('manage the terms of service');
  addVerb(terms, 'publish', 'publish a new version; everybody must agree before they pay again')
    .argument('<file>', 'plain text in UTF-8; empty lines separate paragraphs')
    .action(async (file: string, given: VerbArguments) => {
      const content = readTerms(await readFile(file).catch(unreadable));
      const { terms: made, fresh } = await withInstallation(given.env, context, true, ({ db }) =>
        publishTerms(db, content),
      );
      const state = fresh ? 'published' : 'unchanged';
      const { version, created } = made;
      printRecord(context, { version, created, state }, given.json);
    });
  addVerb(terms, 'show', 'print the current version').action(async (given: VerbArguments) => {
    const current = await withInstallation(given.env, context, true, ({ db }) => currentTerms(db));
    if (current === null) throw new Error('No terms are published, so nobody is asked to agree.');
    const { version, created, content } = current;
    const text = given.json === true ? { content } : {};
    printRecord(context, { version, created, ...text }, given.json);
    if (given.json !== true) context.print(`\n${content}\n`);
  });
}
