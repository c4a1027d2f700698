// Checks in tests that an operation answers only what it declares: an undeclared status, shape or
// envelope is a fault. Off in production, where it would only turn a good answer into a bad one.
import { JsonText } from '../core/json-text.ts';
import type { Answer, Operation } from '../core/operation.ts';

/** Throws if `operation` does not declare this answer. */
export function checkAnswer(operation: Operation<unknown>, answer: Answer): void {
  const schema = operation.answers[answer.status];
  if (schema === undefined) {
    throw new Error(`${operation.id} answered ${answer.status}, which it does not declare`);
  }
  const isBare = answer.bare !== undefined;
  if (isBare && answer.payload !== undefined) {
    throw new Error(`${operation.id} answered with an envelope and without one`);
  }
  if (isBare && operation.bare !== true) {
    throw new Error(`${operation.id} answered without the envelope that it declares`);
  }
  const value = isBare ? answer.bare : plain(answer.payload);
  if (schema === null) {
    if (value !== undefined) throw new Error(`${operation.id} answered a body, and declares none`);
    return;
  }
  const result = schema.safeParse(value);
  if (!result.success) {
    const paths = result.error.issues.map((issue) => `${issue.path.join('.')} (${issue.code})`);
    throw new Error(`${operation.id} answered what it does not declare: ${paths.join(', ')}`);
  }
}

function plain(payload: unknown): unknown {
  return payload instanceof JsonText ? payload.parse() : payload;
}
