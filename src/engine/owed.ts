// What the rows of a command's moves name and the decision itself must do: post money, and announce
// events whose message it composes. What is left undone is a fault, and so is what no row names.
import type { WebhookEvent } from '../core/event.ts';
import { postsOf, type Move } from '../core/machine.ts';
import { EngineFault } from '../core/command.ts';

/** What one command owes to its rows. */
export class Owed {
  /** Movements of money that the row of each step names. */
  readonly #movements = new Map<string, readonly string[]>();
  readonly #posted = new Set<string>();
  readonly #unsaid = new Set<string>();

  /** Notes the row of a step. */
  take({ posts, emits }: Move, id: string, version: number): void {
    if (posts !== undefined) this.#movements.set(keyOf(id, version), postsOf({ posts }));
    if (emits !== undefined && emits.record === undefined) {
      this.#unsaid.add(keyOf(id, version, emits.name));
    }
  }

  /** An entry of a step is posted, or none where nothing is to be moved. */
  post(id: string, version: number, empty: boolean): void {
    const movements = this.#movements.get(keyOf(id, version));
    if (movements === undefined && !empty) {
      throw new EngineFault('an entry is posted by a move whose row posts nothing');
    }
    for (const movement of movements ?? []) this.#posted.add(movement);
  }

  announce({ name, stepless }: WebhookEvent, id: string, version: number): void {
    if (this.#unsaid.delete(keyOf(id, version, name)) || stepless === true) return;
    throw new EngineFault(`${name} is announced by a move whose row does not emit it`);
  }

  /**
   * Throws where something is left undone. An escrow and a refund move their money along an
   * invoice, so one entry counts for every row that names its movement.
   */
  close(): void {
    for (const key of this.#unsaid) throw new EngineFault(`an event was not announced: ${key}`);
    for (const [key, movements] of this.#movements) {
      if (movements.some((movement) => this.#posted.has(movement))) continue;
      throw new EngineFault(`no entry was posted for ${movements.join(' or ')}: ${key}`);
    }
  }
}

function keyOf(id: string, version: number, event = ''): string {
  return `${id} ${version} ${event}`;
}
