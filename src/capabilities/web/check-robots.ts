import type { WebUrl } from "../../shared/web/parse-web-url.ts";
import { readWebUrl } from "../../tool/read-web-url.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { readBody } from "./client/read-body.ts";
import { mayRobotFetch } from "./may-robot-fetch.ts";
import { maxBodyBytes, ownHeaders, type SendingParts, visit } from "./send-request.ts";

/** Throws if the site's robots.txt asks programs to stay away from this page. */
export async function checkRobots(url: WebUrl, parts: SendingParts): Promise<void> {
  const { robots } = parts.access;
  const address = `${url.scheme}://${url.authority}/robots.txt`;
  const known = robots.get(address);
  const isKnown = known !== undefined && known.untilMs > Date.now();
  const text = isKnown ? known.text : await fetchRobots(readWebUrl(address), parts);
  robots.set(address, { text, untilMs: isKnown ? known.untilMs : Date.now() + keptMs });
  if (mayRobotFetch(text, url.path, "toolwright")) return;
  throw new ToolError(
    "permission-denied",
    `${url.authority} asks programs not to fetch ${url.href} (robots.txt)`,
    {
      hint: "Use another source.",
    },
  );
}

const keptMs = 60 * 60 * 1000;

function fetchRobots(url: WebUrl, parts: SendingParts): Promise<string> {
  return visit(url, { method: "GET", headers: ownHeaders }, parts, async (response, signal) => {
    const { bytes } = await readBody(response, { maxBytes: maxBodyBytes, onOverflow: "cut", signal });
    if (response.status === 200) return Buffer.from(bytes).toString();
    // A site that cannot say what it allows may mean to allow nothing (RFC 9309).
    return response.status >= 500 ? "user-agent: *\ndisallow: /" : "";
  });
}
