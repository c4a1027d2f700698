// Endpoints of entries: two for the merchant with its key, two for the entry's page, which is
// identified by the secret in its URL.
import { z } from 'zod';
import { endpoint, publicEndpoint } from './endpoint.ts';
import { beginEntry, cancelEntry, finishEntry, lookAtEntry, type Entry } from './entry.ts';
import {
  beginEntryBody,
  begunAnswer,
  entryAnswer,
  finishedAnswer,
  finishEntryBody,
} from './entry-protocol.ts';
import { refusals } from './refusals.ts';

/** Format of a secret; other text matches nothing. */
const SECRET_PARAMS = z.strictObject({ secret: z.string().regex(/^[A-Za-z0-9_-]{32}$/) });

const begin = endpoint({
  id: 'processorBeginEntry',
  route: 'POST /v1/entries',
  summary: 'Starts the entry of a card or account; returns the path of its page.',
  body: beginEntryBody,
  answer: begunAnswer,
  async run({ db, random }, { workspace, body }) {
    const { id, secret, expires } = await beginEntry(db, random, workspace, body);
    const page = body.kind === 'paypal' ? 'login' : 'entry';
    const { language } = body.look;
    const lang = language === undefined ? '' : `?lang=${language}`;
    return { id, path: `/${page}/${secret}${lang}`, expires };
  },
});

const look = endpoint({
  id: 'processorLookAtEntry',
  route: 'GET /v1/entries/{id}',
  summary: 'Retrieves an entry, with token, brand and last digits once it is completed.',
  params: z.strictObject({ id: z.string().max(100) }),
  answer: entryAnswer,
  run: ({ db }, { workspace, params }) => lookAtEntry(db, workspace, params.id),
});

const finish = publicEndpoint({
  id: 'processorFinishEntry',
  route: 'POST /entry/{secret}',
  summary: 'Submits the page of an entry; only test numbers are accepted.',
  params: SECRET_PARAMS,
  body: finishEntryBody,
  answer: finishedAnswer,
  refusals: [
    refusals.ENTRY_PAGE_NOT_FOUND,
    refusals.ENTRY_ENDED,
    refusals.ENTRY_KIND_MISMATCH,
    refusals.CARD_NOT_A_TEST_CARD,
    refusals.ACCOUNT_NOT_A_TEST_ACCOUNT,
    refusals.CARD_DATE_PAST,
  ],
  async run({ db, random }, { params, body }) {
    return shown(await finishEntry(db, random, params.secret, body));
  },
});

const cancel = publicEndpoint({
  id: 'processorCancelEntry',
  route: 'POST /entry/{secret}/cancel',
  summary: 'Cancels an entry from its page.',
  params: SECRET_PARAMS,
  answer: finishedAnswer,
  refusals: [refusals.ENTRY_PAGE_NOT_FOUND],
  run: async ({ db }, { params }) => shown(await cancelEntry(db, params.secret)),
});

function shown({ state, brand, last4 }: Entry): z.output<typeof finishedAnswer> {
  return { state, brand: brand ?? '', last4: last4 ?? '' };
}

/** The endpoints of entries. */
export const entryOperations = [begin, look, finish, cancel] as const;
