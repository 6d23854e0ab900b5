import type { PermissionRequest } from "../../../tool/permission-request.ts";
import { readWebUrl } from "../../../tool/read-web-url.ts";

/** What a request to this address needs, if the `web` service makes it. */
export function webPermission(url: string): PermissionRequest {
  const { authority, scheme } = readWebUrl(url);
  return { action: "network", target: authority, isGuarded: true, isEncrypted: scheme === "https" };
}
