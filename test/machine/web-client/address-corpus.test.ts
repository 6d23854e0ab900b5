import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectFolder } from "../../architecture/project-files.ts";
import { createTestAuthority } from "../../support/web/certificates.ts";
import { leadTo, serveWeb } from "../../support/web/test-web.ts";
import { openPage, publicAddress } from "./open-page.ts";

interface Row {
  readonly id: string;
  readonly url: string;
  /** Whether the host may be reached, and the next one after a redirect. */
  readonly reached: boolean;
  /** What a name's lookups answer, one after the other; any other name has a public address. */
  readonly answers?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Where the first request, the second … is redirected to. */
  readonly redirects?: readonly string[];
  /** The hosts that a rule names; decided by policy, not by the client. */
  readonly domains?: readonly string[];
  readonly because: string;
}

const text = await readFile(join(projectFolder, "test/fixtures/web-addresses.jsonl"), "utf8");
const rows = text
  .trim()
  .split("\n")
  .map((line): Row => JSON.parse(line));

test.each(rows.filter(({ domains }) => domains === undefined))("$id: $url ($because)", async (row) => {
  const { url, reached, answers = {}, redirects = [] } = row;
  let hop = 0;
  const site = (_request: unknown, response: import("node:http").ServerResponse) => {
    const location = redirects[hop];
    hop += 1;
    response
      .writeHead(location === undefined ? 200 : 302, location === undefined ? {} : { location })
      .end("ok");
  };
  const certificate = authority.issue(namesIn([url, ...redirects]));
  const http = await serveWeb(site);
  const https = await serveWeb(site, { certificate });
  const { dial, dialled } = leadTo({ http: http.port, https: https.port });
  const asked = new Map<string, number>();
  const lookup = (host: string) => {
    const count = asked.get(host) ?? 0;
    asked.set(host, count + 1);
    const known = answers[host];
    return known === undefined ? [publicAddress] : (known[Math.min(count, known.length - 1)] ?? []);
  };
  // As a model would, which is told of a redirect to another host and goes there itself.
  const visit = async (address: string): Promise<string> => {
    const { redirect } = await openPage(address, { lookup, dial, ca: [authority.ca] });
    return redirect === undefined ? "reached" : visit(redirect);
  };
  const outcome = await visit(url).catch((error: { code: string }) => error.code);
  if (reached) {
    expect(outcome).toBe("reached");
    return;
  }
  expect(["invalid-input", "permission-denied", "unavailable"]).toContain(outcome);
  // Whatever was refused was refused before a connection to anywhere but the first, public host.
  expect(dialled.filter((address) => address !== publicAddress)).toEqual([]);
  if (redirects.length === 0) expect(dialled).toEqual([]);
});

const authority = createTestAuthority();

function namesIn(urls: readonly string[]): string[] {
  const hosts = urls
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url).hostname.replace(/[[\]]/g, ""));
  return hosts.filter((host) => /^[a-z0-9.:-]+$/.test(host));
}
