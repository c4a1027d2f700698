// Turns the options and environment of a command into a plan, or one sentence that says what
// contradicts what. A plan that mixes staging and production is refused here [G-04].
import { join, resolve } from 'node:path';
import { PASSWORD_FILE } from '../db/index.ts';

/** First port of the default block [G-03]. */
export const DEFAULT_PORT_BASE = 7400;
/** Lower ports need rights; above HIGHEST_PORT a block would not fit. */
const LOWEST_PORT = 1024;
const HIGHEST_PORT = 65_000;
/** Lets the system choose free ports: for servers that only programs look for. */
const ANY_PORT = 0;

/** Options of `start` as commander gives them. */
export interface StartArguments {
  readonly json?: boolean;
  readonly ephemeral?: boolean;
  readonly portBase?: string;
  readonly forwardTo?: string;
  readonly outbound?: boolean;
  readonly env?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Which data a command works on, and where it is. */
export interface DataPlan {
  readonly env: 'staging' | 'production';
  /** Null: the embedded server. */
  readonly databaseUrl: string | null;
  /** The same database as the role that owns it; null: not named. */
  readonly ownerUrl: string | null;
  readonly dataDir: string;
  readonly programsDir: string;
}

/** What a start will do. */
export interface StartPlan extends Omit<DataPlan, 'dataDir'> {
  readonly portBase: number;
  /** True for a port base that was asked for: the start fails if it is taken. [G-03] */
  readonly portBaseFixed: boolean;
  readonly forwardTo: string | null;
  /** False: nobody outside is called, as for a test of a restored copy. */
  readonly outbound: boolean;
  /** Null: a temporary folder. */
  readonly dataDir: string | null;
  readonly json: boolean;
}

/** The folder for everything stored on this machine. */
export function keptDir(environment: Environment, home: string): string {
  return resolve(home, environment['HOLDFAST_DATA_DIR'] || '.holdfast');
}

/** Finds the data of an environment (`--env`, or HOLDFAST_ENV); fails with one sentence. */
export function planData(
  named: string | undefined,
  environment: Environment,
  home: string,
): DataPlan {
  const env = named ?? (environment['HOLDFAST_ENV'] || 'staging');
  if (env !== 'staging' && env !== 'production') {
    throw new Error(`--env must be staging or production, not ${env}.`);
  }
  const databaseUrl = databaseOf(environment);
  if (env === 'production' && databaseUrl === null) {
    throw new Error('Production needs DATABASE_URL: the embedded database is for staging only.');
  }
  const kept = keptDir(environment, home);
  const ownerUrl = environment['HOLDFAST_OWNER_URL'] || null;
  const folders = { dataDir: join(kept, env), programsDir: join(kept, 'programs') };
  return { env, databaseUrl, ownerUrl, ...folders };
}

/** With the file of its password as a parameter, for whoever connects. */
function databaseOf(environment: Environment): string | null {
  const url = environment['DATABASE_URL'] || null;
  const file = environment['HOLDFAST_DATABASE_PASSWORD_FILE'] || null;
  if (url === null || file === null) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${PASSWORD_FILE}=${encodeURIComponent(file)}`;
}

/** Makes the plan of a start; fails with one sentence for the operator. */
export function planStart(
  given: StartArguments,
  environment: Environment,
  home: string,
): StartPlan {
  const data = planData(given.env, environment, home);
  if (data.env === 'production' && given.ephemeral === true) {
    throw new Error('--ephemeral is for staging only: production keeps its data.');
  }
  if (data.env === 'production' && given.forwardTo !== undefined) {
    throw new Error('--forward-to is for staging only: production has no sandbox tenant.');
  }
  if (given.outbound === false && given.forwardTo !== undefined) {
    throw new Error('--no-outbound sends nothing: leave out --forward-to.');
  }
  return {
    ...data,
    dataDir: given.ephemeral === true ? null : data.dataDir,
    portBase: readPort(given.portBase),
    portBaseFixed: given.portBase !== undefined,
    forwardTo: readTarget(given.forwardTo),
    outbound: given.outbound !== false,
    json: given.json === true,
  };
}

function readPort(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT_BASE;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port !== ANY_PORT && (port < LOWEST_PORT || port > HIGHEST_PORT)) {
    throw new Error(
      `--port-base must be a number from ${LOWEST_PORT} to ${HIGHEST_PORT}, not ${text}.`,
    );
  }
  return port;
}

function readTarget(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Error(`--forward-to must be an http or https URL, not ${text}.`);
  }
  return text;
}
