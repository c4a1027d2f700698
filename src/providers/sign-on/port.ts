// What we want of an identity provider with which operators sign in to the console.

/** What was configured. */
export interface SignOnSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** The file with the client's secret. */
  readonly secretFile: string;
  readonly scope: string;
  /** The claim that lists the groups. */
  readonly claim: string;
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

/** Who came back from the identity provider. */
export interface SignedOn {
  /** Who they are there, for good. */
  readonly subject: string;
  readonly name: string | null;
  readonly username: string | null;
  /** Null where it is not stated, or stated not to be verified. */
  readonly email: string | null;
  readonly groups: readonly string[];
}

/** The provider, or what came back from it, cannot be used. The message is for operators' pages. */
export class SignOnFailed extends Error {}

/** Single sign-on at one identity provider. */
export interface SignOn {
  readonly issuer: string;
  /** The names of the roles that each group there has here. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /**
   * Where to send a browser that holds `secret` in a cookie, and that the provider sends back to
   * `back`. Throws `SignOnFailed`.
   */
  begin(secret: string, back: string): Promise<URL>;
  /** Who came back to `url`, with the secret that it began with. Throws `SignOnFailed`. */
  finish(secret: string, url: URL): Promise<SignedOn>;
  /** Asks the provider for what it is; a sentence about what is wrong, or null. */
  trouble(): Promise<string | null>;
}
