// How one setting is read from the environment.
import { isIP } from 'node:net';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An unusable setting; the message is one sentence for the operator. */
export class ConfigError extends Error {}

/** The setting; null where it is absent or empty. */
export function text(environment: Environment, name: string): string | null {
  const value = environment[name];
  return value === undefined || value === '' ? null : value;
}

/** A whole number of at most so many digits. */
export function count(
  environment: Environment,
  name: string,
  otherwise: number,
  digits = 6,
): number {
  const value = text(environment, name);
  if (value === null) return otherwise;
  if (!/^\d+$/.test(value) || value.length > digits) {
    throw new ConfigError(`${name} must be a whole number.`);
  }
  return Number(value);
}

/** True only for `on`. */
export function isOn(environment: Environment, name: string, otherwise = false): boolean {
  const value = text(environment, name) ?? (otherwise ? 'on' : 'off');
  if (value !== 'on' && value !== 'off') throw new ConfigError(`${name} must be on or off.`);
  return value === 'on';
}

/** A whole number of 1 or more. */
export function positive(environment: Environment, name: string, otherwise: number): number {
  const value = count(environment, name, otherwise);
  if (value === 0) throw new ConfigError(`${name} must be more than 0.`);
  return value;
}

/** An address to listen at; loopback if absent. */
export function address(environment: Environment, name: string): string {
  const value = text(environment, name) ?? '127.0.0.1';
  if (isIP(value) === 0) throw new ConfigError(`${name} must be an IP address, such as 0.0.0.0.`);
  return value;
}

/** An http address without a path; null if absent. */
export function baseUrl(environment: Environment, name: string): string | null {
  const value = text(environment, name);
  if (value === null || /^https?:\/\/[^/?#]+$/.test(value)) return value;
  throw new ConfigError(
    `${name} must be a base address without a path, such as https://api.example.`,
  );
}
