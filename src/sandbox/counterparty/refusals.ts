// The refusals of simulated counterparties, in order of precedence.
import { defineRefusals } from '../../core/refusal.ts';

export const refusals = defineRefusals({
  COUNTERPARTIES_ABSENT: {
    status: 400,
    sentence: 'This installation uses real counterparties, which cannot be controlled.',
    act: 'operator',
    retry: false,
    cites: 'G-64',
  },
  COUNTERPARTY_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such counterparty. Use processor, bank, vendor or receiver.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  RECEIVER_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such receiver.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  EXCHANGE_UNKNOWN: {
    status: 400,
    sentence: 'This counterparty does not support this exchange for this operation.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  SCRIPT_TARGET_UNKNOWN: {
    status: 400,
    sentence: 'The target of the script is not a test person or a receiver of this workspace.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  SCRIPT_LIMIT: {
    status: 409,
    sentence: 'There are already 1,000 pending scripts. Clear them first.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  BOOK_PAGE_UNKNOWN: {
    status: 400,
    sentence: 'Invalid page cursor.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
});
