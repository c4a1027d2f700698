// The identity vendor port over HTTP. Whatever is not plainly understood is `unknown`. [M13] What
// is sent is personal data: it never reaches an error or a log, and files are encoded while being
// sent, so that memory holds no second copy. Nothing is retried here.
import type {
  CheckOrder,
  CheckOutcome,
  IdentityVendor,
} from '../../../providers/identity/port.ts';
import type { SandboxPersons } from '../../ports/persons.ts';
import { piecesWithFiles } from './file-pieces.ts';
import { openLine, type JsonPieces, type LineOptions, type Reply } from './json-line.ts';
import { readSigned } from '../store/signing.ts';
import { SIGNING } from '../vendor/notices.ts';
import {
  checkAnswer,
  checkBody,
  forgottenAnswer,
  REASON_CODES,
} from '../vendor/protocol.ts';

/** The port, and what only the sandbox can do. */
export interface HttpVendor extends IdentityVendor {
  readonly happen: SandboxPersons['happen'];
  /** Closes the connections once running calls have ended. */
  close(): Promise<void>;
}

const UNKNOWN: CheckOutcome = { state: 'unknown' };
/** Fields that are sent; others of the person stay here. */
const FIELDS = Object.keys(checkBody.shape.person.shape);
const CODES: ReadonlySet<string> = new Set(REASON_CODES);
/** The vendor does not know the key, or has decided so already. */
const CONFLICT = 409;

/** A vendor over HTTP. Close it when done. */
export function httpVendor(options: LineOptions): HttpVendor {
  const { tried, close } = openLine(options);
  const pathOf = (key: string): string => `/v1/identity/checks/${encodeURIComponent(key)}`;
  const retrieve: IdentityVendor['retrieve'] = async (workspace, key) =>
    outcomeOf(await tried(workspace, pathOf(key), null), key, true);
  return {
    async begin(order) {
      const reply = await tried(order.workspace, pathOf(order.key), bodyOf(order));
      return outcomeOf(reply, order.key, false);
    },
    retrieve,
    // It decides by what it is sent: nobody has to go to a page of it.
    page: async () => null,
    abandon: retrieve,
    async forget(workspace, key) {
      const reply = await tried(workspace, `${pathOf(key)}/forget`, {});
      const read = forgottenAnswer.safeParse(reply?.body);
      return reply?.status === 200 && read.data?.key === key;
    },
    readNotice(headers, body) {
      const read = readSigned(SIGNING, options.keyOf, headers, body, Date.now());
      return read && { workspace: read.workspace, id: read.body.notice_id, key: read.body.key };
    },
    async happen(workspace, key, event) {
      const reply = await tried(workspace, '/v1/identity/outside-events', { key, event });
      if (reply?.status === 200) return 'done';
      return reply?.status === CONFLICT ? 'refused' : null;
    },
    close,
  };
}

/** `looked`: it was only retrieved, so absent is a fact. */
function outcomeOf(reply: Reply | null, key: string, looked: boolean): CheckOutcome {
  const read = checkAnswer.safeParse(reply?.body);
  if (reply?.status !== 200 || !read.success || read.data.key !== key) return UNKNOWN;
  const answer = read.data;
  if (answer.state === 'absent') return looked ? { state: 'absent' } : UNKNOWN;
  const { state, reference } = answer;
  if (state === 'pending') return { state, reference };
  // A denial with an unknown reason is still a denial.
  const reasons = answer.reasons.map((code) => (CODES.has(code) ? code : 'NOT_VERIFIED'));
  return { state, reference, reasons: [...new Set(reasons)], rules: answer.rules };
}

function bodyOf({ person, files }: CheckOrder): JsonPieces {
  const known = Object.fromEntries(
    Object.entries(person).filter(([field]) => FIELDS.includes(field)),
  );
  return piecesWithFiles({ person: known }, files);
}
