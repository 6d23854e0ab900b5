/** A page such as documentation has: navigation around an article of headings, text with links, lists, tables and code. */
export function makePage({ sections }) {
  const links = Array.from({ length: 60 }, (_, at) => `<li><a href="/guide/${at}">Guide ${at}</a></li>`);
  const article = Array.from({ length: sections }, (_, at) => makeSection(at));
  return `<!doctype html><html><head><title>A manual</title><style>p { color: #333 }</style>
<script>window.data = ${JSON.stringify(links)};</script></head>
<body><nav><ul>${links.join("\n")}</ul></nav><main><h1>A manual</h1>${article.join("\n")}</main>
<footer><p>All of this was made up.</p></footer></body></html>`;
}

function makeSection(at) {
  const sentence = `The option <code>--level=${at}</code> sets <em>how much</em> is written; see <a href="/part/${at}">part ${at}</a> &amp; what follows.`;
  const rows = Array.from(
    { length: 5 },
    (_, row) => `<tr><td>name${row}</td><td>text &lt;${at}&gt;</td></tr>`,
  );
  return `<section><h2 id="part-${at}">Part ${at}</h2>
<p>${sentence} ${sentence}</p>
<ul><li>one</li><li>two<ul><li>within <b>two</b></li></ul></li></ul>
<table><thead><tr><th>Name</th><th>Meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table>
<pre><code class="language-js">const level = ${at};\nwrite("a", { level });</code></pre></section>`;
}
