// ISO 20022 pain.001.001.09, customer credit transfer initiation: the version of the SEPA rulebooks
// since 2023. One payment block for the debtor's account, booked as one debit. [G-91]
import { isSepa } from '../wallet/index.ts';
import {
  bankId,
  bankText,
  decimal,
  totalOf,
  type Debtor,
  type FileContent,
  type FilePayment,
} from './content.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
/** Longest name and longest remittance text of SEPA. */
const NAME_MAX = 70;
const EURO = 'EUR';

/** An element: its name, and its text or its elements. Attributes are part of the name. */
type Element = readonly [string, string | readonly Element[]];

/** The file's text. */
export function painText(content: FileContent): string {
  const { id, drafted, payments, currency, terms } = content;
  const count = String(payments.length);
  const sum = decimal(totalOf(payments), currency);
  const head: Element = ['GrpHdr', [
    ['MsgId', bankId(id)],
    ['CreDtTm', `${drafted.slice(0, 19)}Z`],
    ['NbOfTxs', count],
    ['CtrlSum', sum],
    ['InitgPty', [['Nm', bankText(terms.debtor.name, NAME_MAX)]]],
  ]];
  const block: Element = ['PmtInf', [
    ['PmtInfId', bankId(id)],
    ['PmtMtd', 'TRF'],
    ['BtchBookg', 'true'],
    ['NbOfTxs', count],
    ['CtrlSum', sum],
    ...sepaLevel(currency),
    ['ReqdExctnDt', [['Dt', terms.execute_on]]],
    ...debtorOf(terms.debtor, currency),
    ['ChrgBr', currency === EURO ? 'SLEV' : 'SHAR'],
    ...payments.map((payment) => transaction(payment, currency)),
  ]];
  const root = `Document xmlns="${NAMESPACE}"`;
  const document: Element = [root, [['CstmrCdtTrfInitn', [head, block]]]];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(document, '')}`;
}

function sepaLevel(currency: string): Element[] {
  return currency === EURO ? [['PmtTpInf', [['SvcLvl', [['Cd', 'SEPA']]]]]] : [];
}

function debtorOf({ name, iban, bic }: Debtor, currency: string): Element[] {
  const agent: Element = bic === '' ? ['Othr', [['Id', 'NOTPROVIDED']]] : ['BICFI', bic];
  return [
    ['Dbtr', [['Nm', bankText(name, NAME_MAX)]]],
    ['DbtrAcct', [['Id', [['IBAN', iban]]], ['Ccy', currency]]],
    ['DbtrAgt', [['FinInstnId', [agent]]]],
  ];
}

function transaction({ transferId, amount, to }: FilePayment, currency: string): Element {
  const agent: Element[] =
    to.bic === '' ? [] : [['CdtrAgt', [['FinInstnId', [['BICFI', to.bic]]]]]];
  const id = bankId(transferId);
  return ['CdtTrfTxInf', [
    ['PmtId', [['InstrId', id], ['EndToEndId', id]]],
    ['Amt', [[`InstdAmt Ccy="${currency}"`, decimal(amount, currency)]]],
    ...agent,
    ['Cdtr', [['Nm', bankText(to.holder, NAME_MAX)]]],
    ['CdtrAcct', [['Id', [['IBAN', to.iban]]]]],
    ['RmtInf', [['Ustrd', `Payout ${id}`]]],
  ]];
}

/** True where the file format reaches the account: in euros pain.001 is SEPA. */
export function reaches(to: FilePayment['to'], currency: string): boolean {
  return currency !== EURO || isSepa(to);
}

function written([name, value]: Element, indent: string): string {
  const end = name.split(' ', 1)[0];
  if (typeof value === 'string') return `${indent}<${name}>${escaped(value)}</${end}>\n`;
  const inner = value.map((one) => written(one, `${indent}  `)).join('');
  return `${indent}<${name}>\n${inner}${indent}</${end}>\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
