// The refusals of simulated counterparties, in order of precedence.
import { defineRefusals } from '../../kernel/refusal.ts';

export const refusals = defineRefusals({
  COUNTERPARTIES_ABSENT: {
    status: 400,
    sentence: 'The counterparties of this installation are real ones and take no commands.',
    act: 'operator',
    retry: false,
    cites: 'G-64',
  },
  COUNTERPARTY_NOT_FOUND: {
    status: 404,
    sentence: 'There is no counterparty of that name: processor, bank, vendor or receiver.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  RECEIVER_NOT_FOUND: {
    status: 404,
    sentence: 'There is no receiver of that id.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  EXCHANGE_UNKNOWN: {
    status: 400,
    sentence: 'This counterparty has no such exchange at that question; its list has them all.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  SCRIPT_TARGET_UNKNOWN: {
    status: 400,
    sentence: 'What the script is meant for is no test person, or no receiver of this world.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  SCRIPT_LIMIT: {
    status: 409,
    sentence: 'A thousand scripts wait for their turn; clear them first.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  BOOK_PAGE_UNKNOWN: {
    status: 400,
    sentence: 'This is not where a page of that book starts.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
});
