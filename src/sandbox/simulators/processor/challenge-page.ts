// The pages of the processor host, among them the one on which a buyer confirms a payment, framed
// by our pages or on its own.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { amountText } from '../../../../texts/amount.ts';
import { displayAmount, digitsOf } from '../../../core/currency.ts';
import { isUuid } from '../../../core/ids.ts';
import { html, type Html } from '../../../markup/html.ts';
import { say, type Key } from '../../../texts/index.ts';
import { challengeOf, challengeUrl, type Challenge } from './challenge.ts';
import type { SandboxProcessorServices } from './endpoint.ts';
import { entryPages, notice, sendUnknown } from './entry-page.ts';
import { plainLook, scriptTexts, sendPage, serveAssets, voiceOf, type Voice } from './page.ts';

/** Digits of a currency that ISO does not list. */
const USUAL_DIGITS = 2;

/** Registers the page. */
export function challengePages(app: FastifyInstance, services: SandboxProcessorServices): void {
  app.get<{ Params: { id: string } }>('/challenge/:id', async (request, reply) => {
    const { id } = request.params;
    const challenge = isUuid(id) ? await challengeOf(services.db, id) : null;
    if (challenge === null) return sendUnknown(request, reply);
    const { widget, hosted } = services.urls;
    const parents = [widget, hosted];
    const ancestors = [...parents, ...(await services.framesOf(challenge.workspace))];
    return sendChallenge(reply, voiceOf(request), id, challenge, parents, ancestors);
  });
}

function sendChallenge(
  reply: FastifyReply,
  voice: Voice,
  id: string,
  challenge: Challenge,
  parents: readonly string[],
  ancestors: readonly string[],
): FastifyReply {
  const state = challenge.open ? 'open' : 'over';
  return sendPage(reply, {
    voice,
    title: say(voice.texts, 'entry.bank_title'),
    look: plainLook(voice),
    script: 'challenge.js',
    data: {
      state,
      post: challengeUrl('', id),
      parent: parents.join(' '),
      texts: scriptTexts(voice, SAID),
    },
    body: challenge.open ? question(voice, challenge) : over(voice),
    ancestors,
  });
}

/** What the script says, by decisions and by codes of refusals. */
const SAID = {
  ...{ confirm: 'checkout.confirmed', refuse: 'entry.refused', close: 'page.ended' },
  ...{ CHALLENGE_OVER: 'entry.CHALLENGE_OVER', CHALLENGE_ABSENT: 'entry.CHALLENGE_OVER' },
  ...{ unreachable: 'page.unreachable', odd: 'page.odd' },
} as const satisfies Readonly<Record<string, Key>>;

function over({ texts }: Voice): Html {
  return notice(say(texts, 'entry.bank_over'), say(texts, 'entry.CHALLENGE_OVER'));
}

function question({ texts }: Voice, { amount: minor, currency }: Challenge): Html {
  const plain = displayAmount(minor, currency, digitsOf(currency) ?? USUAL_DIGITS);
  // As the surrounding page writes amounts.
  const amount = amountText(plain, texts.about.locale);
  return html`<div class="card">
<h1>${say(texts, 'entry.bank_confirm', { amount })}</h1>
<p>${say(texts, 'entry.bank_lead')}</p>
<form id="form" novalidate>
<p class="error" id="form-error" role="alert" tabindex="-1"></p>
<div class="actions">
<button type="submit" name="decision" value="refuse"
 data-test="challenge-refuse">${say(texts, 'entry.refuse')}</button>
<button type="submit" name="decision" value="confirm" class="main"
 data-test="challenge-confirm">${say(texts, 'checkout.confirm')}</button>
</div>
</form>
</div>`;
}

/** Registers the pages and what they load. */
export function pages(app: FastifyInstance, services: SandboxProcessorServices): void {
  serveAssets(app);
  entryPages(app, services);
  challengePages(app, services);
}
