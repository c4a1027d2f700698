// Forms with a file: fields as texts, the file as a data URI under its field's name, as programs
// send it. The type is the browser's claim; the inspector goes by the content.

/** Of such a form; the file in it may have 3 MB. */
export const UPLOAD_BYTES = 4 * 1_048_576;

/** Fields of a multipart form by name, without a file that was not chosen. Throws if malformed. */
export async function readUpload(
  body: Buffer,
  contentType: string,
): Promise<Record<string, string>> {
  const headers = { 'content-type': contentType };
  const form = await new Response(new Uint8Array(body), { headers }).formData();
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value;
    else if (value.size > 0) {
      const bytes = Buffer.from(await value.arrayBuffer());
      fields[name] = `data:${value.type};base64,${bytes.toString('base64')}`;
    }
  }
  return fields;
}

/** The bytes of a file in a form; null where none was chosen. */
export function fileIn(form: Readonly<Record<string, string>>, name: string): Buffer | null {
  const [type, base64] = (form[name] ?? '').split(';base64,', 2);
  if (base64 === undefined || !type?.startsWith('data:')) return null;
  return Buffer.from(base64, 'base64');
}
