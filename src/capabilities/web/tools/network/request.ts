import { defined } from "../../../../shared/options/defined.ts";
import { markAsMaterial } from "../../../../shared/text/mark-as-material.ts";
import { aCount, aFlag, aText, objectOf } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import { readWebUrl } from "../../../../tool/read-web-url.ts";
import type { WebResponse } from "../../../../tool/services/web.ts";
import { timeoutParam, webAddress, webPermission } from "../web-params.ts";

export default declareTool({
  name: "network_request",
  description:
    "Send an HTTP request and return the response as it is: status, headers and body. Every method but GET needs approval. To read a page, fetch it instead.",
  params: {
    url: webAddress,
    method: {
      type: "string",
      enum: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
      default: "GET",
      description: "The method",
    },
    headers: {
      type: "object",
      additionalProperties: { type: "string" },
      default: {},
      description: "Headers by name",
    },
    body: { type: "string", maxLength: 1_000_000, required: false, description: "The body, as text" },
    timeout: timeoutParam({ usual: 30_000, maximum: 120_000 }),
  },
  prompt: `A status other than 2xx is a result, not a failure: read it. Never write a secret yourself; {{secret:NAME}} in a header or the body stands for one that the user has declared.`,
  output: objectOf(
    {
      url: aText,
      status: aCount,
      contentType: aText,
      headers: { type: "object", additionalProperties: aText },
      body: aText,
      isCut: aFlag,
    },
    { redirect: aText },
  ),
  traits: { openWorld: true, needs: ["network"], concurrencySafe: true, timeoutMs: ({ timeout }) => timeout },
  searchHint: "http api rest call send post put delete web",
  permission: ({ url, method }) => ({ ...webPermission(url), ...(method !== "GET" && { sends: true }) }),
  run: ({ url, method, headers, body }, { web }) =>
    web.fetch(url, { method, headers: headers as Record<string, string>, ...defined({ body }) }),
  dryRun: ({ url, method }) => `It would send ${method} ${readWebUrl(url).href}.`,
  toText: describeResponse,
});

function describeResponse({ url, status, headers, body, isCut, redirect }: WebResponse): string {
  const lines = [`${status} ${url}`];
  if (redirect !== undefined) lines.push(`(It redirects to ${redirect}, which was not requested.)`);
  if (body === "") lines.push("(The body is empty.)");
  const said = [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", body];
  lines.push(markAsMaterial(said.join("\n").trimEnd()));
  if (isCut) lines.push("(The body is longer than one megabyte; the rest was not read.)");
  return lines.join("\n");
}
