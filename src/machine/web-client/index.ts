export { describeWebFailure } from "./describe-web-failure.ts";
export type { GuardedClient, OpenResponse } from "./guarded-client.ts";
export { readBody } from "./read-body.ts";
export { readProxy } from "./read-proxy.ts";
export { untilAborted } from "./until-aborted.ts";
