import { acting, type OpenService, type Service } from "../service.ts";
import type { SendSearch } from "./search/search-web.ts";
import type { WebAccess } from "./web-access.ts";

export interface WebParts {
  readonly webAccess: WebAccess;
}

/** Fetches from the web, with the call's permissions, and never from private networks unless the user names them. */
export const webService: Service<"web", WebParts, OpenService<"web">> = {
  offers: "fetching from the web",
  inPreview: "a preview fetches nothing",
  open: ({ webAccess: access }) => ({
    forCall: (gate, call) =>
      acting({
        fetch: async (url, options = {}) => {
          const { sendRequest } = await import("./send-request.ts");
          return sendRequest(url, options, { access, gate, call });
        },
        read: async (url, options = {}) => {
          const { fetchPage } = await import("./fetch-page.ts");
          return fetchPage(url, options, { access, gate, call });
        },
        search: async (query, options = {}) => {
          const { settings, access: searchAccess } = access.search ?? {};
          const { searchWeb } = await import("./search/search-web.ts");
          const { sendRequest } = await import("./send-request.ts");
          const parts = { access: searchAccess ?? access, gate, call, isQuery: true };
          const send: SendSearch = ({ url, ...request }) => sendRequest(url, request, parts);
          return searchWeb(query, options, { settings, send });
        },
        download: async (url, path, options = {}) => {
          const { downloadFile } = await import("./download-file.ts");
          const folder = access.downloadFolder(call.sessionId);
          return downloadFile(url, path, options, { access, gate, call, folder, files: call.services.files });
        },
      }),
  }),
};
