// The page on which a buyer confirms a payment, framed by our pages or on its own.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { displayAmount, digitsOf } from '../../../core/currency.ts';
import { isUuid } from '../../../core/ids.ts';
import { html, type Html } from '../../../markup/html.ts';
import { challengeOf, challengeUrl, type Challenge } from './challenge.ts';
import type { SandboxProcessorServices } from './endpoint.ts';
import { notice, sendUnknown } from './entry-page.ts';
import { PLAIN, sendPage } from './page.ts';

/** Digits of a currency that ISO does not list. */
const USUAL_DIGITS = 2;

/** Registers the page. */
export function challengePages(app: FastifyInstance, services: SandboxProcessorServices): void {
  app.get<{ Params: { id: string } }>('/challenge/:id', async ({ params: { id } }, reply) => {
    const challenge = isUuid(id) ? await challengeOf(services.db, id) : null;
    if (challenge === null) return sendUnknown(reply);
    const { widget, hosted } = services.urls;
    const parents = [widget, hosted];
    const ancestors = [...parents, ...(await services.framesOf(challenge.workspace))];
    return sendChallenge(reply, id, challenge, parents, ancestors);
  });
}

function sendChallenge(
  reply: FastifyReply,
  id: string,
  challenge: Challenge,
  parents: readonly string[],
  ancestors: readonly string[],
): FastifyReply {
  const state = challenge.open ? 'open' : 'over';
  return sendPage(reply, {
    title: 'Sandbox bank',
    look: PLAIN,
    script: 'challenge.js',
    data: { state, post: challengeUrl('', id), parent: parents.join(' ') },
    body: challenge.open ? question(challenge) : OVER,
    ancestors,
  });
}

const OVER = notice('Nothing to confirm', 'This payment no longer needs your confirmation.');

function question({ amount, currency }: Challenge): Html {
  const plain = displayAmount(amount, currency, digitsOf(currency) ?? USUAL_DIGITS);
  // As the surrounding page writes amounts.
  const shown = plain.replace(/\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
  return html`<div class="card">
<h1>Sandbox bank: confirm the payment of ${shown}</h1>
<p>This is where a bank asks its customer to confirm a payment. In the sandbox there is no code to
enter, and no real money moves.</p>
<form id="form" novalidate>
<p class="error" id="form-error" role="alert" tabindex="-1"></p>
<div class="actions">
<button type="submit" name="decision" value="refuse" data-test="challenge-refuse">Refuse</button>
<button type="submit" name="decision" value="confirm" class="main"
 data-test="challenge-confirm">Confirm</button>
</div>
</form>
</div>`;
}
