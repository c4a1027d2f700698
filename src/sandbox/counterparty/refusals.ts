// The refusals of simulated counterparties, in order of precedence.
import { defineRefusals, no } from '../../core/refusal.ts';

export const refusals = defineRefusals({
  COUNTERPARTIES_ABSENT: no(400, 'operator', 'G-64',
    'This installation uses real counterparties, which cannot be controlled.'),
  COUNTERPARTY_NOT_FOUND: no(404, 'caller', 'G-64',
    'There is no such counterparty. Use processor, bank, vendor or receiver.'),
  RECEIVER_NOT_FOUND: no(404, 'caller', 'G-64', 'There is no such receiver.'),
  EXCHANGE_UNKNOWN: no(400, 'caller', 'G-64',
    'This counterparty does not support this exchange for this operation.'),
  SCRIPT_TARGET_UNKNOWN: no(400, 'caller', 'G-64',
    'The target of the script is not a test person or a receiver of this workspace.'),
  SCRIPT_LIMIT: no(409, 'caller', 'G-64',
    'There are already 1,000 pending scripts. Clear them first.'),
  BOOK_PAGE_UNKNOWN: no(400, 'caller', 'G-64', 'Invalid page cursor.'),
});
