// Tools of analysts, by which the reporting views are read as people do: pandas over SQLAlchemy.
// Its own client installs it, at these versions, into .holdfast/analysts; psql is PostgreSQL's.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tidy/tree.ts';
import { ran } from './containers.ts';

const PROGRAMS = ['pandas==3.1.1', 'SQLAlchemy==2.1.9', 'psycopg[binary]==3.3.9'];
const FOLDER = join(ROOT, '.holdfast/analysts');
const PYTHON = join(FOLDER, 'venv/bin/python');

/** The Python that has them; installs what is missing. */
export function installPandas(): string {
  const stamp = join(FOLDER, 'installed');
  const wanted = PROGRAMS.join('\n');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return PYTHON;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  ran('python3', ['-m', 'venv', join(FOLDER, 'venv')]);
  ran(PYTHON, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PROGRAMS]);
  writeFileSync(stamp, wanted);
  return PYTHON;
}

/** What psql prints for a command at a database: a line of names, and a line for each row. */
export function psql(url: string, sql: string) {
  const options = ['-X', '-q', '--csv', '-v', 'ON_ERROR_STOP=1', '-c', sql, url];
  const { status, stdout, stderr } = spawnSync('psql', options, { encoding: 'utf8' });
  return { status, out: stdout.trim(), err: stderr };
}
