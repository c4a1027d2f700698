// How many parts an escrow has at most: each is in its row, and after them it ends as a whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Decision } from '../../../engine/index.ts';
import { Refusal } from '../../../core/refusal.ts';
import { releaseEscrow, returnEscrow } from './release.ts';

/** The refusal of a part of a line item that is none, after so many parts. */
function refusalAfter(parts: number, move: typeof releaseEscrow): string | null {
  const part = { on: 'release', at: '2026-03-01T12:00:00.000000Z', lines: [] };
  const course = JSON.stringify({ parts: Array.from({ length: parts }, () => part) });
  const loaded = {
    row: { state: 'ESCROWED', time_left: null, course },
    saleTerms: { lines: [] },
    allocation: { charges: [] },
  };
  const wish = { line_items: [{ line_item_id: 'none' }] };
  try {
    const input = { escrowId: 'esc', integrator: 'shop', wish };
    move.decide({} as Decision, input as never, loaded as never);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.spec.code;
    throw error;
  }
}

test('an escrow moves in a hundred parts at most, whichever way', () => {
  for (const move of [releaseEscrow, returnEscrow]) {
    assert.equal(refusalAfter(99, move), 'ESCROW_LINE_NOT_FOUND');
    assert.equal(refusalAfter(100, move), 'ESCROW_PARTS_LIMIT');
  }
});
