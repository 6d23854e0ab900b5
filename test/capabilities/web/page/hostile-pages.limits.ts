import { expect, test } from "vitest";
import { htmlToMarkdown } from "../../../../src/capabilities/web/page/html-to-markdown.ts";
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
