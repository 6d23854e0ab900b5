// Writes docs/messages.md from the comments on the error codes. With --print, it goes to stdout instead.
import { readFile, writeFile } from "node:fs/promises";

const project = new URL("..", import.meta.url);
const introduction = `# What does this error mean?

<!-- Made by npm run messages from src/tool/tool-error.ts; change it there. -->

Every call that does not end \`done\` has \`error: { code, message, hint, retryable }\`. The code says what kind of thing went
wrong and is there to branch on; the message says what exactly, the hint what to do next. \`retryable\` means that the same
call may succeed if simply made again. A refused or failed call leaves a receipt like any other.
`;

const page = render(
  await readFile(new URL("src/tool/tool-error.ts", project), "utf8"),
  await readFile(new URL("src/runtime/pipeline/outcome.ts", project), "utf8"),
);
if (process.argv.includes("--print")) process.stdout.write(page);
else await writeFile(new URL("docs/messages.md", project), page);

function render(codesSource, statusSource) {
  const statusOf = readStatuses(statusSource);
  const sections = readSections(codesSource).map(({ title, codes }) => {
    const rows = codes.map(
      ({ code, when, next }) => `| \`${code}\` | ${statusOf.get(code) ?? "failed"} | ${when} | ${next} |`,
    );
    return [
      `## ${title}`,
      "",
      "| code | status | when | what to do |",
      "|---|---|---|---|",
      ...rows,
      "",
    ].join("\n");
  });
  return `${introduction}\n${sections.join("\n")}`;
}

/** The sections of codes; each begins with a line comment and a blank line. */
function readSections(source) {
  const list = source.slice(source.indexOf("errorCodes = ["), source.indexOf("] as const"));
  const sections = [];
  let comment = [];
  for (const line of list.split("\n").map((text) => text.trim())) {
    if (line.startsWith("//")) comment.push(line.slice(2).trim());
    else if (line === "" && comment.length > 0) {
      sections.push({ title: capitalize(comment.join(" ")), codes: [] });
      comment = [];
    } else if (line.startsWith('"')) {
      const code = line.slice(1, line.lastIndexOf('"'));
      const [when, next, ...more] = comment.join(" ").split(" → ");
      if (!when || !next || more.length > 0) throw new Error(`${code} needs a comment "when → what to do"`);
      sections.at(-1).codes.push({ code, when, next });
      comment = [];
    }
  }
  return sections;
}

/** Most codes end a call as `failed`; `outcome.ts` has a table of the others. */
function readStatuses(source) {
  const table = /Record<ErrorCode, CallStatus>> = \{(.*?)\};/s.exec(source);
  if (table === null) throw new Error("outcome.ts has no table of the statuses of codes");
  return new Map(
    [...table[1].matchAll(/"?([a-z-]+)"?: "([a-z-]+)"/g)].map(([, code, status]) => [code, status]),
  );
}

function capitalize(text) {
  return text[0].toUpperCase() + text.slice(1);
}
