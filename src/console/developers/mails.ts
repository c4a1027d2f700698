// The mails that a sandbox captured instead of sending them: a list, and each as its reader would
// see it. The HTML is shown in a frame that runs no script and loads nothing.
import { accountId, isUuid } from '../../core/ids.ts';
import { html } from '../../markup/html.ts';
import type { CapturedMail } from '../../providers/mail/port.ts';
import { settingsOf } from '../../product/tenant/settings/index.ts';
import { badge, card, definitions, moment, objectLink, table, verbatim } from '../blocks.ts';
import { field } from '../frame.ts';
import { get, NotThere, tenantOf, there, type ConsoleApp, type PageRequest } from '../routes.ts';
import { active, ways } from './parts.ts';

const AT = '/developers/mails';
const ROWS = 100;

/** Registers the pages; production has none of it. */
export function mailPages(app: ConsoleApp): void {
  get(app, AT, 'develop', show);
  get(app, `${AT}/:id`, 'develop', one);
  get(app, `${AT}/:id/html`, 'develop', framed);
}

function mailboxOf({ services }: PageRequest) {
  if (services.mailbox === null) throw new NotThere();
  return services.mailbox;
}

async function show(request: PageRequest) {
  const { query } = request;
  const mailbox = mailboxOf(request);
  const to = (query['to'] ?? '').trim();
  const found = await mailbox.list(tenantOf(request).workspace, to === '' ? null : to, ROWS);
  const rows = found.map(({ id, to: who, subject, at }) => {
    return [html`<a href="${AT}/${id}">${subject}</a>`, who, moment(at)];
  });
  const none = to === '' ? 'Nobody was mailed yet.' : 'Nobody was mailed at this address.';
  const head = ['Subject', 'To', 'Sent'];
  const form = html`<form method="get" action="${AT}" class="filters">
${field('To', 'to', { value: to, optional: true })}
<p><button class="quiet">Show</button></p></form>`;
  const body = html`${ways(AT, request.services)}
<p>${badge('sandbox')} A sandbox sends no mail. It keeps here what it would send; the newest
${ROWS} are shown.</p>
${card('Find', form)}${card('Mails', table({ caption: 'Mails', head, rows, empty: none }))}`;
  return { title: 'Mails', active, body };
}

async function mailAsked(request: PageRequest): Promise<CapturedMail> {
  const { id = '' } = request.params;
  const { workspace } = tenantOf(request);
  const found = there(isUuid(id) ? await mailboxOf(request).read(workspace, id) : null);
  return found;
}

async function one(request: PageRequest) {
  const mail = await mailAsked(request);
  const { id, to, from_name, reply_to, subject, text, at, account_id } = mail;
  const facts = definitions([
    ...([['To', to], ['From', from_name], ['Answers go to', reply_to]] as const),
    ...([['Sent', moment(at)], ['Account', objectLink(accountId(account_id))]] as const),
  ]);
  const body = html`${ways(AT, request.services)}<p>${badge('sandbox')} Nobody got this mail.</p>
${card(subject, facts)}${card('Plain text', verbatim('Plain text', text))}
${card('HTML', html`<iframe class="mail" title="HTML part" src="${AT}/${id}/html"
 sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`)}`;
  return { title: 'Mail', active, body, frames: true as const };
}

/** Pictures that came along are the logo alone, and links open beside the console. */
async function framed(request: PageRequest) {
  const mail = await mailAsked(request);
  const { look } = await settingsOf(request.services.db, tenantOf(request).workspace);
  const framed = mail.html
    .replaceAll('cid:logo', look.logo)
    .replace('<head>', '<head><base target="_blank">');
  return { framed };
}
