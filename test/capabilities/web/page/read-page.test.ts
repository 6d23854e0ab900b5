import { expect, test } from "vitest";
import { htmlToMarkdown } from "../../../../src/capabilities/web/page/html-to-markdown.ts";
import { type Page, readPage } from "../../../../src/capabilities/web/page/read-page.ts";
import { fc, fuzzRuns } from "../../../support/fuzz.ts";
import { samplePages } from "./sample-page.ts";

const url = "https://example.com/docs/start";

function read(body: string | Uint8Array, contentType?: string): Promise<Page> {
  return readPage({ body: Buffer.from(body), contentType, url });
}

async function markdownOf(html: string): Promise<string> {
  return (await htmlToMarkdown({ html, url })).markdown;
}

test("the text that a reader sees in a page comes out, in order, and nothing else does", async () => {
  await fc.assert(
    fc.asyncProperty(samplePages(), async ({ html, seen, unseen }) => {
      const markdown = await markdownOf(html);
      expect(markdown.match(/\bseen\d+x/g) ?? []).toEqual(seen);
      expect(unseen.filter((word) => markdown.includes(word))).toEqual([]);
    }),
    { numRuns: fuzzRuns({ sample: 150, full: 20_000 }) },
  );
});

test("a page becomes Markdown that keeps headings, lists, tables, code and links", async () => {
  const html = `<html><head><title>A &amp;\n B</title><base href="/x/"></head><body><nav>menu</nav><main>
    <h1>Head</h1><p>See <a href="y?a=1&amp;b=2">the <b>page</b></a>, <a href="#part">part</a>,
    <a href="javascript:alert(1)">script</a> and <img src="i.png" alt="a picture">.</p>
    <ol start=3><li>three<li>four<ul><li>deeper</ul></ol>
    <table><tr><th>Name<th>Size<tr><td>a|b<td>2</table>
    <pre><code class="language-js">let a = 1 &lt; 2;\n  b();</code></pre></main></body></html>`;
  const page = await read(html, "text/html; charset=utf-8");
  expect(page).toMatchObject({ kind: "markdown", title: "A & B" });
  expect(page.text).toBe(`A & B

# Head

See [the **page**](https://example.com/x/y?a=1&b=2), part, script and ![a picture](https://example.com/x/i.png).

3. three
4. four
   - deeper

| Name | Size |
| --- | --- |
| a\\|b | 2 |

\`\`\`js
let a = 1 < 2;
  b();
\`\`\``);
  expect(page.blocks).toHaveLength(4);
});

test("every character reference is decoded, once", async () => {
  const html =
    "<p>&lt;b&gt; &hellip; &CounterClockwiseContourIntegral; &nbsp;&#128512; &#x41; &amp;hellip; &#38;lt; AT&T a_b 2*3*4 [x] C:\\_y</p>";
  expect(await markdownOf(html)).toBe("<b> … ∳  😀 A &hellip; &lt; AT&T a_b 2*3*4 [x] C:\\_y");
});

test("a page made of nothing but navigation is read all the same", async () => {
  expect(await markdownOf("<body><nav><a href=/a>One</a></nav><footer>Two</footer></body>")).toContain("One");
  expect(await markdownOf("<body><main id=app></main><p>Please enable scripts.</p></body>")).toBe(
    "Please enable scripts.",
  );
});

test("text is decoded by byte order mark, header and what the page says, in this order", async () => {
  const latin = Buffer.from("<title>caf\xe9</title><p>x", "latin1");
  expect((await read(latin, "text/html; charset=iso-8859-1")).title).toBe("café");
  expect((await read(latin, "text/html")).title).toBe("café");
  const declared = Buffer.concat([
    Buffer.from('<meta charset="shift_jis"><title>'),
    Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
    Buffer.from("</title>"),
  ]);
  expect((await read(declared, "text/html")).title).toBe("日本");
  const marked = Buffer.from("\ufeffplain é", "utf16le");
  expect(await read(marked, "text/plain; charset=utf-8")).toMatchObject({ kind: "text", text: "plain é" });
  expect((await read("caf\u00e9 <b>", "text/plain; charset=nonsense")).text).toBe("café <b>");
});

test("JSON is indented without changing a value", async () => {
  const json = '{"a":[1,2,{}, []],"long":12345678901234567890,"text":"x: {\\"y\\", [1]","a":1.0}';
  expect(await read(json, "application/vnd.api+json")).toMatchObject({
    kind: "json",
    text: `{
  "a": [
    1,
    2,
    {},
    []
  ],
  "long": 12345678901234567890,
  "text": "x: {\\"y\\", [1]",
  "a": 1.0
}`,
  });
  expect(await read("{broken", "application/json")).toMatchObject({ kind: "json", text: "{broken" });
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  expect((await read(deep, "application/json")).text).toBe(deep);
});

test("JSON that was indented holds the same values as before", () => {
  return fc.assert(
    fc.asyncProperty(fc.json(), async (json) => {
      const { text } = await read(json, "application/json");
      expect(text).toBe(JSON.stringify(JSON.parse(json), undefined, 2));
    }),
    { numRuns: fuzzRuns({ sample: 200, full: 20_000 }) },
  );
});

test("an image is an image whatever the server calls it, and a damaged one is described", async () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  expect(await read(png, "text/html")).toMatchObject({
    kind: "image",
    image: { data: png.toString("base64"), mediaType: "image/png" },
  });
  expect(await read(png.subarray(0, 30), "image/png")).toMatchObject({
    kind: "binary",
    text: expect.stringMatching(/^PNG image \(image\/png\), 30 bytes: /),
  });
});

test("the text of a PDF is read, and other binary data is named with its size", async () => {
  const page = await read(samplePdf("Hello from a PDF"), "application/pdf");
  expect(page).toMatchObject({ kind: "text", text: "Hello from a PDF" });
  expect(await read("%PDF-1.7 and then nothing", "application/pdf")).toMatchObject({
    kind: "binary",
    text: expect.stringMatching(/^PDF document \(application\/pdf\), 25 bytes: /),
  });
  const zip = Buffer.from("PK\x03\x04\0\0");
  expect(await read(zip, "text/plain")).toMatchObject({
    kind: "binary",
    text: "ZIP archive (application/zip), 6 bytes",
  });
  expect(await read(Buffer.from([1, 2, 255, 0, 3]), "application/x-own")).toMatchObject({
    kind: "binary",
    text: "application/x-own, 5 bytes",
  });
});

test("characters that show nothing are removed, so that a page cannot hide words in them", async () => {
  const hidden = "a\u200b\u202eb\u{e0041}c\u001b[31m";
  expect((await read(hidden, "text/plain")).text).toBe("abc");
  expect((await read(`<title>${hidden}</title><p>${hidden}`, "text/html")).text).toBe("abc\n\nabc");
});

test("a page without a type is recognised by how it starts", async () => {
  expect((await read("<!DOCTYPE html><p>x")).kind).toBe("markdown");
  expect((await read("plain")).kind).toBe("text");
  expect((await read("")).text).toBe("");
});

/** The least that a reader of PDF takes. */
function samplePdf(words: string): string {
  const content = `BT /F1 24 Tf 72 720 Td (${words}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  return `${text}xref\n0 6\n0000000000 65535 f \n${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`;
}
