import type { RuntimeOptions } from "../../../src/index.ts";
import { openTestSession } from "../open-test-session.ts";
import { type Site, serveWeb } from "./test-web.ts";

/** A session that may fetch everything, and a site under a name of its own that the user's configuration names. */
export async function openWeb(site: Site, options: RuntimeOptions = {}) {
  const { port, requests } = await serveWeb(site);
  const origin = `http://docs.test:${port}`;
  const opened = await openTestSession({
    permissions: { mode: "auto", allow: ["@network"] },
    web: { lookup: () => ["127.0.0.1"], origins: [origin], proxy: false },
    ...options,
  });
  return { ...opened, origin, requests };
}
