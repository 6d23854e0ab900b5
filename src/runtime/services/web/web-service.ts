import type { Service } from "../service.ts";

/** Not implemented yet: tools that use it get an error. */
export const webService: Service<"web", object, undefined> = {
  offers: "fetching from the web",
  inPreview: "a preview fetches nothing",
  open: () => undefined,
};
