// The forms of files in a submission: a data URI or, for further files, also a record of name, type
// and contents. Field errors name the place inside the form that was sent; the bytes are checked by
// the inspector. [G-52]
import { z } from 'zod';
import type { OffloadedText } from '../../../core/offloaded-text.ts';
import { OffloadedText as Offloaded } from '../../../core/offloaded-text.ts';
import { fileText, reference, strictObject } from '../../../core/schema.ts';
import { FURTHER_FILES_MAX_BYTES, IMAGE_MAX_BYTES } from '../../../providers/files/port.ts';

/** A picture of a document, as a data URI. */
export const documentPicture = fileText(IMAGE_MAX_BYTES);

const furtherText = fileText(FURTHER_FILES_MAX_BYTES);
const fileRecord = strictObject({
  file_name: reference(),
  file_ext: reference(),
  file_mime_type: reference(),
  file_contents: furtherText,
});

/** A further file as a record. Its name only claims a type, and is not stored. */
export type FileRecord = z.output<typeof fileRecord>;
export type FurtherFile = string | OffloadedText | FileRecord;

/** A zod union that picks by shape, so that an error inside a record is named there. */
const TextOrRecord = z.core.$constructor(
  'HoldfastFile',
  (inst: z.ZodUnion, def: z.ZodUnion['_zod']['def']) => {
    z.ZodUnion.init(inst, def);
    const [text, record] = def.options as unknown as readonly [z.ZodType, z.ZodType];
    inst._zod.parse = (payload, ctx) => {
      const { value } = payload;
      const isRecord = typeof value === 'object' && value !== null && !(value instanceof Offloaded);
      return (isRecord ? record : text)._zod.run(payload, ctx);
    };
  },
);

/** The schema of a file as text, or as a record that carries one. */
export function fileOr<R extends z.ZodType>(
  text: z.ZodType<string | OffloadedText, string>,
  record: R,
): z.ZodType<string | OffloadedText | z.output<R>, string | z.input<R>> {
  const union = new TextOrRecord({ type: 'union', options: [text, record] });
  return union as unknown as ReturnType<typeof fileOr<R>>;
}

export const furtherFile: z.ZodType<FurtherFile, unknown> = fileOr(furtherText, fileRecord);

export function isFileRecord(file: FurtherFile): file is FileRecord {
  return typeof file === 'object' && !(file instanceof Offloaded);
}

/** Longer than the head of any accepted data URI. */
const HEAD_MAX = 128;

/** The number of bytes in the base64 of a further file. */
export function sizeOfFurther(file: FurtherFile): number {
  const text = isFileRecord(file) ? file.file_contents : file;
  const digits = text.length - text.slice(0, HEAD_MAX).indexOf(',') - 1;
  const padding = text.slice(-2).split('=').length - 1;
  return Math.floor((digits * 3) / 4) - padding;
}
