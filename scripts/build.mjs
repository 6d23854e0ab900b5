// Types are written by the compiler, code is bundled: a command that loads over a hundred small files starts too slowly.
import { execFile } from "node:child_process";
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, relative } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { writeTypesEntry } from "./api/types-entry.ts";
import { writeBuiltinCalls } from "./reference/builtin-calls.ts";

const project = new URL("..", import.meta.url).pathname;
const entryPoints = {
  index: "index",
  "agent/index": "capabilities/agents/index",
  "interop/index": "capabilities/interop/index",
  "mcp/client/index": "capabilities/mcp-client/index",
  "tool/index": "tool/index",
  "testing/index": "testing/index",
  "systems/eko/index": "systems/eko/index",
  "systems/flyto/index": "systems/flyto/index",
  "systems/internal/index": "systems/internal/index",
  "systems/kode/index": "systems/kode/index",
  "systems/pulse/index": "systems/pulse/index",
  "cli/main": "faces/cli/main",
  // Not imported, but started as a separate process or thread.
  supervisor: "capabilities/processes/supervisor/supervisor-main",
  sqlite: "capabilities/databases/sqlite/sqlite-main",
  code: "capabilities/code/code-main",
  page: "capabilities/web/page/page-main",
  text: "capabilities/files/thread/text-main",
  guest: "capabilities/made/guest/guest-main",
  isolated: "capabilities/isolated/isolated-main",
  migrate: "systems/migrate/source-main",
};

/** Of these, we use the first of each line; it needs the others. */
const bundled = [
  ...["string-width", "strip-ansi", "ansi-regex", "get-east-asian-width"],
  ...["@agentclientprotocol/sdk", "zod"],
  ...["@ai-sdk/openai-compatible", "@ai-sdk/provider-utils", "@workflow/serde", "eventsource-parser"],
  ...["@earendil-works/pi-tui", "marked"],
];
/** Packages without a licence file, with another of the same repository and licence, or a folder of ours. */
const licensedLike = {
  "@ai-sdk/provider-utils": "node_modules/@ai-sdk/provider",
  "@earendil-works/pi-tui": "scripts/licenses/pi-tui",
};
const isBundled = (id) => bundled.some((name) => id === name || id.startsWith(`${name}/`));

await rm(`${project}dist`, { recursive: true, force: true });
await Promise.all([writeTypes(), writeCode(), writeLicenses()]).catch((error) => {
  console.error(error.stdout || error.message);
  process.exitCode = 1;
});

async function writeTypes() {
  // `rootDirs` has the compiler look for it in dist as if it were in src.
  await mkdir(`${project}dist/tool`, { recursive: true });
  await writeFile(`${project}dist/tool/builtin-calls.d.ts`, writeBuiltinCalls());
  await promisify(execFile)("tsc", ["-p", "tsconfig.build.json"], { cwd: project });
  await appendFile(`${project}dist/index.d.ts`, await importAdditions());
  await writeFile(`${project}dist/types.d.ts`, await writeTypesEntry(project));
  await writeFile(`${project}dist/types.js`, "export {};\n");
}

/** Capabilities add members to the types of the main entry, which are only there if their declarations are read with it. */
async function importAdditions() {
  const names = (await readdir(`${project}dist`, { recursive: true })).filter((name) =>
    name.endsWith(".d.ts"),
  );
  const adding = await Promise.all(
    names.sort().map(async (name) => {
      const text = await readFile(`${project}dist/${name}`, "utf8");
      return /^declare module "\./m.test(text) ? [`import "./${name.replace(/\.d\.ts$/, ".ts")}";\n`] : [];
    }),
  );
  return adding.flat().join("");
}

async function writeCode() {
  const bundle = await rolldown({
    cwd: project,
    input: Object.fromEntries(
      Object.entries(entryPoints).map(([name, source]) => [name, `src/${source}.ts`]),
    ),
    platform: "node",
    // Packages stay external, except small ones that would bring others along.
    external: (id) => !id.startsWith(".") && !id.startsWith("/") && !isBundled(id),
    plugins: [
      { name: "facades", generateBundle: importPastFacades },
      { name: "empty", generateBundle: leaveOutEmpty },
      { name: "ascii", generateBundle: escapeBeyondAscii },
    ],
    // What a group has already loaded is there at once; the same import is a saving where another command makes it.
    checks: { ineffectiveDynamicImport: false },
  });
  await bundle.write({
    dir: `${project}dist`,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    codeSplitting: { groups: chunkGroups() },
  });
  await bundle.close();
}

/** Whoever gets the code of these packages gets their licenses with it. */
async function writeLicenses() {
  const texts = bundled.map(async (name) => {
    const folder = `${project}${licensedLike[name] ?? `node_modules/${name}`}`;
    const file = (await readdir(folder)).find((each) => /^licen[sc]e(?:\.\w+)?$/i.test(each));
    const text = await readFile(`${folder}/${file}`, "utf8");
    return `${name}\n\n${text.trim()}\n`;
  });
  await mkdir(`${project}dist`, { recursive: true });
  await writeFile(`${project}dist/LICENSES.txt`, (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`));
}

/**
 * A module that is imported on demand and stands in a group gets a file that only hands on the group's exports. Node
 * takes as long to find and link that file as a large one, so the import names the group itself.
 */
function importPastFacades(_options, chunks) {
  const facades = new Map();
  for (const { fileName, code } of Object.values(chunks)) {
    const [, exported, group] = /^export \{ ([^}]*) \} from "\.\/([^"]+)";\s*$/.exec(code ?? "") ?? [];
    if (group === undefined || !fileName.startsWith("chunks/")) continue;
    const members = exported.split(", ").map((each) => each.split(" as "));
    const picked = members.map(([name, publicName = name]) => `${publicName}: group.${name}`).join(", ");
    facades.set(fileName.slice("chunks/".length), { group, picked });
    delete chunks[fileName];
  }
  for (const chunk of Object.values(chunks))
    chunk.code = chunk.code.replace(/\bimport\("(\.[^"]*\/)([^"/]+)"\)/g, (found, folder, name) => {
      const facade = facades.get(name);
      return facade ? `import("${folder}${facade.group}").then((group) => ({ ${facade.picked} }))` : found;
    });
}

/** What is left of an entry that others import is an empty file, which Node would open for nothing. */
function leaveOutEmpty(_options, chunks) {
  const isEmpty = ({ fileName, code }) => fileName.startsWith("chunks/") && code?.trim() === "export {};";
  const empty = new Set(
    Object.values(chunks)
      .filter(isEmpty)
      .map(({ fileName }) => basename(fileName)),
  );
  for (const chunk of Object.values(chunks))
    chunk.code = chunk.code.replace(/^import "(.[^"]*)";\n/gm, (found, target) =>
      empty.has(basename(target)) ? "" : found,
    );
  for (const name of empty) delete chunks[`chunks/${name}`];
}

/** One character beyond ASCII makes Node store the whole file with two bytes per character, and read it more slowly. */
function escapeBeyondAscii(_options, chunks) {
  const escapeUnit = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  for (const chunk of Object.values(chunks)) chunk.code = chunk.code.replace(/[^\0-\x7f]/g, escapeUnit);
}

/**
 * Each group becomes one file with everything it imports, so that a start opens a handful of files instead of sixty.
 * A module that several groups import goes into the first of them.
 */
function chunkGroups() {
  const groups = {
    tool: ["tool/index"],
    // Needed by the command line before it knows whether it needs a runtime.
    words: [
      ...[
        "shared/text/escape-controls",
        "shared/text/mark-rows",
        "shared/text/nearest-names",
        "shared/text/did-you-mean",
      ],
      ...["faces/cli/started-by-session", "shared/process-environment"],
      // For the first frame of an interactive session.
      ...[
        "shared/relative-inside",
        "shared/lock",
        "shared/text/describe-thrown",
        "shared/json",
        "shared/options/defined",
        "tool/caller",
        "faces/cli/terminal/stop-signal",
      ],
      ...["shared/diff/load-diff", "kernel/events/progress-text", "shared/text/one-line"],
    ],
    runtime: [
      "open-runtime",
      // Imported on demand, but every call needs them.
      ...["kernel/store/sql/sqlite-driver", "kernel/options/config-origin"],
      "capabilities/agents/sub-agents/child-place",
    ],
    // Without its Markdown, which the first frame of an interactive session does not need.
    terminal: ["tui-main-screen", "terminal", "components/editor", "components/loader"].map(
      (name) => `@earendil-works/pi-tui/dist/${name}`,
    ),
    "command-line": ["faces/cli/run-command-line"],
    "perform-call": [
      ...["faces/cli/commands/call", "faces/cli/commands/perform-call"],
      ...["faces/cli/config/config-layers", "faces/cli/open/wait-for-servers"],
      "faces/cli/read-values",
    ],
  };
  return Object.entries(groups).map(([name, sources], index, { length }) => ({
    name,
    test: (id) =>
      sources.some((source) =>
        [`src/${source}.ts`, `node_modules/${source}.js`].includes(relative(project, id)),
      ),
    priority: length - index,
  }));
}
