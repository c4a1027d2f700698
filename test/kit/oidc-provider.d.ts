// What the tests use of the identity provider's package, which has no types of its own.
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  /** An OpenID provider that keeps everything in memory. */
  class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
  }
  export { Provider as default };
}
