import { expect, test } from "vitest";
import { openTestSession } from "../../../../support/open-test-session.ts";
import { openWeb } from "../../../../support/web/open-web.ts";
import type { Handler } from "../../../../support/web/test-web.ts";

const echo: Handler = (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    response.setHeader("content-type", "application/json");
    const { "x-a": a } = request.headers;
    response.end(JSON.stringify({ method: request.method, a, body: Buffer.concat(chunks).toString() }));
  });
};

test("a GET request returns status, headers and body as they are", async () => {
  const { session, origin } = await openWeb(echo);
  const result = await session.call("network_request", { url: `${origin}/x`, headers: { "X-A": "1" } });
  expect(result.data).toMatchObject({
    status: 200,
    contentType: "application/json",
    body: '{"method":"GET","a":"1","body":""}',
  });
  expect(result.text).toMatch(
    /^200 http:\/\/docs\.test.*\n<web-content-\w+>\ncontent-type: application\/json\n/,
  );
  expect(result.text).toContain('{"method":"GET"');
});

test.each(["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const)(
  "%s needs approval in every mode, whatever rules allow",
  async (method) => {
    const allow = ["network_request", "WebFetch(domain:docs.test)", "@network"];
    const { session, origin, requests } = await openWeb(echo, { permissions: { mode: "auto", allow } });
    const input = { url: origin, method, ...(method === "POST" && { body: "hello" }) };
    expect(await session.explain("network_request", input)).toMatchObject({
      decision: "ask",
      decidedBy: "floor",
    });
    expect((await session.call("network_request", input)).error?.code).toBe("approval-needed");
    expect(requests).toEqual([]);
    const approved = await session.call("network_request", input, { onApproval: () => "allow" });
    expect(approved.status).toBe("done");
    expect(requests).toHaveLength(1);
  },
);

test("in mode readonly it is denied", async () => {
  const { session } = await openTestSession({ permissions: { mode: "readonly" } });
  for (const method of ["GET", "POST"] as const) {
    const verdict = await session.explain("network_request", { url: "https://example.com/", method });
    expect(verdict.decision).toBe("deny");
  }
});

test("a dry run says what would be sent", async () => {
  const { session, origin, requests } = await openWeb(echo);
  const { text } = await session.dryRun("network_request", { url: `${origin}/`, method: "DELETE" });
  expect(text).toContain(`It would send DELETE ${origin}/.`);
  expect(requests).toEqual([]);
});

test("the internal dialect calls it internal_network_request", async () => {
  const { session, origin } = await openWeb(echo, { dialect: "internal", permissions: { mode: "auto" } });
  expect((await session.call("internal_network_request", { url: origin })).status).toBe("done");
});
