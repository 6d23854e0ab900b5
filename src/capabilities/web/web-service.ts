import { acting, methodKeys, type OpenService, type Service } from "../../kernel/services/service.ts";
import { mapOf, value } from "../../shared/options/known-keys.ts";
import { placeholdersIn } from "../../shared/secrets/secret-names.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { SendSearch } from "./search/search-web.ts";
import type { WebAccess } from "./web-access.ts";

export interface WebParts {
  readonly webAccess: WebAccess;
}

/** Fetches from the web, with the call's permissions, and never from private networks unless the user names them. */
export const webService: Service<"web", WebParts, OpenService<"web">> = {
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
  open: ({ webAccess: access }) => ({
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
          const { settings, access: searchAccess } = access.search ?? {};
          const { searchWeb } = await import("./search/search-web.ts");
          const { sendRequest } = await import("./send-request.ts");
          const parts = { access: searchAccess ?? access, gate, call, isQuery: true };
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

/** Addresses and queries are written down by everybody they pass. */
function refuseSecret(text: string): void {
  const [found] = placeholdersIn(text);
  if (found === undefined) return;
  throw new ToolError("invalid-input", `the secret ${found.name} cannot be a part of an address or a query`, {
    hint: "Send it in a header or in the body.",
  });
}
