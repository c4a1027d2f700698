// Vitest's defaults fit; the first start of all may take longer than its five seconds.
export default {
  test: { include: ['vitest/*.spec.js'], hookTimeout: 120_000 },
};
