// Cards and accounts at the processor simulator: each becomes a token, and its number is dropped
// before anything is stored.
import type { Database } from '../../../db/index.ts';
import type { Random } from '../../../core/random.ts';
import { refuse } from '../../../core/refusal.ts';
import type { CardToken } from '../../../providers/processor/port.ts';
import type { CardBody } from './protocol.ts';
import { refusals } from './refusals.ts';
import { attachable } from './test-accounts.ts';
import { behaviourEntered, testCardNumbered } from './test-cards.ts';

const TOKEN_BYTES = 18;
/** Expiry of cards attached by name, far enough for any test. */
const NAMED_EXPIRY = { month: 12, year: 2098 } as const;

interface EnteredCard {
  readonly brand: string;
  readonly last4: string;
  readonly behaviour: string;
  readonly month: number;
  readonly year: number;
}

/** Stores a card of a workspace and returns its token; refuses a number that is no test number. */
export async function storeCard(
  db: Database,
  random: Random,
  workspace: number,
  body: CardBody,
): Promise<CardToken> {
  const card = readCard(body);
  const token = `card_${random.bytes(TOKEN_BYTES).toString('base64url')}`;
  // A card is valid until the end of its month, by the database's clock.
  const stored = await db.execute({
    name: 'processor_store_card',
    text: `insert into processor_card
        (workspace, token, brand, last4, expiry_month, expiry_year, behaviour)
      select $1, $2, $3, $4, $5::int, $6::int, $7
      where make_date($6::int, $5::int, 1) + interval '1 month' > workspace_now($1)`,
    values: [workspace, token, card.brand, card.last4, card.month, card.year, card.behaviour],
  });
  if (stored === 0) throw refuse(refusals.CARD_DATE_PAST);
  return { token, brand: card.brand, last4: card.last4 };
}

function readCard(body: CardBody): EnteredCard {
  if ('test_card' in body) {
    const card = attachable(body.test_card);
    if (card === null) throw refuse(refusals.CARD_NOT_A_TEST_CARD);
    const { month, year } = NAMED_EXPIRY;
    return { brand: card.brand, last4: card.last4, behaviour: card.name, month, year };
  }
  const card = testCardNumbered(body.number);
  if (card === null) throw refuse(refusals.CARD_NOT_A_TEST_CARD);
  const { expiry_month: month, expiry_year: year } = body;
  const behaviour = behaviourEntered(card, body.cvc, month, year);
  return { brand: card.brand, last4: card.last4, behaviour, month, year };
}
