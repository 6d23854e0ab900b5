import type { Service } from "../service.ts";

/** Nothing fetches from the web yet: tools that ask for it are told so. */
export const webService: Service<"web", object, undefined> = {
  offers: "fetching from the web",
  inPreview: "a preview fetches nothing",
  open: () => undefined,
};
