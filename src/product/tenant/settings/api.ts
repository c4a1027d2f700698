// The operations on a tenant's settings. [G-64] A logo is accepted only as a picture, and every
// change is audited.
import type { Transaction } from '../../../db/index.ts';
import type { Answer } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { fileRefusals, type Files } from '../../../providers/files/port.ts';
import { audit } from '../../tell/audit/index.ts';
import {
  actorOf,
  operation,
  type DomainOperation,
  type Sender,
  type Services,
} from '../../context.ts';
import { once, type Changed } from '../../idempotent/index.ts';
import { disagreementPolicy, setDisagreementPolicy } from './disagreement.ts';
import {
  alertsOf,
  checkAddresses,
  checkTexts,
  coverageSettings,
  disagreementSettings,
  disputeSettings,
  disputeSettingsBody,
  LOGO_MAX_BYTES,
  payeeSettings,
  policyOf,
  settingsBody,
  settingsRecord,
} from './schema.ts';
import {
  changeSettings,
  coverageIsPublished,
  disputePolicy,
  publishCoverage,
  setDisputePolicy,
  settingsOf,
  setVerifiedByProcessor,
  verifiedByProcessor,
} from './store.ts';

/** The picture as a data URI, stripped of everything else; '' stays ''. */
async function cleanLogo(files: Files, text: string | undefined): Promise<string | undefined> {
  if (text === undefined || text === '') return text;
  const source = { form: 'data-uri', text } as const;
  const request = { kind: 'image', source, claims: [], maxBytes: LOGO_MAX_BYTES } as const;
  const verdict = await files.inspect(request);
  if (!verdict.ok) {
    const spec = fileRefusals[verdict.code];
    throw refuse(spec, { 'look.logo': spec.sentence });
  }
  return `data:${verdict.mime};base64,${verdict.bytes.toString('base64')}`;
}

/** Names of the given fields. */
function namesOf(fields: object): string[] {
  return Object.entries(fields).flatMap(([name, to]) => (to === undefined ? [] : [name]));
}

const common = {
  cites: 'G-64',
  access: { client: 'write_settings' },
  answers: { 200: settingsRecord },
} as const;

const get = operation({
  ...common,
  id: 'getSettings',
  route: 'GET invoicing /v1/settings',
  summary: "Retrieves the tenant's name, origins, return addresses, wallet alerts and branding.",
  async run({ db }, { caller }) {
    return { status: 200, payload: await settingsOf(db, caller.workspace) };
  },
});

const change = operation({
  ...common,
  id: 'changeSettings',
  route: 'PATCH invoicing /v1/settings',
  summary: 'Updates the given settings; a list replaces the previous one. `{}` changes nothing.',
  body: settingsBody,
  refusals: Object.values(fileRefusals),
  async run(services, { caller, body, idempotency }) {
    const { workspace } = caller;
    checkAddresses(body, services.env);
    checkTexts(body, (await settingsOf(services.db, workspace)).texts);
    const enabled = await services.workspaces.currencies(workspace);
    const wallet_alerts = body.wallet_alerts && alertsOf(body.wallet_alerts, enabled);
    const look = {
      background_color: body.look?.background_color?.toLowerCase(),
      primary_color: body.look?.primary_color?.toLowerCase(),
      preview_text: body.look?.preview_text,
      logo: await cleanLogo(services.files, body.look?.logo),
    };
    const fields = namesOf(body).filter((name) => name !== 'look' || namesOf(look).length > 0);
    const work = async (tx: Transaction): Promise<Changed> => {
      if (fields.length > 0) {
        const version = await changeSettings(tx, workspace, { ...body, wallet_alerts, look });
        const detail = { version, fields: fields.join(' ') };
        const actor = actorOf(caller);
        await audit(tx, { workspace, actor, act: 'tenant_settings_changed', detail });
      }
      return { status: 200, payload: await settingsOf(tx, workspace) };
    };
    return once(services.db, workspace, idempotency, work);
  },
});

/** Changes one group of settings under the caller's key, in the audit too. */
function changed(
  { db }: Pick<Services, 'db'>,
  { caller, idempotency }: Sender,
  change: {
    readonly payload: object;
    /** As the audit names them. */
    readonly fields: string;
    /** Gives the number of changes so far. */
    set(tx: Transaction): Promise<number>;
  },
): Promise<Answer> {
  const { workspace } = caller;
  return once(db, workspace, idempotency, async (tx) => {
    const detail = { version: await change.set(tx), fields: change.fields };
    const actor = actorOf(caller);
    await audit(tx, { workspace, actor, act: 'tenant_settings_changed', detail });
    return { status: 200, payload: change.payload };
  });
}

const disputes = { ...common, answers: { 200: disputeSettings }, cites: 'G-93' } as const;

const getDisputes = operation({
  ...disputes,
  id: 'getDisputeSettings',
  route: 'GET invoicing /v1/settings/disputes',
  summary: 'Retrieves who bears lost disputes and their fees, and what sellers keep in reserve.',
  async run({ db }, { caller }) {
    return { status: 200, payload: await disputePolicy(db, caller.workspace) };
  },
});

const changeDisputes = operation({
  ...disputes,
  id: 'changeDisputeSettings',
  route: 'PUT invoicing /v1/settings/disputes',
  summary: 'Sets who bears disputes that open from now on, and what new sales put in reserve.',
  body: disputeSettingsBody,
  async run(services, request) {
    const payload = policyOf(request.body);
    const { workspace } = request.caller;
    const fields = Object.entries(payload).map(([name, to]) => `dispute_${name}:${to}`).join(' ');
    const set = (tx: Transaction) => setDisputePolicy(tx, workspace, payload);
    const answer = await changed(services, request, { payload, fields, set });
    services.workspaces.forget(workspace);
    return answer;
  },
});

const disagreements = {
  ...common,
  answers: { 200: disagreementSettings },
  cites: 'G-96',
} as const;

const getDisagreements = operation({
  ...disagreements,
  id: 'getDisagreementSettings',
  route: 'GET invoicing /v1/settings/disagreements',
  summary: 'Retrieves how long disagreements may stay open, and what happens then.',
  async run({ db }, { caller }) {
    return { status: 200, payload: await disagreementPolicy(db, caller.workspace) };
  },
});

const changeDisagreements = operation({
  ...disagreements,
  id: 'changeDisagreementSettings',
  route: 'PUT invoicing /v1/settings/disagreements',
  summary: 'Sets what becomes of disagreements that are opened from now on.',
  body: disagreementSettings,
  run: (services, request) => {
    const { caller: { workspace }, body: payload } = request;
    const fields = Object.entries(payload).map(([name, to]) => `disagreement_${name}:${to}`);
    const set = (tx: Transaction) => setDisagreementPolicy(tx, workspace, payload);
    return changed(services, request, { payload, fields: fields.join(' '), set });
  },
});

const payees = { ...common, answers: { 200: payeeSettings }, cites: 'G-92' } as const;

const getPayees = operation({
  ...payees,
  id: 'getPayeeSettings',
  route: 'GET invoicing /v1/settings/payees',
  summary: "Retrieves whether the card processor's verification of a seller counts here.",
  async run({ db }, { caller }) {
    const processor_verifies = await verifiedByProcessor(db, caller.workspace);
    return { status: 200, payload: { processor_verifies } };
  },
});

const changePayees = operation({
  ...payees,
  id: 'changePayeeSettings',
  route: 'PUT invoicing /v1/settings/payees',
  summary: "Sets whether the card processor's verification of a seller counts from now on.",
  body: payeeSettings,
  run: (services, request) => {
    const { caller: { workspace }, body: payload } = request;
    const { processor_verifies: verifies } = payload;
    const fields = `processor_verifies:${verifies}`;
    const set = (tx: Transaction) => setVerifiedByProcessor(tx, workspace, verifies);
    return changed(services, request, { payload, fields, set });
  },
});

const coverage = { ...common, answers: { 200: coverageSettings }, cites: 'G-99' } as const;

const getCoverage = operation({
  ...coverage,
  id: 'getCoverageSettings',
  route: 'GET invoicing /v1/settings/coverage',
  summary: "Retrieves whether anybody may read the tenant's coverage.",
  async run({ db }, { caller }) {
    const published = await coverageIsPublished(db, caller.workspace);
    return { status: 200, payload: { published } };
  },
});

const changeCoverage = operation({
  ...coverage,
  id: 'changeCoverageSettings',
  route: 'PUT invoicing /v1/settings/coverage',
  summary: "Publishes the tenant's coverage, or ends that.",
  body: coverageSettings,
  run: (services, request) => {
    const { caller: { workspace }, body: payload } = request;
    const fields = `coverage_published:${payload.published}`;
    const set = (tx: Transaction) => publishCoverage(tx, workspace, payload.published);
    return changed(services, request, { payload, fields, set });
  },
});

export const operations: readonly DomainOperation[] = [
  ...[get, change, getDisputes, changeDisputes, getPayees, changePayees],
  ...[getCoverage, changeCoverage, getDisagreements, changeDisagreements],
];
