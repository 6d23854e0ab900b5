import { capability } from "../../kernel/runtime/index.ts";
import { acting, methodKeys, type OpenService, type Service } from "../../kernel/services/index.ts";
import { mapOf, value } from "../../shared/options/known-keys.ts";
import { placeholdersIn } from "../../shared/secrets/secret-names.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { SendSearch } from "./search/search-web.ts";
import download from "./tools/network/download.ts";
import request from "./tools/network/request.ts";
import fetchTool from "./tools/web/fetch.ts";
import search from "./tools/web/search.ts";
import { createWebAccess, type WebAccess } from "./web-access.ts";
import { type WebOptions, webOptions } from "./web-options.ts";

declare module "../../kernel/runtime/runtime-options.ts" {
  interface RuntimeOptions {
    /** Settings for tools that use the web. */
    readonly web?: WebOptions;
  }
}

declare module "../../kernel/runtime/opening.ts" {
  interface RuntimeOffers {
    /** Opens the client for addresses that only a server has named; it does not reach the user's own origins. */
    readonly webClient?: WebAccess["publicClient"];
  }
}

declare module "../../kernel/events/receipt.ts" {
  interface NotedFields {
    /** The way of a call that used the web through a proxy; with `proxy-resolved` the proxy looked up the names, unchecked. */
    readonly route?: "proxy" | "proxy-resolved";
  }
}

/** Fetches from the web, with the call's permissions, and never from private networks unless the user names them. */
const webService: Service<"web", WebAccess, OpenService<"web">> = {
  offers: "fetching from the web",
  keys: methodKeys<"web">(
    {
      fetch: [1, { method: value, headers: mapOf(value), body: value, timeoutMs: value }],
      read: [1, { question: value, timeoutMs: value }],
      download: [2, { overwrite: value, timeoutMs: value }],
      search: [1, { maxResults: value, allowedDomains: value, blockedDomains: value }],
    },
    {},
  ),
  inPreview: "a preview fetches nothing",
  open: (access) => ({
    forCall: (gate, call) =>
      acting({
        fetch: async (url, options = {}) => {
          refuseSecret(url);
          const { sendRequest } = await import("./send-request.ts");
          return sendRequest(url, options, { access, gate, call });
        },
        read: async (url, options = {}) => {
          refuseSecret(url);
          const { fetchPage } = await import("./fetch-page.ts");
          return fetchPage(url, options, { access, gate, call });
        },
        search: async (query, options = {}) => {
          refuseSecret(query);
          const { settings, client = access.client } = access.search ?? {};
          const { searchWeb } = await import("./search/search-web.ts");
          const { sendRequest } = await import("./send-request.ts");
          const parts = { access: { ...access, client }, gate, call, isQuery: true };
          const send: SendSearch = ({ url, ...request }) => sendRequest(url, request, parts);
          return searchWeb(query, options, { settings, send });
        },
        download: async (url, path, options = {}) => {
          refuseSecret(url);
          const { downloadFile } = await import("./download-file.ts");
          const folder = access.downloadFolder(call.sessionId);
          return downloadFile(url, path, options, { access, gate, call, folder, files: call.services.files });
        },
      }),
  }),
};

/** Pages, requests, downloads and searches. */
export const webCapability = capability({
  name: "web",
  options: webOptions,
  services: { web: webService },
  receipt: { route: {} },
  tools: [fetchTool, search, request, download],
  roles: { ruleSubjects: { [fetchTool.name]: "domain" } },
  open(runtime) {
    const { web } = runtime.options;
    const webAccess = createWebAccess(web, runtime);
    const ownHosts = new Set((web?.origins ?? []).map((origin) => new URL(origin).host));
    return {
      offers: { webClient: webAccess.publicClient },
      policy: { isOwnHost: (name) => ownHosts.has(name) },
      session: async () => ({ services: { web: await webService.open(webAccess) } }),
    };
  },
});

/** Addresses and queries are written down by all servers that they pass, so they may have no secrets. */
function refuseSecret(text: string): void {
  const [found] = placeholdersIn(text);
  if (found === undefined) return;
  throw new ToolError("invalid-input", `the secret ${found.name} cannot be a part of an address or a query`, {
    hint: "Send it in a header or in the body.",
  });
}
