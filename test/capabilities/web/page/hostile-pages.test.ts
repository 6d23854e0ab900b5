import { expect, test } from "vitest";
import { htmlToMarkdown } from "../../../../src/capabilities/web/page/html-to-markdown.ts";
import { convertInThread } from "../../../../src/capabilities/web/page/page-thread.ts";
import { readPage } from "../../../../src/capabilities/web/page/read-page.ts";
import { awaitedCpuMs } from "../../../support/cpu-ms.ts";
import { casesOf } from "../../../support/fuzz.ts";

const url = "https://example.com/";

/** What repeats in a page that is meant to keep a parser busy. */
const repeated = [
  "<div>",
  "<ul><li>a",
  "<blockquote>a\n<br>",
  "<code>x",
  "<b>x",
  "<b><i>",
  "<a href=x>y",
  "<table><tr><td>x",
  "<td>x",
  "<pre>",
  "<p>",
  '<div a="',
  "<div '",
  "<",
  "</",
  "<a",
  "<!--",
  "<![CDATA[",
  "<?",
  "&",
  "&#1",
  "<script>",
  "</scrip",
  "<title>",
  "<svg>",
  "<dl><dt>x<dd>",
  "`",
  "[",
  "](",
  "*",
  " ",
  "\n",
  "<br>",
  "\u00a0",
  "</div>",
  "<main>",
  "<article><p>x",
];
const few = [
  "<div>",
  "<blockquote>a\n<br>",
  "<code>x",
  "<b>x",
  "<p>",
  "<",
  "&",
  "`",
  '<div a="',
  "<article><p>x",
];

test.each(casesOf({ sample: few, full: repeated }))(
  "a page of nothing but %j takes time in proportion to its length",
  async (unit) => {
    const page = (length: number) => unit.repeat(length / unit.length);
    const convert = async (length: number) => {
      const { markdown } = await htmlToMarkdown({ html: page(length), url });
      // Formatting adds to the text, but only so much.
      expect(markdown.length).toBeLessThan(length * 20);
    };
    await convert(5_000);
    const short = await awaitedCpuMs(() => convert(10_000));
    const long = await awaitedCpuMs(() => convert(40_000));
    expect(long).toBeLessThan(Math.max(short, 5) * 12);
  },
);

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
