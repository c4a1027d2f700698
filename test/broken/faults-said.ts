// Reads what the process logs while calls break: a lost database is expected, and each line about
// anything else is a finding.

/** States that are played, and that follow: what is locked by a lost connection is waited for. */
const PLAYED = ['40001', '40P01', '57014', '25006', '53300', '55P03', '57P01'];
const LOST = /^(?:Connection terminated|Client has encountered|the connection could not|Query read)/;

/** Keeps log lines about faults from the terminal; gives those that nobody played. */
export function faultsSaid(): { readonly found: string[]; end(): void } {
  const found: string[] = [];
  const { stdout, stderr } = process;
  const ends = [stdout, stderr].map((stream) => {
    const real = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    const heard = (text: unknown, ...rest: unknown[]): boolean => {
      if (!String(text).includes('"event":"fault"')) return real(text, ...rest);
      for (const line of String(text).split('\n').filter((one) => one !== '')) {
        const { code, message } = JSON.parse(line) as { code: string | null; message: string | null };
        if (!PLAYED.includes(code ?? '') && !LOST.test(message ?? '')) found.push(line);
      }
      return true;
    };
    stream.write = heard as typeof stream.write;
    return () => void (stream.write = real as typeof stream.write);
  });
  return { found, end: () => ends.forEach((end) => end()) };
}
