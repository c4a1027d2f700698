// Debian's Prometheus and its promtool, as they are: rules are checked and tested, and a server
// scrapes what is given to it.
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Runs promtool; gives what it said. Throws if it is missing or finds anything wrong. */
export function promtool(args: readonly string[], input = ''): string {
  const { said, status } = tried(args, input);
  assert.equal(status, 0, said);
  return said;
}

function tried(args: readonly string[], input = ''): { said: string; status: number | null } {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { input });
  assert.equal(error, undefined, 'promtool is missing: install the package prometheus');
  return { said: `${stdout.toString()}${stderr.toString()}`, status };
}

/** Runs tests of rules; gives what promtool found wrong, '' for nothing. */
export function failedRules(rules: string, tests: readonly object[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-promtool-'));
  const file = join(folder, 'tests.yml');
  writeFileSync(file, JSON.stringify({ rule_files: [rules], tests }));
  const { said, status } = tried(['test', 'rules', file]);
  rmSync(folder, { recursive: true, force: true });
  return status === 0 ? '' : said;
}

interface Answer<T> {
  readonly status: string;
  readonly data: T;
}

/** An alert that fires or is about to. */
export interface FiringAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: 'pending' | 'firing';
}

/** A running Prometheus. */
export class Prometheus {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url;
    this.#child = child;
    this.#folder = folder;
  }

  /** Starts one on a free port that scrapes `target` each second, with these rules. */
  static async start(target: string, rules: string, port: number): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-prometheus-'));
    const config = {
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      scrape_configs: [{ job_name: 'holdfast', static_configs: [{ targets: [target] }] }],
      rule_files: [join(folder, 'alerts.yml')],
    };
    writeFileSync(join(folder, 'alerts.yml'), rules);
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
    promtool(['check', 'config', join(folder, 'prometheus.yml')]);
    const args = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ];
    const child = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const running = new Prometheus(`http://127.0.0.1:${port}`, child, folder);
    await running.until('ready', async () => (await running.#get('/-/ready')).ok || null);
    return running;
  }

  async #get(path: string): Promise<Response> {
    return fetch(this.url + path).catch(() => new Response(null, { status: 503 }));
  }

  async #api<T>(path: string): Promise<T> {
    const answer = (await (await this.#get(path)).json()) as Answer<T>;
    assert.equal(answer.status, 'success');
    return answer.data;
  }

  /** The value of a query that gives one series; null for none. */
  async value(query: string): Promise<number | null> {
    type Result = { result: readonly { value: readonly [number, string] }[] };
    const path = `/api/v1/query?query=${encodeURIComponent(query)}`;
    const { result } = await this.#api<Result>(path);
    assert.ok(result.length < 2, `${query} gives ${result.length} series`);
    return result[0] === undefined ? null : Number(result[0].value[1]);
  }

  async alerts(): Promise<readonly FiringAlert[]> {
    return (await this.#api<{ alerts: readonly FiringAlert[] }>('/api/v1/alerts')).alerts;
  }

  /** Asks until `find` gives something. */
  async until<T>(what: string, find: () => Promise<T | null>, withinMs = 60_000): Promise<T> {
    for (const end = Date.now() + withinMs; ; await delay(200)) {
      const found = await find();
      if (found !== null) return found;
      assert.ok(Date.now() < end, `${what}: not within ${withinMs} ms`);
    }
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
