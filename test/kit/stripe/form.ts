// Form bodies as Stripe's API takes them: `metadata[key]=v` and `expand[0]=v` are nested.
import { createHash } from 'node:crypto';

/** A value of a form: texts, and objects of them. */
export type Form = { [name: string]: string | Form };

/** Reads a query or a body. */
export function readNested(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[|\]/).filter((part, at) => at === 0 || part !== '');
    let here = form;
    for (const part of path.slice(0, -1)) {
      const next = here[part];
      here = typeof next === 'object' ? next : (here[part] = {});
    }
    here[path.at(-1) ?? ''] = value;
  }
  return form;
}

/** Reads a body: nested, or with files, of which name, type, size and digest are kept. */
export async function readForm(type: string, bytes: Buffer): Promise<Form> {
  if (!type.startsWith('multipart/form-data')) return readNested(bytes.toString('utf8'));
  const form: Form = {};
  const body = new Response(new Uint8Array(bytes), { headers: { 'content-type': type } });
  for (const [name, value] of await body.formData()) {
    form[name] = typeof value === 'string' ? value : await fileForm(value);
  }
  return form;
}

async function fileForm(file: File): Promise<Form> {
  const { name, type, size } = file;
  const bytes = Buffer.from(await file.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, type, size: String(size), sha256 };
}

/** A text of a form, or null. */
export function textOf(form: Form, name: string): string | null {
  const value = form[name];
  return typeof value === 'string' ? value : null;
}

/** The texts of a nested object. */
export function textsOf(form: Form, name: string): Record<string, string> {
  const value = form[name];
  if (typeof value !== 'object') return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
