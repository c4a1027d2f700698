// Reads a bank statement in ISO 20022 camt.053, of the versions 02 to 14 of the message. Only
// booked entries count; a file that is not whole or does not add up is refused. [G-91]
import { refuse } from '../../../core/refusal.ts';
import { refusals as no } from './refusals.ts';
import {
  dayOf,
  minorUnits,
  requireSum,
  unreadable,
  type ExpectedAccount,
  type Statement,
  type StatementRow,
} from './statement.ts';
import { all, at, readXml, textAt, type Element } from './xml.ts';

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(?:0[2-9]|1[0-4])$/;
/** Opening and closing balances; of intermediate pages too. */
const OPENING = ['OPBD', 'PRCD'];
const CLOSING = ['CLBD'];
/** Codes of a bank's own charges, commissions, fees and interest. */
const CHARGES = new Set(['CHRG', 'COMM', 'FEES', 'INTR']);

interface Part {
  readonly opening: bigint;
  readonly closing: bigint;
  readonly rows: readonly StatementRow[];
}

/** The statements of the file. Throws a Refusal for one that is not whole, or not as expected. */
export function readCamt(bytes: Uint8Array, expected: ExpectedAccount): Statement {
  const statements = statementsOf(bytes);
  const parts = statements.map((one) => readStatement(one, expected));
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) throw unreadable('Stmt: there is none');
  for (const [at, { opening }] of parts.entries()) {
    const before = parts[at - 1];
    if (before !== undefined && before.closing !== opening) throw refuse(no.BANK_FILE_SUM_WRONG);
  }
  const rows = parts.flatMap((part) => part.rows);
  return { format: 'camt.053', opening: first.opening, closing: last.closing, rows };
}

/** Number and currency that the first statement of a file names; the currency may be absent. */
export function accountOfCamt(bytes: Uint8Array): { number: string; currency: string } {
  const [first] = statementsOf(bytes);
  if (first === undefined) throw unreadable('Stmt: there is none');
  const balance = at(first, 'Bal', 'Amt')?.attributes['Ccy'] ?? '';
  return { number: numberOf(first), currency: textAt(first, 'Acct', 'Ccy') || balance };
}

function statementsOf(bytes: Uint8Array): readonly Element[] {
  const root = parsed(bytes);
  if (root.name !== 'Document' || !NAMESPACE.test(root.uri)) {
    throw unreadable('Document: not a camt.053 statement');
  }
  return all(at(root, 'BkToCstmrStmt'), 'Stmt');
}

function parsed(bytes: Uint8Array): Element {
  try {
    return readXml(bytes);
  } catch {
    throw unreadable('not a whole XML document');
  }
}

function numberOf(statement: Element): string {
  const id = at(statement, 'Acct', 'Id');
  return (textAt(id, 'IBAN') || textAt(id, 'Othr', 'Id')).replaceAll(' ', '');
}

function readStatement(statement: Element, expected: ExpectedAccount): Part {
  const { number, currency } = expected;
  if (numberOf(statement) !== number) throw refuse(no.BANK_FILE_OTHER_ACCOUNT);
  const stated = textAt(statement, 'Acct', 'Ccy');
  if (stated !== '' && stated !== currency) throw refuse(no.BANK_FILE_OTHER_CURRENCY);
  const opening = balanceOf(statement, OPENING, expected);
  const closing = balanceOf(statement, CLOSING, expected);
  const entries = all(statement, 'Ntry').filter(isBooked);
  const rows = entries.flatMap((entry, index) => rowsOf(entry, `Ntry ${index + 1}`, expected));
  requireSum(opening, rows, closing);
  return { opening, closing, rows };
}

/** Pending and informational entries are not in the balance. */
function isBooked(entry: Element): boolean {
  return (textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')) === 'BOOK';
}

function balanceOf(
  statement: Element,
  codes: readonly string[],
  expected: ExpectedAccount,
): bigint {
  for (const code of codes) {
    const found = all(statement, 'Bal').find(
      (one) => textAt(one, 'Tp', 'CdOrPrtry', 'Cd') === code,
    );
    if (found === undefined) continue;
    const amount = amountOf(at(found, 'Amt'), `Bal ${code}`, expected);
    return textAt(found, 'CdtDbtInd') === 'DBIT' ? -amount : amount;
  }
  throw unreadable(`Bal: there is no ${codes.join(' or ')}`);
}

function amountOf(amount: Element | null, place: string, expected: ExpectedAccount): bigint {
  if (amount === null) throw unreadable(`${place}: there is no amount`);
  if (amount.attributes['Ccy'] !== expected.currency) throw refuse(no.BANK_FILE_OTHER_CURRENCY);
  const units = minorUnits(amount.text, expected.digits, place);
  if (units < 0n) throw unreadable(`${place}: a negative amount`);
  return units;
}

/** The transactions of a batch where each has its amount, otherwise the entry as one row. */
function rowsOf(entry: Element, place: string, expected: ExpectedAccount): StatementRow[] {
  const amount = amountOf(at(entry, 'Amt'), place, expected);
  const groups = all(entry, 'NtryDtls');
  const details = groups.flatMap((one) => all(one, 'TxDtls'));
  const direction = directionOf(entry, place);
  const booked = dayAt(entry, 'BookgDt', place);
  const days = { booked, valueDate: at(entry, 'ValDt') ? dayAt(entry, 'ValDt', place) : booked };
  const reversed = ['true', '1'].includes(textAt(entry, 'RvslInd'));
  // One sum for a whole file names it here, perhaps without any transaction.
  const batch = groups.length === 1 ? idIn(at(groups[0] ?? null, 'Btch')) : '';
  const domain = at(entry, 'BkTxCd', 'Domn');
  const codes = [textAt(domain, 'Cd'), textAt(domain, 'Fmly', 'Cd')];
  const charge = [...codes, textAt(domain, 'Fmly', 'SubFmlyCd')].some((one) => CHARGES.has(one));
  const common = { direction, ...days, reversed, batch, charge };
  const bankReference = textAt(entry, 'AcctSvcrRef');
  if (amount === 0n) return [];
  if (details.length > 1) {
    const parts = details.map((one) => partOf(one, place, expected));
    const whole = parts.every((part) => part !== null && part > 0n);
    if (whole && parts.reduce<bigint>((sum, part) => sum + (part ?? 0n), 0n) === amount) {
      return details.map((one, index) =>
        rowOf(one, { ...common, amount: parts[index] ?? 0n, bankReference: '', batch: '' }),
      );
    }
    // Whose part is which cannot be told: one row without a payer, for a person.
    return [rowOf(null, { ...common, amount, bankReference })];
  }
  return [rowOf(details[0] ?? null, { ...common, amount, bankReference })];
}

function directionOf(entry: Element, place: string): StatementRow['direction'] {
  const sign = textAt(entry, 'CdtDbtInd');
  if (sign !== 'CRDT' && sign !== 'DBIT') throw unreadable(`${place}: neither credit nor debit`);
  return sign === 'CRDT' ? 'credit' : 'debit';
}

function dayAt(entry: Element, name: string, place: string): string {
  return dayOf(textAt(entry, name, 'Dt') || textAt(entry, name, 'DtTm'), `${place} ${name}`);
}

function partOf(detail: Element, place: string, expected: ExpectedAccount): bigint | null {
  const amount = at(detail, 'Amt') ?? at(detail, 'AmtDtls', 'TxAmt', 'Amt');
  return amount === null ? null : amountOf(amount, place, expected);
}

interface Common extends Omit<StatementRow, 'endToEndId' | 'text' | 'payerName' | 'payerNumber'
  | 'returned'> {
  readonly reversed: boolean;
  /** What its sender numbered the batch with. */
  readonly batch: string;
}

/** What the sender numbered a payment with, else its file; '' for nothing. */
function idIn(names: Element | null): string {
  const ids = ['EndToEndId', 'PmtInfId', 'MsgId'].map((name) => textAt(names, name));
  return ids.find((id) => id !== '' && id !== 'NOTPROVIDED') ?? '';
}

function rowOf(detail: Element | null, { reversed, batch, ...common }: Common): StatementRow {
  const told = at(detail, 'RmtInf');
  const parties = at(detail, 'RltdPties');
  const structured = all(told, 'Strd').map((one) => textAt(one, 'CdtrRefInf', 'Ref'));
  const free = [...all(told, 'Ustrd'), ...all(detail, 'AddtlTxInf')].map((one) => one.text);
  const account = at(parties, 'DbtrAcct', 'Id');
  return {
    ...common,
    bankReference: common.bankReference || textAt(detail, 'Refs', 'AcctSvcrRef'),
    // A debit of a whole file of ours names the file.
    endToEndId: idIn(at(detail, 'Refs')) || batch,
    text: [...structured, ...free].filter((one) => one !== '').join(' '),
    payerName: textAt(parties, 'Dbtr', 'Pty', 'Nm') || textAt(parties, 'Dbtr', 'Nm'),
    payerNumber: textAt(account, 'IBAN') || textAt(account, 'Othr', 'Id'),
    returned: reversed || at(detail, 'RtrInf') !== null,
  };
}
