// A turn of the loops on demand. Answers for many that ask at once sharing one. Knows no loop.

/**
 * What runs once for all who ask meanwhile: whoever asks while it runs is given the run after it,
 * since what they want done may have come too late for this one.
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
