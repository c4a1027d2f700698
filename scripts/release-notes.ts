// What a release says about itself: the section of the changelog that belongs to a version, and the
// line that a checksum file has for a file.
import { createHash } from 'node:crypto';

/** A section of the changelog without its heading, or the sentence that says what is wrong. */
export type Notes = { readonly text: string } | { readonly objection: string };

/** The notes of a version. */
export function notesOf(changelog: string, version: string): Notes {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((one) => /^[^\s,]+/.exec(one)?.[0] === version);
  if (section === undefined) {
    return { objection: `CHANGELOG.md has no section of ${version}, the version in package.json.` };
  }
  const [heading = '', ...lines] = section.split('\n');
  if (!/^\S+, \d{4}-\d\d-\d\d$/.test(heading)) {
    const example = `"## ${version}, 2026-01-31"`;
    return { objection: `Write the day of the release into CHANGELOG.md, such as ${example}.` };
  }
  const text = lines.join('\n').trim();
  if (text === '') return { objection: `The section of ${version} in CHANGELOG.md is empty.` };
  return { text: `${text}\n` };
}

/** As `sha256sum --check` reads it. */
export function checksumLine(name: string, bytes: Uint8Array): string {
  return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
}
