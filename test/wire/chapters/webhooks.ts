// Webhook endpoints, the stream of events, the settings of a tenant.
import { dataUri, png } from '../../kit/sample-files.ts';
import type { Walk } from '../walk.ts';
import { NOBODY } from './cast.ts';

export async function webhooks(walk: Walk): Promise<void> {
  walk.chapter('16-webhooks');
  const body = { url: 'http://127.0.0.1:9/', event_names: ['kyb-webhook'], description: 'd' };
  const made = await walk.ok('createWebhookEndpoint', { body });
  await walk.ok('createWebhookEndpoint', { body: { ...body, signing: 'v1a' } });
  for (const url of ['nonsense', 'ftp://x.example/', 'https://a:b@x.example/']) {
    await walk.no('createWebhookEndpoint', { body: { ...body, url } });
  }
  await walk.no('createWebhookEndpoint', { body: { ...body, event_names: ['nonsense'] } });
  const at = { endpoint_id: made['endpoint_id'] ?? '' };
  const none = { endpoint_id: NOBODY.id };
  await walk.ok('listWebhookEndpoints');
  await walk.no('listWebhookEndpoints', { query: { surprise: 1 } });
  await walk.ok('getWebhookEndpoint', { at });
  await walk.no('getWebhookEndpoint', { at: none });
  await walk.ok('changeWebhookEndpoint', { at, body: { description: 'e' } });
  await walk.no('changeWebhookEndpoint', { at, body: { url: 'nonsense' } });
  await walk.no('changeWebhookEndpoint', { at: none, body: { description: 'e' } });
  await walk.ok('rotateWebhookSecret', { at, body: { overlap_seconds: 60 } });
  await walk.no('rotateWebhookSecret', { at, body: { overlap_seconds: 60 } });
  await walk.no('rotateWebhookSecret', { at: none, body: {} });
  await walk.ok('replayWebhookDeliveries', { at, body: { from: 1, to: 2 } });
  await walk.no('replayWebhookDeliveries', { at, body: { from: 1, to: 2, failed: true } });
  await walk.no('replayWebhookDeliveries', { at: none, body: { failed: true } });
  await walk.ok('changeWebhookEndpoint', { at, body: { state: 'disabled' } });
  await walk.no('replayWebhookDeliveries', { at, body: { failed: true } });
  await walk.ok('listWebhookDeliveries', { at });
  await walk.no('listWebhookDeliveries', { at: none });
  await walk.no('listWebhookDeliveries', { at, query: { state: 'nonsense' } });
  await walk.ok('deleteWebhookEndpoint', { at });
  await walk.no('deleteWebhookEndpoint', { at });
}

export async function events(walk: Walk): Promise<void> {
  walk.chapter('17-events');
  type Page = { events: readonly { event_id: string }[] };
  const page = await walk.ok<Page>('listEvents', { query: { after: 3, limit: 2 } });
  await walk.no('listEvents', { query: { limit: 0 } });
  await walk.no('listEvents', { query: { epoch: NOBODY.id } });
  const at = { event_id: page.events[0]?.event_id ?? '' };
  await walk.ok('getEvent', { at });
  await walk.no('getEvent', { at: { event_id: NOBODY.id } });
  await walk.no('getEvent', { at, token: await walk.api.token('read_wallets') });
}

export async function settings(walk: Walk): Promise<void> {
  walk.chapter('18-settings');
  const colors = { background_color: '#ffffff', primary_color: '#0055AA' };
  const body = {
    name: 'Shop',
    registered_origins: ['https://shop.example'],
    return_addresses: ['https://shop.example/return'],
    oauth_return_addresses: ['shop://return'],
    wallet_alerts: [{ currency: 'USD', warning: 20, critical: 10 }],
    look: { ...colors, logo: dataUri('image/png', png(2, 2)), preview_text: 'A shop.' },
  };
  await walk.ok('getSettings');
  await walk.ok('changeSettings', { body });
  await walk.no('changeSettings', { body: { registered_origins: ['nonsense'] } });
  await walk.no('changeSettings', { body: { look: { logo: 'data:,bad' } } });
  await walk.ok('getSettings');
  await walk.no('getSettings', { token: await walk.api.token('read_wallets') });
}
