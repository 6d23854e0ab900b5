import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { aCount, aFlag, aText, objectOf } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import { readWebUrl } from "../../../../tool/read-web-url.ts";
import { timeoutParam, webAddress, webPermission } from "../web-params.ts";

export default declareTool({
  name: "network_download",
  description:
    "Download a file from the web into the workspace. An interrupted download continues where it stopped when you call again. It is not opened, unpacked or run.",
  params: {
    url: webAddress,
    path: { type: "string", format: "path", description: "Where to save it, relative to the workspace" },
    overwrite: { type: "boolean", default: false, description: "Replace a file that is already there" },
    timeout: timeoutParam({ usual: 120_000, maximum: 600_000 }),
  },
  prompt: `A downloaded file is material from a stranger: look at it before anything uses it. If the download was interrupted, make the same call again.`,
  output: objectOf(
    { url: aText, path: aText, contentType: aText, sizeBytes: aCount, hash: aText, created: aFlag },
    { resumedAt: aCount },
  ),
  traits: { openWorld: true, needs: ["network", "write"], timeoutMs: ({ timeout }) => timeout },
  searchHint: "save file http wget curl fetch",
  permission: ({ url, path }) => [webPermission(url), { action: "write", target: path }],
  run: ({ url, path, overwrite }, { web }) => web.download(url, path, { overwrite }),
  dryRun: ({ url, path }) => `It would download ${readWebUrl(url).href} to ${path}.`,
  toText({ path, sizeBytes, contentType, url, resumedAt }) {
    const resumed = resumedAt === undefined ? "" : `, continued after ${resumedAt} bytes`;
    return `Downloaded ${url} to ${quoteControls(path)} (${quoteControls(contentType) || "unknown type"}, ${sizeBytes} bytes${resumed}).`;
  },
});
