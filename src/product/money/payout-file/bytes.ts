// The bytes of a payout file, made from its rows alone: the same rows give the same bytes, so a
// digest proves which file was confirmed. [G-91]
import { createHash } from 'node:crypto';
import type { FileContent } from './content.ts';
import { csvText } from './csv.ts';
import { painText } from './pain.ts';

/** Makes the file. */
export function fileBytes(content: FileContent): Buffer {
  const { format, terms } = content;
  const { mapping } = terms;
  if (format === 'pain.001') return Buffer.from(painText(content), 'utf8');
  if (mapping === null) throw new Error('a CSV payout file has no mapping');
  return Buffer.from(csvText(content, mapping), 'utf8');
}

/** SHA-256 in hexadecimal. */
export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
