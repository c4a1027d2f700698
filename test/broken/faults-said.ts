// Reads what the process logs while calls break: a lost database is expected, and a key service
// that lets nobody follow; each line about anything else is a finding.

/** States that are played, and that follow: what a lost connection has locked is waited for. */
const PLAYED = ['40001', '40P01', '57014', '25006', '53300', '55P03', '57P01'];
/** What background work is told meanwhile by the engine. */
const REFUSED = ['DATABASE_UNAVAILABLE', 'OUTCOME_UNKNOWN', 'OVERLOADED', 'RESOURCE_BUSY'];
const KNOWN = new Set([...PLAYED, ...REFUSED, 'CommitUnknown']);
const LOST = /^(?:Connection term|Client has enc|the connection could not|Query read)/;
/** Of a system that the key service does not let follow a rotation yet. */
const BEHIND = /^a key is wrapped under a version that the key file does not have$/;
const FAULT = '"event":"fault"';

/** Keeps log lines about faults from stderr; gives those that nobody played. */
export function faultsSaid(): { readonly found: string[]; end(): void } {
  const found: string[] = [];
  const { stderr } = process;
  const real = stderr.write.bind(stderr) as (...args: unknown[]) => boolean;
  const heard = (text: unknown, ...rest: unknown[]): boolean => {
    if (typeof text !== 'string' || !text.includes(FAULT)) return real(text, ...rest);
    type Line = Record<'error' | 'code' | 'message', string | null>;
    const { error, code, message } = JSON.parse(text) as Line;
    const said = message ?? '';
    const isPlayed = KNOWN.has(code ?? error ?? '') || LOST.test(said) || BEHIND.test(said);
    if (!isPlayed) found.push(text.trim());
    return true;
  };
  stderr.write = heard as typeof stderr.write;
  return { found, end: () => void (stderr.write = real as typeof stderr.write) };
}
