import { fc } from "../../../support/fuzz.ts";

/** A made-up page, the words that a reader sees in it, in order, and those that a reader must not see. */
export interface SamplePage {
  readonly html: string;
  readonly seen: readonly string[];
  readonly unseen: readonly string[];
}

/** Pages of every kind of content, with every kind of hidden content in between; each word occurs once. */
export function samplePages(): fc.Arbitrary<SamplePage> {
  const item = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...visible) },
    { weight: 1, arbitrary: fc.constantFrom(...invisible) },
  );
  return fc.array(item, { minLength: 1, maxLength: 25 }).chain((items) =>
    fc.constantFrom(...frames).map((frame) => {
      const seen: string[] = [];
      const unseen: string[] = [];
      const put = (words: string[], kind: string) => () => {
        const word = `${kind}${words.length}x`;
        words.push(word);
        return word;
      };
      // With nothing else on it, navigation would be what the page is about.
      const body = [plain, ...items].map((make) => make(put(seen, "seen"), put(unseen, "unseen"))).join("\n");
      return { html: frame(body), seen, unseen };
    }),
  );
}

type Make = (word: () => string, lost: () => string) => string;

const plain: Make = (word) => `<p>${word()}</p>`;

const visible: readonly Make[] = [
  (word) => `<h1>${word()}</h1>`,
  (word) => `<h3 class=title>${word()} <em>${word()}</em></h3>`,
  (word) => `<p>${word()} <b>${word()}</b>, <i>${word()}</i> and <code>${word()}</code>.</p>`,
  (word) => `<p>${word()}<br>${word()}</p>`,
  (word) => `<div><div><span>${word()}</span></div></div>`,
  (word) => `<ul><li>${word()}<li>${word()}<ul><li>${word()}</li></ul></li></ul>`,
  (word) => `<ol><li><p>${word()}</p><p>${word()}</p></li><li>${word()}</li></ol>`,
  (word) => `<table><tr><th>${word()}</th><th>${word()}</th></tr><tr><td>${word()}<td>${word()}</table>`,
  (word) => `<table><tbody><tr><td><a href=/t>${word()}</a></td></tr></tbody></table>`,
  (word) => `<pre><code class="language-js">if (${word()} &lt; 2) {\n  ${word()}();\n}</code></pre>`,
  (word) => `<pre>${word()}\n${word()}</pre>`,
  (word) => `<p><a href="/there">${word()} ${word()}</a></p>`,
  (word) => `<blockquote><p>${word()}</p><p>${word()}</p></blockquote>`,
  (word) => `<dl><dt>${word()}<dd>${word()}</dl>`,
  (word) => `<details><summary>${word()}</summary><p>${word()}</p></details>`,
  (word) => `<figure><img src=a.png alt="${word()}"><figcaption>${word()}</figcaption></figure>`,
  (word) => `<section><header><h2>${word()}</h2></header><p>${word()}</p></section>`,
  (word) => `<p>${word()} <unknown-tag>${word()}</unknown-tag> ${word()}`,
  (word) => `<p>${word()} &lt;b&gt; a_b * c [d] &amp;amp; ${word()}</p>`,
];

const invisible: readonly Make[] = [
  (_, lost) => `<script>if (a < b) "${lost()}"</script>`,
  (_, lost) => `<style>.${lost()} { color: red }</style>`,
  (_, lost) => `<!-- ${lost()} <p>${lost()}</p> -->`,
  (_, lost) => `<nav><ul><li><a href=/>${lost()}</a></ul></nav>`,
  (_, lost) => `<div role="navigation">${lost()}</div>`,
  (_, lost) => `<div hidden>${lost()}<p>${lost()}</p></div>`,
  (_, lost) => `<p style="color: red; display : none">${lost()}</p>`,
  (_, lost) => `<span aria-hidden="true">${lost()}</span>`,
  (_, lost) => `<template><p>${lost()}</p></template>`,
  (_, lost) => `<svg><title>${lost()}</title><text>${lost()}</text></svg>`,
  (_, lost) => `<iframe>${lost()}</iframe>`,
  (_, lost) => `<select><option>${lost()}</select><button>${lost()}</button><textarea>${lost()}</textarea>`,
];

const frames: readonly ((body: string) => string)[] = [
  (body) => `<!doctype html><html><head><title>T</title></head><body>${body}</body></html>`,
  (body) => `<title>T</title><body><header>H</header><main>${body}</main><footer>F</footer>`,
  (body) => `<html><body><div id=app><article>${body}</article></div></body>`,
  (body) => `<HTML><BODY><DIV ROLE=main>${body}</DIV></BODY></HTML>`,
  (body) => body,
];
