// Lets many callers that ask for a turn of the loops at once share one.

/**
 * Shares runs between callers: whoever asks during a run gets the next one, since their change may
 * have come too late for the current one.
 */
export function shared(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    next = null;
    running = run().finally(() => (running = null));
    return running;
  };
  return () => {
    if (running === null) return start();
    next ??= running.then(start, start);
    return next;
  };
}
