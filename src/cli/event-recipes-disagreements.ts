// Event recipes of disagreements: about a new escrow, or about a named one that holds money. [G-96]
import type { EventName } from '../product/events.ts';
import { passUntil, type Mark, type Recipe } from './event-recipe.ts';
import { heldEscrow } from './event-recipes-escrow.ts';
import type { Stage } from './fixtures.ts';

interface Disagreement {
  readonly account_id: string;
  readonly disagreement_id: string;
  readonly amount: number;
}

/** Each goes on from a new disagreement, or from the one that is named. */
function about(
  story: string,
  on: string,
  act: (fixtures: Stage, id: string, about: Disagreement) => Promise<unknown>,
): Recipe {
  const makeOn = async (fixtures: Stage, escrow_id: string): Promise<Mark> => {
    const path = `/v2/escrow/${escrow_id}/dispute`;
    await act(fixtures, escrow_id, await fixtures.get<Disagreement>('invoicing', path));
    return { escrow_id };
  };
  const make = async (fixtures: Stage) => {
    const { escrow_id = '' } = await open(fixtures, await heldEscrow(fixtures));
    return makeOn(fixtures, escrow_id);
  };
  return { story, on: `an escrow with an open disagreement: ${on}`, make, makeOn };
}

async function open(fixtures: Stage, escrow_id: string): Promise<Mark> {
  const wish = { opened_by: 'buyer', reason: 'not_received' };
  await fixtures.post('invoicing', `/v2/escrow/${escrow_id}/dispute`, wish);
  return { escrow_id };
}

export const DISAGREEMENT_EVENT_RECIPES = {
  'disagreement-opened': {
    story: 'The buyer of a new escrow says that nothing was received.',
    on: 'an escrow that holds money: its buyer opens a disagreement',
    make: async (fixtures) => open(fixtures, await heldEscrow(fixtures)),
    makeOn: open,
  },
  'disagreement-stated': about(
    'The buyer of a new escrow opens a disagreement and says why.',
    'its buyer states something',
    (fixtures, id, { account_id }) =>
      fixtures.post('invoicing', `/v2/escrow/${id}/dispute/statements`, {
        ...{ account_id, text: 'Nothing came.' },
      }),
  ),
  'disagreement-proposed': about(
    'The buyer of a new escrow opens a disagreement and proposes to get it all back.',
    'its buyer proposes to get it all back',
    (fixtures, id, { account_id, amount }) =>
      fixtures.post('invoicing', `/v2/escrow/${id}/dispute/proposal`, {
        ...{ account_id, to_sellers: 0, to_buyer: amount, to_integrator: 0 },
      }),
  ),
  'disagreement-due': {
    ...about(
      'In a cloned workspace a disagreement is opened and time passes until its limit is near.',
      'the clock of your workspace is moved',
      (fixtures, _, { disagreement_id }) => passUntil(fixtures, disagreement_id),
    ),
    takesTime: true,
  },
  'disagreement-ended': about(
    'A disagreement about a new escrow is resolved for its buyer.',
    'it is resolved for the buyer',
    (fixtures, id, { amount }) =>
      fixtures.post('invoicing', `/v2/escrow/${id}/resolve`, {
        ...{ to_sellers: 0, to_buyer: amount, to_integrator: 0 },
      }),
  ),
} satisfies Partial<Record<EventName, Recipe>>;
