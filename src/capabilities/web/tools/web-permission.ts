import type { PermissionRequest } from "../../../tool/permission-request.ts";
import { readWebUrl } from "../../../tool/read-web-url.ts";

/** The permission for a request that the `web` service makes to this address. */
export function webPermission(url: string): PermissionRequest {
  const { authority, scheme } = readWebUrl(url);
  return { action: "network", target: authority, isGuarded: true, isEncrypted: scheme === "https" };
}
