// Reads an XML file of a bank whole: strict, without document types or entities of its own, and no
// deeper than such files are.
import { SaxesParser } from 'saxes';

/** One element; names are without their prefix. */
export interface Element {
  readonly name: string;
  /** Its namespace. */
  readonly uri: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Its own text, without blanks around it. */
  readonly text: string;
}

interface Growing extends Element {
  readonly children: Growing[];
  text: string;
}

const DEEPEST = 40;
/** What a declaration may call the bytes. */
const ENCODING = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*\sencoding\s*=\s*["']([\w-]+)["']/;
const ENCODINGS = ['utf-8', 'iso-8859-1', 'windows-1252'];

/** The text of the bytes. Throws for bytes that are not in the encoding that they declare. */
function textOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const encoding = (ENCODING.exec(head)?.[1] ?? 'utf-8').toLowerCase();
  if (!ENCODINGS.includes(encoding)) throw new Error('an encoding that is not read');
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

/** The root element. Throws for anything but one whole, well-formed document. */
export function readXml(bytes: Uint8Array): Element {
  const parser = new SaxesParser({ xmlns: true });
  const open: Growing[] = [];
  let root: Growing | null = null;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type');
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    const named = Object.entries(attributes).map(([name, { value }]) => [name, value]);
    const element: Growing = {
      ...{ name: local, uri, children: [], text: '' },
      attributes: Object.fromEntries(named) as Record<string, string>,
    };
    if (open.push(element) > DEEPEST) throw new Error('too deep');
    open.at(-2)?.children.push(element);
    root ??= element;
  });
  const add = (text: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const element = open.pop();
    if (element !== undefined) element.text = element.text.trim();
  });
  parser.write(textOf(bytes)).close();
  if (root === null) throw new Error('no element');
  return root;
}

/** The children with this name. */
export function all(element: Element | null, name: string): readonly Element[] {
  return element === null ? [] : element.children.filter((one) => one.name === name);
}

/** The first element below, step by step; null where there is none. */
export function at(element: Element | null, ...path: readonly string[]): Element | null {
  let found = element;
  for (const name of path) found = all(found, name)[0] ?? null;
  return found;
}

/** The text of the first element below; '' where there is none. */
export function textAt(element: Element | null, ...path: readonly string[]): string {
  return at(element, ...path)?.text ?? '';
}
