import { expect, test } from "vitest";
import { htmlToMarkdown } from "../../../../src/capabilities/web/page/html-to-markdown.ts";
import { convertInThread } from "../../../../src/capabilities/web/page/page-thread.ts";
import { readPage } from "../../../../src/capabilities/web/page/read-page.ts";

const url = "https://example.com/";

test("a tag with thirty thousand attributes is read in linear time", async () => {
  const attributes = Array.from({ length: 30_000 }, (_, index) => `a${index}="b"`).join(" ");
  const { markdown } = await htmlToMarkdown({ html: `<div ${attributes}>text</div>`, url });
  expect(markdown).toBe("text");
});

test("a long page is converted while this process goes on", async () => {
  const html = `<title>Long</title>${"<p>words and words</p>".repeat(4_000)}`;
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const page = await readPage({ body: Buffer.from(html), contentType: "text/html", url });
  isDone = true;
  expect(page.title).toBe("Long");
  expect(page.blocks).toHaveLength(4_000);
  expect(turns).toBeGreaterThan(10);
});

test("a conversion that takes too long is stopped", async () => {
  const task = { kind: "html", html: "<p>x</p>".repeat(100_000), url } as const;
  await expect(convertInThread(task, { timeoutMs: 1 })).rejects.toMatchObject({ code: "too-large" });
});

test("a conversion ends when its call is cancelled", async () => {
  const task = { kind: "html", html: "<p>x</p>".repeat(100_000), url } as const;
  const stop = new AbortController();
  const conversion = convertInThread(task, { signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(conversion).rejects.toThrow("enough");
});
