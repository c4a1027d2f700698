// Messages from a framed page of the processor, and which of them to accept.

/** An accepted message. */
export type FrameEvent =
  | { readonly type: 'ready' | 'complete' | 'cancel' }
  | { readonly type: 'resize'; readonly height: number };

/** The part of a message event that is checked. */
export interface Posted {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
}

const HIGHEST = 4000;

/**
 * The event in a message of exactly that window and origin; null for anything else, which is
 * ignored. Heights are CSS pixels.
 */
export function frameEvent(posted: Posted, frame: unknown, origin: string): FrameEvent | null {
  if (frame === null || posted.source !== frame || posted.origin !== origin) return null;
  const data = posted.data as Record<string, unknown> | null;
  if (typeof data !== 'object' || data === null || data['holdfast_processor'] !== 1) return null;
  const { type, height } = data;
  if (type === 'ready' || type === 'complete' || type === 'cancel') return { type };
  if (type !== 'resize' || typeof height !== 'number' || !(height > 0)) return null;
  return { type, height: Math.min(Math.ceil(height), HIGHEST) };
}
