// The method-entry port over HTTP: begins and retrieves entries at a processor. An answer that is
// not plainly understood counts as none. It never sees what is entered.
import type { MethodEntry } from '../../../providers/method-entry/port.ts';
import { openLine, type LineOptions } from './json-line.ts';
import { begunAnswer, entryAnswer } from '../processor/entry-protocol.ts';

/** The port, with its connections. */
export interface HttpMethodEntry extends MethodEntry {
  close(): Promise<void>;
}

/** Entries at a processor over HTTP. Close it when done. */
export function httpMethodEntry(options: LineOptions): HttpMethodEntry {
  const line = openLine({ ...options, connections: 8 });
  const { origin } = new URL(options.url);
  return {
    async begin({ workspace, kind, parentOrigin, ancestors, returnUrl, look, label }) {
      const body = {
        ...{ kind, parent_origin: parentOrigin, ancestors, return_url: returnUrl, look, label },
      };
      const reply = await line.tried(workspace, '/v1/entries', body);
      const begun = begunAnswer.safeParse(reply?.body);
      if (reply?.status !== 200 || !begun.success) return null;
      const { id, path, expires } = begun.data;
      return { id, url: options.url + path, origin, expires };
    },
    async take(workspace, id) {
      const reply = await line.tried(workspace, `/v1/entries/${encodeURIComponent(id)}`, null);
      const answer = entryAnswer.safeParse(reply?.body);
      if (reply?.status !== 200 || !answer.success) return null;
      if (answer.data.state !== 'stored') {
        return answer.data.state === 'open' ? 'pending' : answer.data.state;
      }
      const { state: _state, ...token } = answer.data;
      return token;
    },
    close: () => line.close(),
  };
}
