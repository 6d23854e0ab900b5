import { hostname } from "node:os";
import type { SessionOwner } from "../../store/store.ts";

export function describeOwner({ pid, host }: SessionOwner): string {
  return host === hostname() ? `pid ${pid}` : `pid ${pid} on ${host}`;
}
