// Rotation of the master key: its versions, and the columns that hold keys wrapped by it.
import type { Place } from '../../core/labels.ts';

/** The existing versions. */
export interface VersionList {
  /** The version that wraps now. */
  readonly current: string;
  /** Versions that unwrap, oldest first. */
  readonly all: readonly string[];
  /** True for an hour after the current version changed. */
  readonly fresh: boolean;
  /** The key of a key service that wraps the versions themselves; null: none. */
  readonly kms: string | null;
}

/** The versions of the master key. A wrapped text begins with its version and a dot. */
export interface KeyVersions {
  list(): Promise<VersionList>;
  /**
   * Makes a version; the returned function adds it, and gives its name. It unwraps, but wraps
   * nothing yet. Only the making may call a key service: no transaction waits for one.
   */
  make(): Promise<() => Promise<string>>;
  /** Makes a version wrap from now on; the previous one still unwraps. */
  promote(version: string): Promise<void>;
  /**
   * Deletes a version for good. The caller has counted that nothing is wrapped under it. Throws a
   * sentence for the operator if the version wraps or recently did.
   */
  drop(version: string): Promise<void>;
  /**
   * Wraps every version by a key of a key service, or by none; the returned function stores the
   * result.
   */
  wrapBy(kms: string | null): Promise<() => Promise<void>>;
}

/** Stands for a wrapped key that went to another installation: nobody opens what it sealed. */
export const MOVED = 'moved';

/** A column that holds wrapped keys. */
export interface WrappedColumn {
  /** May not exist, as the snapshot storage in production. */
  readonly table: string;
  /** The primary key. */
  readonly key: readonly string[];
  /** Holds the wrapped key, optionally followed by a blank and the ciphertext. */
  readonly column: string;
  /** SQL condition for rows that hold one; absent: all rows. */
  readonly where?: string;
  /**
   * The context a row's wrapped key is bound to; key columns are given as texts and, with a
   * workspace, its lineage as `line`.
   */
  context(key: Readonly<Record<string, string>>): Place;
}
