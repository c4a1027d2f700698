// Loaded before a program by `--import`: the public names of tests lead to this machine.
import dns from 'node:dns';

/** What every public name of tests ends with. */
export const DOMAIN = 'pay.example.com';

type Ask = (name: string, ...rest: unknown[]) => void;

const ask = dns.lookup as unknown as Ask;
const here: Ask = (name, ...rest) => ask(name.endsWith(`.${DOMAIN}`) ? '127.0.0.1' : name, ...rest);
Object.assign(dns, { lookup: here });
