// A call of each operation that changes a business, for the test of idempotency.
import { dataUri, png } from '../kit/sample-files.ts';
import type { Api } from '../kit/api.ts';
import type { Body } from './market.ts';
import type { HostName } from '../../src/core/operation.ts';
import { agree, makeBusiness } from './fixtures.ts';

/** A call, another request for the same place, and the token where the client's is not right. */
type Change = readonly [HostName, string, string, Body, (Body | undefined)?, (string | undefined)?];

/** A business is begun, changed, and submitted. */
export async function businessChanges(api: Api): Promise<readonly Change[]> {
  type Made = { account_id: string };
  const call = { body: { username: 'firm' } };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', call);
  const { business, agent, document } = await makeBusiness(api);
  const { session } = await agree(api, business);
  const form = '/v1/entity/form';
  const [name, other] = [{ entity_name: 'Once' }, { entity_name: 'Other' }];
  const roles = ['control_prong'];
  const agents = [{ entity_agent_id: agent, agent_name: 'A', roles }];
  const whole = { ...name, entity_type: 'trust', agents };
  const [file, another] = [png(2, 2), png(3, 3)].map((one) => dataUri('image/png', one));
  const set = `/sandbox/entities/${(await makeBusiness(api)).entity}/state`;
  return [
    ['pii', 'POST', `/v1/entity/${account_id}/onboard`, name, other],
    ['pii', 'PUT', form, whole, { ...whole, ...other }, session],
    ['pii', 'POST', `${form}/documents`, { file }, { file: another }, session],
    ['pii', 'DELETE', `${form}/documents/${document}`, {}, undefined, session],
    ['pii', 'POST', `/v1/entity/agents/${agent}/link`, {}],
    ['pii', 'POST', `${form}/submit`, {}, undefined, session],
    ['invoicing', 'PUT', set, { status: 'DENY' }, { status: 'CANCEL' }],
  ];
}
