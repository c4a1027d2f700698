// A production that docs/operations.md makes on one machine or two, behind TLS: its nodes, which
// start and stop as systemd has them, a stand-in of Stripe, its people, and who types the pages.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Staff } from '../console/staff.ts';
import { openFront, type Front } from '../kit/front/index.ts';
import { DOMAIN } from '../kit/front/names.ts';
import { freePort } from '../kit/haproxy.ts';
import { openStripe, type StripeServer } from '../kit/stripe/server.ts';
import { CHECKOUT, endAll, terminate, type Launched } from '../start/launch.ts';
import { Reader } from './guide.ts';
import { Machine } from './machine.ts';
import { elsewhere } from './page-rows.ts';

export class Production {
  readonly machine: Machine;
  readonly stripe: StripeServer;
  readonly front: Front;
  /** Where the proxy finds the nodes of the two machines. */
  readonly ports: readonly number[];
  readonly staff: Staff;
  readonly reader: Reader;
  /** What systemd does, on the machine of this place. */
  readonly systemd: Record<string, (place: number) => Promise<unknown>> = {
    'enable --now holdfast': (place) => this.serve(place),
    'start holdfast': (place) => this.serve(place),
    'stop holdfast': (place) => this.end(place),
    'restart holdfast': (place) => this.end(place).then(() => this.serve(place)),
    // A setting that a reload cannot change is not changed here: the server's address.
    'restart postgresql': () =>
      this.machine.typed('sudo -u postgres psql --command "select pg_reload_conf()"'),
  };
  readonly #nodes: (Launched | undefined)[] = [];
  #logged = '';

  private constructor(
    machine: Machine,
    stripe: StripeServer,
    front: Front,
    ports: readonly number[],
  ) {
    [this.machine, this.stripe, this.front, this.ports] = [machine, stripe, front, ports];
    this.staff = new Staff(`https://console.${DOMAIN}:${front.port}`);
    this.reader = new Reader(machine, this.staff);
  }

  /** A machine on which nothing is installed, with the files of a checkout. */
  static async open(): Promise<Production> {
    const machine = await Machine.open();
    const [stripe, ports] = [await openStripe(), [await freePort(), await freePort()]];
    const front = await openFront(ports[0] as number, machine.folder);
    Object.assign(machine.env, front.env);
    machine.replaced.push(
      ['=7500', `=${ports[0]}`],
      [/(?<=\.)pay\.example\.com/g, `${DOMAIN}:${front.port}`],
      ['--provider stripe', `--provider stripe --base-url ${stripe.url}`],
    );
    for (const part of ['deploy', 'docs/generated/monitoring']) {
      cpSync(join(CHECKOUT, part), join(machine.files, part), { recursive: true });
    }
    return new Production(machine, stripe, front, ports);
  }

  /** The address of a host before the nodes. */
  url(host: string, path: string): string {
    return `https://${host}.${DOMAIN}:${this.front.port}${path}`;
  }

  /** Does what no terminal here could, or leaves it to another test; false: it is to be typed. */
  async does(text: string): Promise<boolean> {
    const fits = /^(?:sudo |(ssh root@10\.0\.0\.12 ))?systemctl (.*)$/;
    const [, far, unit = ''] = fits.exec(text) ?? [];
    const systemd = this.systemd[unit];
    if (systemd !== undefined) await systemd(far === undefined ? 0 : 1);
    return systemd !== undefined || elsewhere(text) !== null;
  }

  /** Starts the node of a machine by its settings and those of the unit. */
  async serve(place: number): Promise<void> {
    const { machine, front } = this;
    const file = join(machine.folder, 'etc/systemd/system/holdfast.service');
    const own = [...readFileSync(file, 'utf8').matchAll(/^Environment=(\w+)=(.*)$/gm)].map(
      ([, name, value]) => [name, machine.filled(value ?? '')]);
    const settings = { ...Object.fromEntries(own), ...machine.settings(place === 1), ...front.env };
    const port = String(this.ports[place]);
    const node = await machine.start({ ...settings, HOLDFAST_PROXY_PORT: port });
    this.#nodes[place] = node;
    const { urls } = (await node.ready()) as { urls: Record<string, string> };
    const monitored = [`10.0.0.1${place + 1}:7411`, new URL(urls['internal'] ?? '').host] as const;
    machine.replaced.unshift(monitored);
  }

  async end(place: number): Promise<void> {
    const node = this.#nodes[place];
    this.#nodes[place] = undefined;
    if (node === undefined) return;
    await terminate(node);
    this.#logged += node.stderr();
  }

  /** The log of all nodes. */
  log(): string {
    return this.#logged + this.#nodes.map((node) => node?.stderr() ?? '').join('');
  }

  async close(): Promise<void> {
    this.reader.close();
    for (const place of this.ports.keys()) await this.end(place);
    endAll();
    this.front.stop();
    await this.stripe.close();
    await this.machine.close();
  }
}
