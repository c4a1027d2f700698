// OpenAPI links: which operation can follow which. An answer links to an operation if it holds
// everything that its path needs, in a field of that name or as the record's own `id`.
import type { Operation } from '../core/operation.ts';
import type { Contract } from './openapi-contract.ts';
import { nameOf } from './openapi-names.ts';
import type { JsonSchema } from './openapi-schema.ts';

type Any = Operation<never>;

interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The links between the operations of one document. */
export class LinkBook {
  readonly #contract: Contract;
  readonly #operations: readonly Any[];
  readonly #used = new Map<string, Link>();

  constructor(contract: Contract, operations: readonly Any[]) {
    this.#contract = contract;
    this.#operations = operations;
  }

  /** The links of an answer, by target operation. */
  from(source: Any, payload: JsonSchema): Readonly<Record<string, { readonly $ref: string }>> {
    const found = this.#operations.flatMap((target) => {
      const link = source === target ? null : this.#between(source, payload, target);
      return link === null ? [] : [[target.id, { $ref: this.#kept(link) }] as const];
    });
    return Object.fromEntries(found);
  }

  /** Every link used so far, by name. */
  used(): Readonly<Record<string, Link>> {
    return Object.fromEntries([...this.#used].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #between(source: Any, payload: JsonSchema, target: Any): Link | null {
    const wanted = this.#contract.of(target.id).parameters.filter((one) => one.in === 'path');
    if (wanted.length === 0 || !share(source, target)) return null;
    const asked = new Set(
      this.#contract.of(source.id).parameters.flatMap((one) => (one.in === 'path' ? one.name : [])),
    );
    const root = source.bare === true ? '' : '/payload';
    const parameters: Record<string, string> = {};
    for (const { name } of wanted) {
      const field = this.#fieldOf(payload, name);
      if (field !== null) parameters[name] = `$response.body#${root}/${field}`;
      else if (asked.has(name)) parameters[name] = `$request.path.${name}`;
      else return null;
    }
    const leads = Object.values(parameters).some((from) => from.startsWith('$response'));
    return leads ? { operationId: target.id, parameters } : null;
  }

  /** The field of an answer that a path calls `name`. */
  #fieldOf(payload: JsonSchema, name: string): string | null {
    const record = nameOf(payload) ?? '';
    const fields = this.#contract.resolved(payload).properties ?? {};
    if (name in fields) return name;
    const own = `${record.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()}_id`;
    return own === name && 'id' in fields ? 'id' : null;
  }

  #kept(link: Link): string {
    const same = JSON.stringify(link);
    let name = link.operationId;
    for (let n = 2; ; n += 1) {
      const known = this.#used.get(name);
      if (known === undefined || JSON.stringify(known) === same) break;
      name = link.operationId + n;
    }
    this.#used.set(name, link);
    return `#/components/links/${name}`;
  }
}

/** True if one caller may call both. */
function share({ access }: Any, { access: other }: Any): boolean {
  if (access === 'public' || other === 'public') return true;
  return (['client', 'user', 'session'] as const).some(
    (kind) => access[kind] !== undefined && other[kind] !== undefined,
  );
}
