// Defects of the core: money, currencies, the strict reader of JSON, fields, ids, time, sealing.
import type { Defect } from './defect.ts';

const MONEY = ['src/kernel/money.test.ts'];
const JSON_READER = ['src/kernel/json.test.ts'];
const SCHEMA = ['src/kernel/schema.test.ts'];
const IDS = ['src/kernel/ids.test.ts'];
const TIME = ['src/kernel/time.test.ts'];

export const coreDefects: readonly Defect[] = [
  {
    name: 'fees are rounded down',
    breaks: 'Half a minor unit of a fee is lost.',
    file: 'src/kernel/money.ts',
    from: '(amount * millionths * 2n + MILLION)',
    to: '(amount * millionths * 2n)',
    tests: MONEY,
  },
  {
    name: 'the remainder of a split is lost',
    breaks: 'Parts of a split sum to less than the total.',
    file: 'src/kernel/money.ts',
    from: '    parts[at] = (parts[at] as bigint) + 1n;',
    to: '',
    tests: MONEY,
  },
  {
    name: 'left-over units go to the smallest remainders',
    breaks: 'A split is further from its proportion than it need be.',
    file: 'src/kernel/money.ts',
    from: 'a.rest > b.rest ? -1 : 1',
    to: 'a.rest > b.rest ? 1 : -1',
    tests: MONEY,
  },
  {
    name: 'an amount loses digits on the wire',
    breaks: 'An amount beyond 2^53 - 1 is shown rounded.',
    file: 'src/kernel/money.ts',
    from: 'if (amount > TOTAL_CAP || amount < -TOTAL_CAP) {',
    to: 'if (amount < -TOTAL_CAP) {',
    tests: MONEY,
  },
  {
    name: 'a wrong exponent',
    breaks: 'Amounts in Iraqi dinar are shown a thousand times too large.',
    file: 'src/kernel/currencies-data.ts',
    from: 'IQD: 3',
    to: 'IQD: 0',
    tests: ['src/kernel/currency.test.ts'],
  },
  {
    name: 'five cents are shown as fifty',
    breaks: 'Amounts below one are shown without their leading zeros.',
    file: 'src/kernel/currency.ts',
    from: 'padLeft(units, places + 1)',
    to: "units.padEnd(places + 1, '0')",
    tests: ['src/kernel/currency.test.ts'],
  },
  {
    name: 'a key that stands twice',
    breaks: 'Of two amounts in one object the last counts, and another reader sees the first.',
    file: 'src/kernel/json.ts',
    from: 'if (countKeys(value) === scan.keys) return { ok: true, value };',
    to: 'if (countKeys(value) <= scan.keys) return { ok: true, value };',
    tests: JSON_READER,
  },
  {
    name: 'a number beyond 2^53 is an integer',
    breaks: 'An amount is read as another one.',
    file: 'src/kernel/json-scan.ts',
    from: 'const plain = value <= Number.MAX_SAFE_INTEGER && !(negative && value === 0);',
    to: 'const plain = !(negative && value === 0);',
    tests: JSON_READER,
  },
  {
    name: 'half a surrogate pair is read',
    breaks: 'A text that no database takes reaches the tables.',
    file: 'src/kernel/json-scan.ts',
    from: 'if (low < 0xdc00 || low > 0xdfff) return',
    to: 'if (low > 0xdfff) return',
    tests: JSON_READER,
  },
  {
    name: 'one level too deep',
    breaks: 'A body nests deeper than is promised.',
    file: 'src/kernel/json-scan.ts',
    from: "if (this.depth === JSON_DEPTH_MAX) return 'deep';",
    to: "if (this.depth > JSON_DEPTH_MAX) return 'deep';",
    tests: JSON_READER,
  },
  {
    name: 'fingerprints depend on the order of keys',
    breaks: 'The same request in another order of keys is another request.',
    file: 'src/kernel/json.ts',
    from: 'for (const key of sortedKeys(record)) {',
    to: 'for (const key of Object.keys(record)) {',
    tests: JSON_READER,
  },
  {
    name: 'one unit above the cap',
    breaks: 'An amount above the largest one is taken.',
    file: 'src/kernel/schema.ts',
    from: 'if (!whole || value < minimum || value > CAP) report(payload, sentence);',
    to: 'if (!whole || value < minimum || value > CAP + 1) report(payload, sentence);',
    tests: SCHEMA,
  },
  {
    name: 'metadata is measured in characters',
    breaks: 'Metadata in other scripts is up to three times as large as promised.',
    file: 'src/kernel/schema.ts',
    from: 'if (Buffer.byteLength(JSON.stringify(kept)) > METADATA_MAX_BYTES) {',
    to: 'if (JSON.stringify(kept).length > METADATA_MAX_BYTES) {',
    tests: SCHEMA,
  },
  {
    name: 'a list is read to its end',
    breaks: 'A megabyte of wrong items holds the process up for seconds.',
    file: 'src/kernel/schema.ts',
    from: 'at < input.length && payload.issues.length < FAULTS_MAX;',
    to: 'at < input.length;',
    tests: SCHEMA,
  },
  {
    name: 'a second spelling of an id',
    breaks: 'One account has two ids on the wire.',
    file: 'src/kernel/ids.ts',
    from: 'if (first > 7) return null;',
    to: '',
    tests: IDS,
  },
  {
    name: 'fresh ids out of order',
    breaks: 'Ids of one millisecond do not grow.',
    file: 'src/kernel/entropy.ts',
    from: '      counter += 1;\n',
    to: '',
    tests: IDS,
  },
  {
    name: 'a local time is read as UTC',
    breaks: 'A session in another time zone shifts every moment by its offset.',
    file: 'src/kernel/time.ts',
    from: '    text.charCodeAt(end + 2) !== ZERO ||\n',
    to: '',
    tests: TIME,
  },
  {
    name: 'microseconds carry the wrong way',
    breaks: 'A moment before a full millisecond becomes a later one.',
    file: 'src/kernel/time.ts',
    from: 'const carry = Math.floor(micros / 1000);',
    to: 'const carry = Math.trunc(micros / 1000);',
    tests: TIME,
  },
  {
    name: 'what is sealed opens anywhere',
    breaks: "Whoever writes to the database may put one person's data in another's place.",
    file: 'src/kernel/sealing.ts',
    from: `  cipher.setAAD(Buffer.from(place, 'utf8'));
  const body = [cipher.update(plain), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...body]);
}

/** Opens what \`sealBytes\` made; a wrong key, changed bytes or another place throws (a fault). */
export function openBytes(key: Buffer, sealed: Buffer, place: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
  decipher.setAAD(Buffer.from(place, 'utf8'));
`,
    to: `  const body = [cipher.update(plain), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...body]);
}

export function openBytes(key: Buffer, sealed: Buffer, place: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
`,
    tests: ['src/kernel/sealing.test.ts'],
  },
  {
    name: 'the end of an arrow is not asked',
    breaks: 'Of two arrows with one event the first counts for both.',
    file: 'src/kernel/machine.ts',
    from: '&& (to === undefined || move.to === to)) return move;',
    to: ') return move;',
    tests: ['src/kernel/machine.test.ts'],
  },
];
