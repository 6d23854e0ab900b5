import { parseWebUrl, type WebUrl } from "../shared/web/parse-web-url.ts";
import { ToolError } from "./tool-error.ts";

/** Throws `invalid-input` for anything but an address of the web in a form that all programs read alike. */
export function readWebUrl(text: string): WebUrl {
  const url = parseWebUrl(text);
  if (!("problem" in url)) return url;
  const shown = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
  throw new ToolError("invalid-input", `the URL ${JSON.stringify(shown)} ${url.problem}`);
}

const maxShown = 4000;
