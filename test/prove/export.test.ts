// The export of a tenant, proven from its lines and a public key alone; and what the proof says
// when anything in the file was changed, also by somebody who signs it anew with another key.
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CommandContext } from '../../src/cli/context.ts';
import { runProgram } from '../../src/cli/program.ts';
import { exportBytes } from '../../src/product/tenant/export/lines.ts';
import { checkExport, exportTenant, type Checked } from '../../src/product/tenant/export/index.ts';
import { openInstallation } from '../../src/system.ts';
import { openScene, type Scene } from '../audit/kit.ts';
import { testDatabase } from '../kit/database.ts';

let scene: Scene;
let lines: string[];
let key: string;
before(async () => {
  scene = await openScene(3);
  const { bench } = scene;
  const [buyer = '', seller = ''] = scene.accounts;
  const deposit = { account_id: buyer, currency: 'USD', amount: 9_000 };
  await bench.must('sandboxDeposit', { body: deposit });
  const [row] = await bench.db.query<{ payment_method_id: string }>(
    `select w.payment_method_id from wallet w join balance b using (workspace, id)
      where b.amount = 9000`,
  );
  const recipients = [{ amount: 90, fee_amount: 10, destination_account_id: seller }];
  const line = { amount: 100, currency: 'USD', transaction_type: 'user_to_user', recipients };
  for (let sale = 0; sale < 20; sale += 1) {
    const payment_methods = [{ payment_method_id: row?.payment_method_id }];
    const body = { account_id: buyer, payment_methods, line_items: [line] };
    const { invoice_id } = await bench.must<{ invoice_id: string }>('createInvoice', { body });
    await bench.must('payInvoice', { params: { invoice_id } });
  }
  await scene.live();
  let text = '';
  const made = await exportTenant(bench.services, bench.home, async (part) => {
    text += part;
  });
  lines = text.trimEnd().split('\n');
  key = made.key;
});
after(() => scene.bench.close());

const check = (of: readonly string[], by = key): Promise<Checked> =>
  checkExport(Readable.from(of), by);

/** The laws that are broken. */
async function broken(of: readonly string[], by = key): Promise<string[]> {
  const { laws } = await check(of, by);
  return laws.filter(({ breaches }) => breaches > 0).map(({ name }) => name);
}

/** The file with its digest computed and signed anew, by a key of somebody else. */
function resigned(of: readonly string[]): { readonly of: string[]; readonly by: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const by = publicKey.export({ format: 'jwk' }).x ?? '';
  const body = of.slice(0, -1);
  const digest = createHash('sha256').update(`${body.join('\n')}\n`).digest('hex');
  const bytes = exportBytes(scene.bench.home.integrator, digest);
  const signature = sign(null, bytes, privateKey).toString('base64url');
  return { of: [...body, JSON.stringify(['end', digest, by, signature])], by };
}

/** The file with one line of a kind replaced, the first one that `change` does not refuse. */
function changed(word: string, change: (line: never[]) => unknown): string[] {
  const at = lines.findIndex((line) => {
    const read = JSON.parse(line) as never[];
    return read[0] === word && change(structuredClone(read)) !== null;
  });
  assert.ok(at > 0, word);
  const made = change(JSON.parse(lines[at] ?? '') as never[]);
  return lines.toSpliced(at, 1, ...(made === undefined ? [] : [JSON.stringify(made)]));
}

test('an export holds, from its lines and the public key alone', async () => {
  const { integrator, steps, blocks, laws } = await check(lines);
  assert.deepEqual(laws.filter(({ breaches }) => breaches > 0), []);
  assert.equal(integrator, scene.bench.home.integrator);
  assert.ok(steps > 60 && blocks >= 4, `${steps} steps, ${blocks} blocks`);
  await scene.bench.proved();
});

test('nothing of a person is in it', () => {
  const text = lines.join('\n');
  assert.doesNotMatch(text, /@|username|first_name|password|secret/i);
});

test('another key, a cut and a change of any line are told', async () => {
  const { by } = resigned(lines);
  assert.deepEqual(await broken(lines, by), ['export_signed']);
  assert.deepEqual(await broken(lines.slice(0, -1)), ['export_signed']);
  assert.deepEqual(await broken([...lines, lines[1] ?? '']), ['export_signed']);
  for (const at of [1, 40, lines.length - 2]) {
    assert.ok((await broken(lines.toSpliced(at, 1))).includes('export_signed'), String(at));
  }
  assert.ok((await broken(lines.with(5, 'nonsense'))).includes('export_signed'));
  await assert.rejects(check(['["something else"]']), /no export/);
  await assert.rejects(check([]), /empty/);
});

test('books that were changed and signed by somebody else do not add up', async () => {
  type Step = [string, string, string, string, string, string, string, string, string[][]];
  const amount = changed('step', (line) => {
    const [first] = (line as unknown as Step)[8];
    if (first === undefined) return null;
    first[2] = String(BigInt(first[2] ?? '') + 1n);
    return line;
  });
  const forgeries: readonly (readonly [string[], string])[] = [
    [amount, 'entries_balance'],
    [amount, 'books_balance'],
    [changed('step', (line) => (line[2] === '2' ? undefined : null)), 'history_continues'],
    [changed('chain', () => undefined), 'chains_are_whole'],
    [changed('chain', () => undefined), 'entries_agree'],
    [changed('balance', (line) => (line[4] === '0' ? null : line.with(4, '1' as never))),
      'chains_are_whole'],
    [changed('block', (line) => line.with(2, (line[2] as unknown as string[]).slice(1) as never)),
      'audit_chain'],
    [changed('block', () => undefined), 'audit_chain'],
  ];
  for (const [forged, law] of forgeries) {
    const { of, by } = resigned(forged);
    const found = await broken(of, by);
    assert.ok(found.includes(law), `${law}: ${found.join()}`);
    assert.ok(!found.includes('export_signed'), 'with their own key the signature fits');
    assert.ok((await broken(of)).includes('export_signed'), 'with ours it does not');
  }
});

test('memory does not grow with the file', { timeout: 60_000 }, async () => {
  const STEPS = 400_000;
  const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  function* long() {
    yield lines[0] ?? '';
    for (let n = 0; n < STEPS; n += 1) {
      yield JSON.stringify(['step', id(n), '1', 'invoice', '', 'create', 'open', '', []]);
    }
  }
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used: number[] = [];
  async function* watched() {
    let read = 0;
    for (const line of long()) {
      read += 1;
      if (read % (STEPS / 4) === 0) {
        collect();
        used.push(process.memoryUsage().heapUsed);
      }
      yield line;
    }
  }
  const { steps } = await checkExport(watched(), key);
  assert.equal(steps, STEPS);
  const [first = 0, last = Infinity] = [used[0], used.at(-1)];
  assert.ok(last - first < 5_000_000, used.join());
});

test('the commands write a new file, and prove it without any installation', async () => {
  const base = await testDatabase();
  const home = mkdtempSync(join(tmpdir(), 'holdfast-export-'));
  const file = join(home, 'export.jsonl');
  const run = async (context: Partial<CommandContext>, ...args: string[]) => {
    const [out, err]: [string[], string[]] = [[], []];
    const code = await runProgram(args, {
      environment: {},
      home,
      print: (text) => void out.push(text),
      say: (line) => void err.push(line),
      colours: false,
      startSystem: () => assert.fail('nothing is started'),
      openInstallation: () => assert.fail('nothing is opened'),
      asked: new Promise(() => {}),
      ...context,
    });
    return { code, out: out.join(''), err: err.join('\n') };
  };
  const here = { environment: { DATABASE_URL: base.url }, openInstallation };
  const made = async (...args: string[]): Promise<Record<string, string>> => {
    const { out, err } = await run(here, ...args, '--json');
    return JSON.parse(out || err) as Record<string, string>;
  };
  try {
    const wish = ['--name', 'Told', '--currencies', 'USD'];
    const { integrator = '' } = await made('tenant', 'create', ...wish);
    const { key: own = '' } = await made('tenant', 'export', integrator, '--to', file);
    const again = await run(here, 'tenant', 'export', integrator, '--to', file);
    assert.equal(again.err, `${file} exists already.`, 'no file is written over');
    const nobody = await run(here, 'tenant', 'export', 'nobody', '--to', `${file}2`);
    assert.match(nobody.err, /no such tenant/);
    const proven = await run({}, 'verify', '--export', file, '--key', own);
    assert.equal(proven.code, 0, proven.err);
    assert.match(proven.out, /All 7 laws hold/);
    assert.match((await run({}, 'verify', '--export', file)).err, /Give --key/);
    assert.equal((await run({}, 'verify', '--export', file, '--key', 'A'.repeat(43))).code, 1);
  } finally {
    rmSync(home, { recursive: true, force: true });
    await base.drop();
  }
});
