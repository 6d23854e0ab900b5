import type { PermissionRequest } from "../../../tool/permission-request.ts";
import { readWebUrl } from "../../../tool/read-web-url.ts";

/** The permission for a request that the `web` service makes to this address. */
export function webPermission(url: string): PermissionRequest {
  const { authority, scheme } = readWebUrl(url);
  return { action: "network", target: authority, isGuarded: true, isEncrypted: scheme === "https" };
}

/** The parameter for an address. */
export const webAddress = {
  type: "string",
  minLength: 1,
  description: "The whole address, beginning with https:// or http://",
} as const;

/** The parameter for a timeout. */
export function timeoutParam({ usual, maximum }: { usual: number; maximum: number }) {
  return {
    type: "integer",
    minimum: 1,
    maximum,
    default: usual,
    description: "Timeout in milliseconds",
  } as const;
}
