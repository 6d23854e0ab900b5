import { expect, test } from "vitest";
import { mayRobotFetch } from "../../../src/capabilities/web/fetch-page.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { serveWeb } from "../../support/web/test-web.ts";

const robots = `User-agent: other
Disallow: /

User-agent: *
User-agent: somebody # two names, one group
Disallow: /private
Allow: /private/but-this
Disallow: /*.pdf$
Disallow:

User-Agent: Toolwright
Disallow: /ours`;

test.each([
  ["somebody", "/", true],
  ["somebody", "/private/a", false],
  ["somebody", "/private/but-this/a", true],
  ["somebody", "/a/b.pdf", false],
  ["somebody", "/a/b.pdf?c", true],
  ["other", "/", false],
  ["toolwright", "/private/a", true],
  ["toolwright", "/ours/a", false],
])("robots.txt lets %s fetch %s: %s", (name, path, expected) => {
  expect(mayRobotFetch(robots, path, name)).toBe(expected);
});

test("robots.txt counts only where the user says so, and is fetched once", async () => {
  const { port, requests } = await serveWeb({
    "/robots.txt": "user-agent: *\ndisallow: /no",
    "/no": "<p>private</p>",
    "/yes": "<p>public</p>",
  });
  const origin = `http://docs.test:${port}`;
  const web = { lookup: () => ["127.0.0.1"], origins: [origin], proxy: false } as const;
  const careless = await openTestSession({
    permissions: { mode: "auto", allow: ["@network(domain:docs.test)"] },
    web,
  });
  expect((await careless.session.call("WebFetch", { url: `${origin}/no` })).status).toBe("done");
  expect(requests).toHaveLength(1);
  const careful = await openTestSession({
    permissions: { mode: "auto", allow: ["@network(domain:docs.test)"] },
    web: { ...web, robots: true },
  });
  expect((await careful.session.call("WebFetch", { url: `${origin}/yes` })).status).toBe("done");
  const refused = await careful.session.call("WebFetch", { url: `${origin}/no` });
  expect(refused.error).toMatchObject({
    code: "permission-denied",
    message: expect.stringContaining("robots.txt"),
  });
  expect(requests.slice(1).map((request) => request.replace(/^.*\//, "/"))).toEqual(["/robots.txt", "/yes"]);
});
