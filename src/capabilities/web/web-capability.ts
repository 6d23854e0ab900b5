import { capability } from "../../kernel/runtime/capability.ts";
import download from "./tools/network/download.ts";
import request from "./tools/network/request.ts";
import fetchPage from "./tools/web/fetch.ts";
import search from "./tools/web/search.ts";
import { createWebAccess, type WebAccess } from "./web-access.ts";
import { type WebOptions, webOptions } from "./web-options.ts";
import { webService } from "./web-service.ts";

declare module "../../kernel/runtime/runtime-options.ts" {
  interface RuntimeOptions {
    /** Settings for tools that use the web. */
    readonly web?: WebOptions;
  }
}

declare module "../../kernel/runtime/opening.ts" {
  interface RuntimeOffers {
    /** For addresses that only a server has named: without the user's own origins. */
    readonly webClient?: WebAccess["publicClient"];
  }
}

declare module "../../kernel/events/receipt.ts" {
  interface NotedFields {
    /** For a call that used the web through a proxy; with `proxy-resolved` the proxy looked up the names, unchecked. */
    readonly route?: "proxy" | "proxy-resolved";
  }
}

/** Pages, requests, downloads and searches. */
export const webCapability = capability({
  name: "web",
  options: webOptions,
  services: { web: webService },
  receipt: { route: {} },
  tools: [fetchPage, search, request, download],
  roles: { ruleSubjects: { [fetchPage.name]: "domain" } },
  open(runtime) {
    const { web } = runtime.options;
    const webAccess = createWebAccess(web, runtime);
    const ownHosts = new Set((web?.origins ?? []).map((origin) => new URL(origin).host));
    return {
      offers: { webClient: webAccess.publicClient },
      policy: { isOwnHost: (name) => ownHosts.has(name) },
      session: async () => ({ services: { web: await webService.open({ webAccess }) } }),
    };
  },
});
