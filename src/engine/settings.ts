// Planner settings of the engine's connections: index look-ups by key only. A plan cached while a
// table was empty would otherwise scan it for ever (27 to 39 ms at 120,000 rows), and a bitmap scan
// searched twenty keys by workspace alone (14 ms against 0.2 ms).

/** Run-time settings of every connection that runs the engine's statements. */
export const ENGINE_SETTINGS = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  // Joins run in the order written: from the array of keys outwards.
  join_collapse_limit: '1',
  from_collapse_limit: '1',
  plan_cache_mode: 'force_generic_plan',
} as const;
