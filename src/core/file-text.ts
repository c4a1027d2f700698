// The schema of a body field that carries a file as text: a string, or the offloaded field
// (OffloadedText) that replaces a long one. The file inspector checks its bytes, not this schema.
import { z } from 'zod';
import { OffloadedText } from './offloaded-text.ts';

/** The file shown in examples: a picture of four pixels. */
export const SHOWN_FILE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4AWOou7+j8I0cw5xn' +
  '5+YGrQIANPkHeh6Bf5AAAAAASUVORK5CYII=';

/** Room for `data:<mime>;base64,` before the base64. */
const HEAD_MAX = 64;

/**
 * A file of at most about `maxBytes` bytes, as base64 or a data URI. The text's length is limited
 * here; the inspector checks the exact size. With large bodies, long texts arrive as
 * `OffloadedText`.
 */
export function fileText(maxBytes: number): z.ZodType<string | OffloadedText, string> {
  const maxLength = Math.ceil(maxBytes / 3) * 4 + HEAD_MAX;
  const schema = z
    .unknown()
    .check(({ value, issues }) => {
      if (typeof value !== 'string' && !(value instanceof OffloadedText)) {
        issues.push({ code: 'invalid_type', expected: 'string', input: value });
      } else if (value.length > maxLength) {
        const message = `must be a file of at most ${maxBytes} bytes`;
        issues.push({ code: 'custom', input: value, message });
      }
    })
    .meta({
      type: 'string',
      maxLength,
      description: `A file of at most ${maxBytes} bytes, as base64 or a data URI of base64.`,
    });
  return schema as unknown as z.ZodType<string | OffloadedText, string>;
}
