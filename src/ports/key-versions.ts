// Versions of the master key, for whoever rotates it, and where the keys lie that it wraps. Knows
// nothing of what is sealed with them. A cloud key service has versions too, so it fits behind it.

/** The versions that there are. */
export interface VersionList {
  /** The one that wraps now. */
  readonly current: string;
  /** Those that open, oldest first. */
  readonly all: readonly string[];
  /** True for an hour after another one wrapped. */
  readonly fresh: boolean;
}

/** The versions of the master key. A wrapped text begins with its version and a point. */
export interface KeyVersions {
  /** What there is. */
  list(): Promise<VersionList>;
  /** Adds a version that opens but wraps nothing yet; gives its name. */
  prepare(): Promise<string>;
  /** Has a version wrap from now on; the one before it still opens. */
  promote(version: string): Promise<void>;
  /**
   * Forgets a version, for good. Whoever calls it has counted that nothing is wrapped under it.
   * Throws a sentence for the operator where the version wraps, or did a moment ago.
   */
  drop(version: string): Promise<void>;
}

/** A column that holds wrapped keys. */
export interface WrappedColumn {
  /** May be absent, as the shelf of a sandbox's snapshots is in production. */
  readonly table: string;
  /** The primary key. */
  readonly key: readonly string[];
  /** Holds the wrapped key, and perhaps, after a blank, what is sealed with it. */
  readonly column: string;
  /** SQL: which rows hold one; all, where it is absent. */
  readonly where?: string;
  /**
   * What the wrapped key of a row is bound to; the row's key columns come as texts, and with a
   * world its `line`.
   */
  context(key: Readonly<Record<string, string>>): string;
}
