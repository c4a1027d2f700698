// What the tenant's servers and pages rest on: origins, return addresses, name and look. Changed by
// the operation that servers use too; a page that is out of date changes nothing. [G-64]
import { canonicalJson } from '../../core/json.ts';
import { purposeOf } from '../../core/labels.ts';
import { html } from '../../markup/html.ts';
import { settingsOf, type TenantSettings } from '../../product/tenant/settings/index.ts';
import { card } from '../blocks.ts';
import { field, notice, postForm } from '../frame.ts';
import { backTo, get, post, tenantOf, type ConsoleApp, type PageRequest } from '../routes.ts';
import { refusalText, runOperation } from './act.ts';
import { active, box, ways } from './parts.ts';

const AT = '/developers/settings';

const LISTS = [
  ['registered_origins', 'Origins', 'Sites that may hold our pages in a frame'],
  ['return_addresses', 'Return addresses', 'Where people are sent after a flow'],
  ['oauth_return_addresses', 'Return addresses of sign-in', 'Where authorization codes are sent'],
] as const;
const COLORS = [
  ['background_color', 'Background'],
  ['primary_color', 'Buttons and links'],
] as const;
const LOOKS = ['background_color', 'primary_color', 'preview_text'] as const;

/** Registers the page of addresses and look. */
export function settingsPages(app: ConsoleApp): void {
  get(app, AT, 'develop', (request) => show(request, null));
  post(app, AT, 'develop', change, { upload: true });
}

const current = (request: PageRequest): Promise<TenantSettings> =>
  settingsOf(request.services.db, tenantOf(request).workspace);

/** Names the settings that a page shows. */
const markOf = ({ services: { keys } }: PageRequest, settings: TenantSettings): string =>
  keys.mac(purposeOf('idempotency'), canonicalJson(settings));

async function show(request: PageRequest, wrong: string | null) {
  const { session, form } = request;
  const settings = await current(request);
  const { look } = settings;
  const lists = LISTS.map(([name, label, means]) => {
    const text = form[name] ?? settings[name].join('\n');
    return html`<p class="field"><label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="3" spellcheck="false" aria-describedby="${name}-hint">
${text}</textarea><span class="hint" id="${name}-hint">${means}, one a line</span></p>
`;
  });
  const colors = COLORS.map(([name, label]) =>
    field(label, name, { value: form[name] ?? look[name] }, 'Such as #1d4ed8'),
  );
  const fields = html`<input type="hidden" name="seen" value="${markOf(request, settings)}">
${field('Name', 'name', { value: form['name'] ?? settings.name }, 'As people read it on our pages')}
${lists}${colors}
${field('Text in link previews', 'preview_text', {
  value: form['preview_text'] ?? look.preview_text,
  optional: true,
})}
<p class="field"><label for="logo">Logo</label>
<input id="logo" name="logo" type="file" accept="image/png,image/jpeg" aria-describedby="logo-hint">
<span class="hint" id="logo-hint">PNG or JPEG of at most 64 kB. ${
  look.logo === '' ? 'There is none now.' : 'There is one; a new one replaces it.'
}</span></p>
${look.logo !== '' && html`<fieldset><legend>The logo of now</legend>${
  box('logo_remove', 'Remove it', false)
}</fieldset>`}
<p><button>Save</button></p>`;
  const body = html`${ways(AT, request.services)}${wrong !== null && notice('bad', wrong)}
${card('Addresses and look', postForm(session, AT, fields, 'multipart/form-data'))}`;
  const status = wrong === null ? 200 : 400;
  return { title: 'Addresses and look', active, body, status };
}

async function change(request: PageRequest) {
  const { form } = request;
  const settings = await current(request);
  if (form['seen'] !== markOf(request, settings)) {
    const why = 'Somebody changed the settings since this page was shown. Look at them again.';
    return backTo(AT, why, 'bad');
  }
  const body = changesOf(form, settings);
  try {
    await runOperation(request, 'changeSettings', { body });
  } catch (error) {
    return show(request, refusalText(error));
  }
  return backTo(AT, Object.keys(body).length === 0 ? 'Nothing was changed.' : 'Saved.');
}

/** The fields of the form that differ, as the operation takes them. */
function changesOf(form: PageRequest['form'], settings: TenantSettings): object {
  const { name = settings.name, logo, logo_remove } = form;
  const lists = LISTS.flatMap(([field]) => {
    const now = (form[field] ?? '').split(/\s+/).filter((one) => one !== '');
    return now.join(' ') === settings[field].join(' ') ? [] : [[field, now] as const];
  });
  const texts = LOOKS.flatMap((field) => {
    const now = form[field] ?? settings.look[field];
    return now === settings.look[field] ? [] : [[field, now] as const];
  });
  const picture = logo ?? (logo_remove === 'on' ? '' : undefined);
  const logos = picture === undefined ? [] : [['logo', picture] as const];
  const look = Object.fromEntries([...texts, ...logos]);
  return {
    ...(name === settings.name ? {} : { name }),
    ...Object.fromEntries(lists),
    ...(Object.keys(look).length === 0 ? {} : { look }),
  };
}
