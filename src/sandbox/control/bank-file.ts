// The statement file of the sandbox's invented bank: camt.053 of version 8, with one entry.
import { displayAmount } from '../../core/currency.ts';
import type { Instant } from '../../core/time.ts';
import type { BankAccount } from '../../product/money/bank/index.ts';

/** A transfer that comes in, and the statement around it. */
export interface SandboxStatement {
  readonly account: BankAccount;
  /** At most 35 characters; the bank's reference of the entry too. */
  readonly id: string;
  readonly at: Instant;
  /** Minor units. */
  readonly opening: bigint;
  readonly amount: bigint;
  /** Who pays, and what they wrote. */
  readonly payer: string;
  readonly text: string;
}

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (one) => ESCAPES[one] ?? '');

/** The file as text. */
export function sandboxStatement(statement: SandboxStatement): string {
  const { account, id, at, opening, amount } = statement;
  const [day, time] = [at.slice(0, 10), `${at.slice(0, 19)}Z`];
  const money = (units: bigint): string => {
    const { currency, digits } = account;
    const [code = '', shown = ''] = displayAmount(units, currency, digits).split(' ');
    return `<Amt Ccy="${code}">${shown}</Amt>`;
  };
  const balance = (code: string, units: bigint): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${money(units < 0n ? -units : units)}` +
    `<CdtDbtInd>${units < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  const told = statement.text === '' ? '' :
    `<RmtInf><Ustrd>${escaped(statement.text)}</Ustrd></RmtInf>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${NAMESPACE}"><BkToCstmrStmt>
<GrpHdr><MsgId>${id}</MsgId><CreDtTm>${time}</CreDtTm></GrpHdr>
<Stmt><Id>${id}</Id><CreDtTm>${time}</CreDtTm>
<Acct><Id>${numberOf(account)}</Id><Ccy>${account.currency}</Ccy></Acct>
${balance('OPBD', opening)}
${balance('CLBD', opening + amount)}
<Ntry>${money(amount)}<CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>${id}</AcctSvcrRef>
<BkTxCd><Prtry><Cd>SANDBOX</Cd></Prtry></BkTxCd>
<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
<RltdPties><Dbtr><Pty><Nm>${escaped(statement.payer)}</Nm></Pty></Dbtr></RltdPties>
${told}</TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>
`;
}

function numberOf({ number }: BankAccount): string {
  const isIban = /^[A-Z]{2}\d{2}/.test(number);
  return isIban ? `<IBAN>${number}</IBAN>` : `<Othr><Id>${escaped(number)}</Id></Othr>`;
}
