// The address of a receipt's page. It is sealed, so that it names nobody and nobody can make one;
// nothing of it is stored, and the same receipt has the same address. [G-66]
import { isUuid } from '../../../core/ids.ts';
import { purposeOf, sealedPlace } from '../../../core/labels.ts';
import { openBytes, sealBytes } from '../../../core/sealing.ts';
import { millisOf } from '../../../core/time.ts';
import type { Services } from '../../context.ts';
import { sealerOf } from '../../people/account/index.ts';
import { receiptOf, type Receipt, type ReceiptParts } from './receipt.ts';

type Keys = Pick<Services, 'keys'>;

/** Whose receipt an address shows. */
interface Shown {
  readonly workspace: number;
  /** UUIDs. */
  readonly account: string;
  readonly transaction: string;
}

/** A receipt with its tenant. */
export interface OpenedReceipt {
  readonly workspace: number;
  readonly receipt: Receipt;
  /** Whose it is. */
  readonly account: string;
}

/** Milliseconds from a transaction during which its page can be opened: two years. */
const OPEN_MS = 2 * 366 * 86_400_000;
const TOKEN = /^[A-Za-z0-9_-]{86}$/;
const PLACE = sealedPlace('receiptLink', 0, '');

/** The path of the page below the address of hosted pages. */
export function receiptPath({ keys }: Keys, { workspace, account, transaction }: Shown): string {
  const plain = Buffer.alloc(36);
  plain.writeInt32BE(workspace);
  bytesOf(account).copy(plain, 4);
  bytesOf(transaction).copy(plain, 20);
  const nonce = macOf(keys, plain.toString('hex')).subarray(0, 12);
  return `/receipt/${sealBytes(macOf(keys, ''), nonce, plain, PLACE).toString('base64url')}`;
}

/**
 * Opens the receipt of a page's address. Null for an address of nothing, of an erased person, of a
 * workspace that has ended, and two years after the transaction.
 */
export async function openReceipt(
  parts: ReceiptParts,
  token: string,
): Promise<OpenedReceipt | null> {
  const shown = shownBy(parts, token);
  if (shown === null) return null;
  const { workspace, account, transaction } = shown;
  const [live] = await parts.db.query<{ now: string }>({
    name: 'receipt_workspace',
    text: `select $now + clock_offset as now from workspace
      where workspace = $1 and ended is null`,
    values: [workspace],
  });
  if (live === undefined || (await sealerOf(parts, workspace, account)) === null) return null;
  const receipt = await receiptOf(parts, workspace, account, transaction);
  const isOld = receipt !== null && millisOf(live.now) - millisOf(receipt.at) > OPEN_MS;
  return receipt === null || isOld ? null : { workspace, account, receipt };
}

function shownBy({ keys }: Keys, token: string): Shown | null {
  if (!TOKEN.test(token)) return null;
  try {
    const plain = openBytes(macOf(keys, ''), Buffer.from(token, 'base64url'), PLACE);
    const [account, transaction] = [uuidOf(plain, 4), uuidOf(plain, 20)];
    return { workspace: plain.readInt32BE(), account, transaction };
  } catch {
    // Nobody here made it.
    return null;
  }
}

function macOf(keys: Services['keys'], text: string): Buffer {
  return Buffer.from(keys.mac(purposeOf('receiptLink'), text), 'hex');
}

function bytesOf(id: string): Buffer {
  if (!isUuid(id)) throw new Error('a receipt has an id that is no UUID');
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
