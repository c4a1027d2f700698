// Pages for people about the counterparties: an overview, and one per scenario with its calls, code
// to paste and how it must end. They work without scripts.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { html, type Html } from '../../../markup/html.ts';
import { ENGLISH } from '../../../texts/index.ts';
import type {
  CounterpartyFact,
  CounterpartyScenario,
} from '../../ports/counterparties.ts';
import { plainLook, sendPage, sendUnknown, voiceIn } from '../processor/index.ts';
import { counterpartiesAt, pageAddress, type ListUrls } from './list.ts';

interface Place {
  readonly party: CounterpartyFact;
  readonly scenario: CounterpartyScenario;
  readonly before: CounterpartyScenario | undefined;
  readonly after: CounterpartyScenario | undefined;
}

const HEADINGS = {
  processor: 'Card processor',
  bank: 'Banks and cardholders',
  vendor: 'Identity vendor',
  receiver: 'Webhook receivers',
} as const;

const KINDS = {
  scenario: 'Scripted payments',
  card: 'Test cards',
  account: 'Test accounts',
  event: 'Outside events',
  person: 'Test persons',
  decision: 'Later decisions',
  exchange: 'A single failing call',
  behaviour: 'Responses of a receiver',
} as const;

/** Registers the pages. */
export function pages(app: FastifyInstance, { urls }: { readonly urls: ListUrls }): void {
  const all = counterpartiesAt(urls);
  const places = new Map(all.flatMap(placesOf));
  app.get('/scenarios', (_request, reply) => show(reply, 'Scenarios', overview(all)));
  app.get<{ Params: { name: string } }>('/scenarios/:name', (request, reply) => {
    const place = places.get(request.params.name);
    if (place === undefined) return sendUnknown(request, reply);
    return show(reply, `${place.scenario.name}: scenario`, detail(place));
  });
}

function placesOf(party: CounterpartyFact): [string, Place][] {
  const { scenarios } = party;
  return scenarios.map((scenario, at) => {
    return [
      scenario.name,
      { party, scenario, before: scenarios[at - 1], after: scenarios[at + 1] },
    ];
  });
}

function show(reply: FastifyReply, title: string, body: Html): FastifyReply {
  // Developers read it, in English.
  const voice = voiceIn(ENGLISH);
  const bare = { voice, look: plainLook(voice), script: null, data: {}, ancestors: [] };
  return sendPage(reply, { title, ...bare, body, style: 'scenarios.css' });
}

function overview(all: readonly CounterpartyFact[]): Html {
  const links = all.map(({ name }) => html`<a href="#${name}">${HEADINGS[name]}</a>`);
  return html`<header class="top">
<p class="crumbs">Sandbox</p>
<h1>Scenarios</h1>
<p class="lead">Everything the sandbox’s counterparties can do on request. Each page says
what happens, which call triggers it, and how it must end.</p>
<nav class="chips" aria-label="Counterparties">${links}</nav>
</header>
${all.map(partOf)}`;
}

function partOf({ name, story, scenarios, exchanges }: CounterpartyFact): Html {
  const kinds = [...new Set(scenarios.map(({ kind }) => kind))];
  const lists = kinds.map((kind) => {
    const rows = scenarios.filter((one) => one.kind === kind).map(rowOf);
    return html`<h3>${KINDS[kind]}</h3>
<ul class="rows">
${rows}</ul>
`;
  });
  const scripted = exchanges.map(
    (one) => html`<li><code>${one.name}</code> <span>${one.story}</span></li>
`,
  );
  const folded =
    scripted.length > 0 &&
    html`<details><summary>Behaviours that scripts can use (${scripted.length})</summary>
<ul class="names">
${scripted}</ul></details>`;
  return html`<section id="${name}" aria-labelledby="${name}-heading">
<h2 id="${name}-heading">${HEADINGS[name]}</h2>
<p class="lead">${story}</p>
${lists}${folded}
</section>
`;
}

function rowOf({ name, story, ends }: CounterpartyScenario): Html {
  return html`<li><a href="${pageAddress('', name)}"><code>${name}</code></a>
<span>${story}</span>
<span class="ends">${ends}</span></li>
`;
}

function detail({ party, scenario, before, after }: Place): Html {
  const { name, kind, story, steps, ends, needs, how } = scenario;
  const shown = steps.map(
    ({ asked, answered }) => html`<li><code>${asked}</code><p>${answered}</p></li>
`,
  );
  const part = `${pageAddress('')}#${party.name}`;
  return html`<nav class="crumbs" aria-label="You are here">
<a href="${pageAddress('')}">Scenarios</a>
<span aria-hidden="true">/</span> <a href="${part}">${HEADINGS[party.name]}</a></nav>
<h1><code>${name}</code></h1>
<p class="lead">${story}</p>
<section class="end" aria-labelledby="end"><h2 id="end">How it must end</h2>
<p class="verdict">${ends}</p>
${outcomeOf(scenario)}</section>
<section aria-labelledby="steps"><h2 id="steps">Step by step</h2>
<ol class="steps">
${shown}</ol></section>
<section aria-labelledby="how"><h2 id="how">Make it happen</h2>
${needsOf(kind, needs)}
<h3>From a shell</h3>
<pre tabindex="0" aria-label="Call for a shell"><code>${how.curl}</code></pre>
<h3>With the client</h3>
<pre tabindex="0" aria-label="Call for the client"><code>${how.sdk}</code></pre>
<p class="note">One click selects a whole call. Replace words in braces by your own ids,
<code>TOKEN</code> by a token of your client, <code>USER_TOKEN</code> by one of the person.</p>
</section>
<nav class="neighbours" aria-label="Neighbours">${linkTo(before, 'Previous', 'prev')}
${linkTo(after, 'Next', 'next')}</nav>`;
}

/** The outcome for programs, as pairs. */
function outcomeOf({ outcome }: CounterpartyScenario): Html {
  const { of, state, code, moved, tries } = outcome;
  const lines = moved === null ? null : moved.length === 0 ? 'nothing' : moved.join(', ');
  const pairs: readonly (readonly [string, string | null])[] = [
    [of, state],
    ['code', code],
    ['statement', lines],
    ['requests', tries === null ? null : String(tries)],
  ];
  return html`<dl>${pairs.map(
    ([key, value]) => value !== null && html`<div><dt>${key}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

/** What else is needed to see it. */
function needsOf(kind: CounterpartyScenario['kind'], needs: string | null): Html | null {
  if (needs === null || kind === 'card' || kind === 'account' || kind === 'person') return null;
  const of = kind === 'decision' ? 'the test person' : 'the test account or card';
  return html`<p>This needs ${of} <code>${needs}</code>.</p>`;
}

function linkTo(
  scenario: CounterpartyScenario | undefined,
  label: string,
  rel: string,
): Html {
  if (scenario === undefined) return html`<span></span>`;
  const { name } = scenario;
  return html`<a class="${rel}" rel="${rel}" href="${pageAddress('', name)}">
<small>${label}</small> <code>${name}</code></a>`;
}
