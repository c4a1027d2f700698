// Roles of the database that read views and nothing else: made and dropped by the owner of the
// tables. What a role may see is up to the views.
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import type { Random } from '../core/random.ts';
import { sqlState } from './errors.ts';
import type { Transaction } from './statement.ts';

const NOT_ALLOWED = '42501';
const ROUNDS = 4_096;
const [SALT_BYTES, PASSWORD_BYTES, NAME_BYTES] = [16, 24, 6];
/** How many connections a reader has at once. */
const CONNECTIONS = 5;
/** Of its sessions, unless they ask for others. A limit of time guards against mistakes alone. */
const SETTINGS: Readonly<Record<string, string>> = {
  default_transaction_read_only: 'on',
  statement_timeout: '60s',
  idle_in_transaction_session_timeout: '60s',
  timezone: 'UTC',
};

/** How somebody connects. */
export interface Reader {
  readonly role: string;
  /** Not stored anywhere, and not sent to the database. */
  readonly password: string;
}

/** What PostgreSQL stores of a password (RFC 5803), so that no log of statements has it. */
function verifierOf(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, 'sha256');
  const keyed = (label: string): Buffer => createHmac('sha256', salted).update(label).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const server = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ROUNDS}:${salt.toString('base64')}$${stored}:${server}`;
}

/** Makes a role that reads `schema`. Its name and its password come from `random`. */
export async function makeReader(
  tx: Transaction,
  random: Random,
  schema: string,
): Promise<Reader> {
  const [facts] = await tx.query<{ database: string; own: string }>(
    `select quote_ident(current_database()) as database, quote_ident(current_user) as own`,
  );
  const role = `${schema}_${random.bytes(NAME_BYTES).toString('hex')}`;
  const password = random.bytes(PASSWORD_BYTES).toString('base64url');
  const verifier = verifierOf(password, random.bytes(SALT_BYTES));
  try {
    await tx.execute(`create role ${role} login noinherit connection limit ${CONNECTIONS}
      password '${verifier}'`);
  } catch (error) {
    if (sqlState(error) !== NOT_ALLOWED) throw error;
    throw new Error(
      'The owner of the tables may not create roles. Type once as a superuser: ' +
        `alter role ${facts?.own ?? ''} createrole`,
    );
  }
  for (const [name, value] of Object.entries(SETTINGS)) {
    await tx.execute(`alter role ${role} set ${name} = '${value}'`);
  }
  await tx.execute(`alter role ${role} set search_path = ${schema}, public`);
  await tx.execute(`grant connect on database ${facts?.database ?? ''} to ${role}`);
  return { role, password };
}

/** Drops a role that `makeReader` made; what is connected as it finds nothing any more. */
export async function dropReader(tx: Transaction, role: string): Promise<void> {
  const [facts] = await tx.query<{ database: string; there: boolean }>({
    text: `select quote_ident(current_database()) as database,
      exists (select from pg_roles where rolname = $1) as there`,
    values: [role],
  });
  // A backup does not hold roles: after a restore elsewhere there is none.
  if (facts?.there !== true) return;
  await tx.execute(`revoke connect on database ${facts.database} from ${role}`);
  await tx.execute(`drop role ${role}`);
}
