import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineTool } from "../../../../../src/index.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";
import { openWeb } from "../../../../support/web/open-web.ts";
import type { Handler } from "../../../../support/web/test-web.ts";

const content = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));

const serve: Handler = (_request, response) =>
  void response.setHeader("content-type", "application/octet-stream").end(content);

test("a download becomes a file of the workspace, and can be undone", async () => {
  const { session, origin, workspace } = await openWeb(serve);
  const result = await session.call("network_download", { url: `${origin}/a.bin`, path: "data/a.bin" });
  expect(result).toMatchObject({
    status: "done",
    data: { path: join(workspace, "data/a.bin"), sizeBytes: content.length },
  });
  expect(await readFile(join(workspace, "data/a.bin"))).toEqual(content);
  expect(result.receipt.effects).toMatchObject({
    hosts: [new URL(origin).host],
    writes: ["data/a.bin", "data"],
  });
  expect((await session.undo(result.callId)).status).toBe("done");
  await expect(readFile(join(workspace, "data/a.bin"))).rejects.toThrow("ENOENT");
});

test("an existing file is replaced only on request, and undo brings it back", async () => {
  const { session, origin, workspace } = await openWeb(serve);
  await session.call("file_write", { path: "a.bin", content: "old" });
  const input = { url: origin, path: "a.bin" };
  expect((await session.call("network_download", input)).error?.code).toBe("already-exists");
  const replaced = await session.call("network_download", { ...input, overwrite: true });
  expect(replaced.status).toBe("done");
  await session.undo(replaced.callId);
  expect(await readFile(join(workspace, "a.bin"), "utf8")).toBe("old");
});

test("an interrupted download continues where it stopped", async () => {
  const asked: (string | undefined)[] = [];
  const { session, origin, workspace } = await openWeb((request, response) => {
    const { range } = request.headers;
    asked.push(range);
    const start = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    const rest = content.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      etag: '"v1"',
      "content-length": String(rest.length),
      ...(start > 0 && { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` }),
    });
    if (start > 0) response.end(rest);
    else response.write(rest.subarray(0, 40_000), () => response.socket?.end());
  });
  const input = { url: `${origin}/a.bin`, path: "a.bin" };
  expect(await session.call("network_download", input)).toMatchObject({ error: { code: "unavailable" } });
  await expect(readFile(join(workspace, "a.bin"))).rejects.toThrow("ENOENT");
  const second = await session.call("network_download", input);
  expect(second).toMatchObject({ status: "done", data: { sizeBytes: content.length, resumedAt: 40_000 } });
  expect(asked).toEqual([undefined, "bytes=40000-"]);
  expect(await readFile(join(workspace, "a.bin"))).toEqual(content);
});

test("if the content has changed meanwhile, the download starts again", async () => {
  let count = 0;
  const { session, origin, workspace } = await openWeb((_request, response) => {
    count += 1;
    response.writeHead(200, { etag: `"v${count}"`, "content-length": String(content.length) });
    if (count === 1) response.write(content.subarray(0, 500), () => response.socket?.end());
    else response.end(content);
  });
  const input = { url: `${origin}/a.bin`, path: "a.bin" };
  await session.call("network_download", input);
  expect((await session.call("network_download", input)).data).not.toHaveProperty("resumedAt");
  expect(await readFile(join(workspace, "a.bin"))).toEqual(content);
});

test("a download that says it is larger than the limit is refused before it is read", async () => {
  const { session, origin } = await openWeb((_request, response) => {
    response.writeHead(200, { "content-length": "100000001" });
    response.write("a");
  });
  const { error } = await session.call("network_download", { url: origin, path: "a.bin" });
  expect(error?.code).toBe("too-large");
});

test.each([
  [404, {}, /status 404/],
  [302, { location: "https://1.1.1.1/a" }, /redirects to another site/],
  [206, { "content-range": "bytes 7-9/10" }, /status 206/],
])("status %d saves nothing", async (status, headers, message) => {
  const { session, origin } = await openWeb(
    (_request, response) => void response.writeHead(status, headers).end("x"),
  );
  const { error } = await session.call("network_download", { url: origin, path: "a.bin" });
  expect(error).toMatchObject({ code: "http-error", message: expect.stringMatching(message) });
});

test("a download needs permission for the host and for the path", async () => {
  const input = { url: "https://example.com/a", path: "a.bin" };
  const only = async (allow: string[]) => {
    const { session } = await openTestSession({ permissions: { mode: "ask", allow } });
    return (await session.explain("network_download", input)).decision;
  };
  expect(await only(["WebFetch(domain:example.com)"])).toBe("ask");
  expect(await only(["Write(a.bin)"])).toBe("ask");
  expect(await only(["WebFetch(domain:example.com)", "Write(a.bin)"])).toBe("allow");
  const { session } = await openTestSession({ permissions: { mode: "auto" } });
  expect(await session.call("network_download", { ...input, path: "../a.bin" })).toMatchObject({
    status: "denied",
  });
});

test("a dry run says what would be downloaded, and where to", async () => {
  const { session, origin, requests } = await openWeb(serve);
  const { text } = await session.dryRun("network_download", { url: `${origin}/a`, path: "a.bin" });
  expect(text).toContain(`It would download ${origin}/a to a.bin.`);
  expect(requests).toEqual([]);
});

test("content is written piece by piece beside its target, which has all of it or nothing", async () => {
  const seen: string[][] = [];
  const { session, workspace } = await openTestSession({
    permissions: { mode: "auto" },
    tools: [
      defineTool({
        name: "spool",
        description: "Writes pieces.",
        params: { fails: { type: "boolean" } },
        traits: { changesFilesOnly: true },
        run: async ({ fails }, { files }) => {
          async function* pieces() {
            for (const text of ["one ", "two ", "three"]) {
              seen.push(await readdir(workspace));
              if (fails && text === "three") throw new Error("the source broke");
              yield Buffer.from(text);
            }
          }
          return (await files.writeBytes("a.txt", pieces(), { overwrite: true })).sizeBytes;
        },
      }),
    ],
  });
  expect(await session.call("spool", { fails: true })).toMatchObject({ status: "failed" });
  expect(await readdir(workspace)).toEqual([]);
  expect(seen.map((names) => names.map((name) => name.slice(0, 12)))).toEqual([
    [".toolwright-"],
    [".toolwright-"],
    [".toolwright-"],
  ]);
  expect((await session.dryRun("spool", { fails: false })).text).toContain("+one two three");
  expect(await session.call("spool", { fails: false })).toMatchObject({ status: "done", data: 13 });
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("one two three");
});
