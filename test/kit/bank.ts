// Statement files of a bank as tests need them: camt.053 in two versions, with any entries, right
// or wrong.

/** One entry; amounts as the file writes them. */
export interface TestEntry {
  readonly amount: string;
  readonly sign?: 'CRDT' | 'DBIT';
  readonly status?: string;
  readonly day?: string;
  readonly reference?: string;
  readonly text?: string;
  readonly structured?: string;
  readonly payer?: string;
  readonly currency?: string;
  /** Markup in place of the transaction's details. */
  readonly details?: string;
  /** The bank takes back what it had booked. */
  readonly reversed?: boolean;
  /** Markup of the transaction's code by domain. */
  readonly code?: string;
}

/** What the file says of the whole. */
export interface TestStatement {
  readonly number: string;
  readonly currency?: string;
  readonly opening: string;
  readonly closing: string;
  readonly entries: readonly TestEntry[];
  readonly version?: '02' | '08';
}

/** The file as text. */
export function camtFile(statement: TestStatement): string {
  const { number, currency = 'EUR', version = '08' } = statement;
  const id = /^[A-Z]{2}\d{2}/.test(number)
    ? `<IBAN>${number}</IBAN>`
    : `<Othr><Id>${number}</Id></Othr>`;
  const balance = (code: string, text: string): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>` +
    `<Amt Ccy="${currency}">${text.replace('-', '')}</Amt>` +
    `<CdtDbtInd>${text.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd>` +
    `<Dt><Dt>2026-11-20</Dt></Dt></Bal>`;
  const entries = statement.entries.map((entry) => entryOf(entry, currency, version)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-20T20:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><CreDtTm>2026-11-20T20:00:00Z</CreDtTm>
<Acct><Id>${id}</Id><Ccy>${currency}</Ccy></Acct>
${balance('OPBD', statement.opening)}${balance('CLBD', statement.closing)}
${entries}</Stmt></BkToCstmrStmt></Document>
`;
}

function entryOf(entry: TestEntry, currency: string, version: string): string {
  const { sign = 'CRDT', status = 'BOOK', day = '2026-11-20', reference, payer } = entry;
  const name = `<Nm>${payer ?? ''}</Nm>`;
  const party = version === '02' ? name : `<Pty>${name}</Pty>`;
  const told = [
    entry.text === undefined ? '' : `<Ustrd>${entry.text}</Ustrd>`,
    entry.structured === undefined
      ? ''
      : `<Strd><CdtrRefInf><Ref>${entry.structured}</Ref></CdtrRefInf></Strd>`,
  ].join('');
  const details = entry.details ?? `<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
${payer === undefined ? '' : `<RltdPties><Dbtr>${party}</Dbtr></RltdPties>`}
${told === '' ? '' : `<RmtInf>${told}</RmtInf>`}</TxDtls>`;
  return `<Ntry><Amt Ccy="${entry.currency ?? currency}">${entry.amount}</Amt>
<CdtDbtInd>${sign}</CdtDbtInd>${entry.reversed === true ? '<RvslInd>true</RvslInd>' : ''}
<Sts>${version === '02' ? status : `<Cd>${status}</Cd>`}</Sts>
<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>
${reference === undefined ? '' : `<AcctSvcrRef>${reference}</AcctSvcrRef>`}
<BkTxCd>${entry.code ?? '<Prtry><Cd>T</Cd></Prtry>'}</BkTxCd><NtryDtls>${details}</NtryDtls></Ntry>
`;
}
