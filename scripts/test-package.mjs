// Installs the packed package as users do, and tries it: `npm run test:package`. Needs the registry, takes some minutes.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const project = new URL("..", import.meta.url).pathname;
const base = await realpath(await mkdtemp(join(tmpdir(), "toolwright-package-")));
const environment = { PATH: process.env.PATH, HOME: join(base, "home"), XDG_STATE_HOME: join(base, "state") };
for (const name of ["npm_config_userconfig", "npm_config_registry", "NODE_EXTRA_CA_CERTS", "https_proxy"])
  if (process.env[name] !== undefined) environment[name] = process.env[name];

const work = `
const runtime = await openRuntime({ store: "memory:", permissions: { mode: "auto" } });
const session = await runtime.openSession();
const written = await session.call("file_write", { path: "made.txt", content: "some words" });
const found = await session.call("search_grep", { pattern: "some words", path: "made.txt" });
const ran = await session.call("shell_run", { command: "cat made.txt" });
console.log(written.status, found.error?.code ?? found.status, ran.status);
await runtime.close();
`;
/** The same, with what only types can tell. */
const typedWork = `${work}
if (written.status === "done") console.log(written.data.created satisfies boolean);
// @ts-expect-error: the text is missing
const incomplete = () => session.call("file_write", { path: "made.txt" });
console.log(incomplete);
`;
const entries = [
  "agent",
  "interop",
  "mcp",
  "types",
  "tool",
  "testing",
  "eko",
  "kode",
  "flyto",
  "internal",
  "pulse",
];
const programs = {
  "use.mjs": `import { openRuntime } from "toolwright";\n${work}`,
  "use.cjs": `const { openRuntime } = require("toolwright");\n(async () => {${work}})();\n`,
  "use.ts": [
    'import { openRuntime } from "toolwright";',
    ...entries.map((name) => `import * as ${name}Entry from "toolwright/${name}";`),
    `console.log(${entries.map((name) => `${name}Entry`).join(", ")});`,
    typedWork,
  ].join("\n"),
};

let failures = 0;
try {
  const archive = await pack();
  const tools = await installTools();
  const nodes = { "Node 24": process.execPath, "Node 22": tools("node") };
  const places = {};
  for (const [how, install] of Object.entries(installers(archive, tools)))
    places[how] = await attempt(`install with ${how}`, install);
  await attempt("without optional parts, small", () => checkSize(places["npm, without optional parts"]));
  for (const [how, folder] of Object.entries(places)) {
    if (folder === undefined) continue;
    for (const [engine, node] of Object.entries(nodes))
      for (const [kind, file] of Object.entries({ ESM: "use.mjs", CommonJS: "use.cjs" }))
        await attempt(`${how}: ${kind} on ${engine}`, () => use(folder, node, file));
  }
  const folder = places.npm;
  for (const [engine, words] of Object.entries({ Bun: [tools("bun")], Deno: [tools("deno"), "run", "-A"] }))
    await attempt(`${engine} is refused by name`, () => checkRefusal(folder, engine, words));
  await attempt("esbuild bundles it", () => bundle(places["npm, without optional parts"], tools("esbuild")));
  const compilers = { "TypeScript 7": join(project, "node_modules/.bin/tsc"), "TypeScript 5": tools("tsc") };
  for (const [name, tsc] of Object.entries(compilers))
    for (const moduleResolution of ["nodenext", "node16", "bundler"])
      await attempt(`${name}, ${moduleResolution}, strict`, () => compile(folder, tsc, moduleResolution));
} finally {
  await rm(base, { recursive: true, force: true, maxRetries: 5 });
}
console.log(failures === 0 ? "all passed" : `${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;

/** Tries one row of the matrix; returns its result, or undefined if it failed. */
async function attempt(what, work) {
  const startedMs = performance.now();
  const seconds = () => `${((performance.now() - startedMs) / 1000).toFixed(1)} s`;
  try {
    const result = await work();
    console.log(`ok    ${what}  ${seconds()}`);
    return result;
  } catch (error) {
    failures += 1;
    const said = [error.message, error.stdout].filter(Boolean).join("\n").trim();
    console.log(`FAIL  ${what}  ${seconds()}\n${said.replace(/^/gm, "      ")}`);
    return undefined;
  }
}

async function pack() {
  const words = ["pack", "--ignore-scripts", "--json", "--pack-destination", base];
  const [{ filename }] = JSON.parse((await run("npm", words, { cwd: project })).stdout);
  return join(base, filename);
}

/** Installs the programs of the matrix in a separate folder; returns the path of one. */
async function installTools() {
  const folder = join(base, "tools");
  const allowScripts = Object.fromEntries(["node", "bun", "deno", "esbuild"].map((name) => [name, true]));
  await write(folder, { "package.json": JSON.stringify({ allowScripts }) });
  const packages = ["node@22", "bun@1", "deno@2", "esbuild@0.28", "pnpm@10", "typescript@5.9"];
  await npm(folder, ["install", "--no-audit", "--no-fund", ...packages]);
  return (name) => join(folder, "node_modules/.bin", name);
}

function installers(archive, tools) {
  const manifest = { type: "module", pnpm: { onlyBuiltDependencies: [] } };
  const place = async (name, install) => {
    const folder = join(base, name);
    await write(folder, { "package.json": JSON.stringify(manifest), ...programs });
    await install(folder);
    return folder;
  };
  const flags = ["install", "--no-audit", "--no-fund"];
  return {
    npm: () => place("npm", (folder) => npm(folder, [...flags, archive, "@types/node@24"])),
    "npm, without optional parts": () =>
      place("bare", (folder) => npm(folder, [...flags, "--omit=optional", archive])),
    pnpm: () => place("pnpm", (folder) => run(process.execPath, [tools("pnpm"), "add", archive], at(folder))),
  };
}

function npm(folder, words) {
  return run("npm", words, at(folder));
}

function at(folder) {
  return { cwd: folder, env: environment, maxBuffer: 64 * 1024 * 1024 };
}

async function write(folder, files) {
  await mkdir(folder, { recursive: true });
  await mkdir(environment.HOME, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** At most 32 packages and 45 MB, this one included. */
async function checkSize(folder) {
  const modules = join(folder, "node_modules");
  const lock = JSON.parse(await readFile(join(modules, ".package-lock.json"), "utf8"));
  const packages = Object.keys(lock.packages).length;
  const files = await readdir(modules, { recursive: true, withFileTypes: true });
  const sizes = files.filter((each) => each.isFile()).map((each) => stat(join(each.parentPath, each.name)));
  const megabytes = (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0) / 1e6;
  console.log(`      ${packages} packages, ${megabytes.toFixed(1)} MB`);
  if (packages > 32 || megabytes > 45) throw new Error("more than 32 packages or 45 MB");
}

/** Without its optional parts, the package uses the system's ripgrep; where there is none, a search says so. */
async function use(folder, node, file) {
  const env = { ...environment, PATH: [dirname(node), environment.PATH].join(delimiter) };
  const { stdout, stderr } = await run(node, [file], { ...at(folder), env });
  const isBare = folder === join(base, "bare");
  const searched = isBare && !(await hasSystemRipgrep()) ? "unavailable" : "done";
  if (stdout.trim() !== `done ${searched} done` || stderr !== "")
    throw new Error(`it said: ${stdout}${stderr}`);
}

async function hasSystemRipgrep() {
  const folders = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"];
  const found = await Promise.all(folders.map((each) => stat(join(each, "rg")).catch(() => undefined)));
  return found.some(Boolean);
}

async function checkRefusal(folder, engine, [program, ...words]) {
  const main = join(folder, "node_modules/toolwright/dist/cli/main.js");
  const { code, stderr } = await run(program, [...words, main, "tools"], at(folder)).catch((error) => error);
  if (code !== 1 || !stderr.includes(`${engine} `)) throw new Error(`exit code ${code}: ${stderr}`);
}

async function bundle(folder, esbuild) {
  const words = ["use.mjs", "--bundle", "--platform=node", "--format=esm", "--outfile=bundled.mjs"];
  await run(esbuild, [...words, "--log-level=error"], at(folder));
  await use(folder, process.execPath, "bundled.mjs");
}

async function compile(folder, tsc, moduleResolution) {
  const module = moduleResolution === "bundler" ? "esnext" : moduleResolution;
  const compilerOptions = {
    module,
    moduleResolution,
    target: "es2023",
    strict: true,
    noEmit: true,
    types: ["node"],
    skipLibCheck: false,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  const node = process.execPath;
  await run(node, [await realpath(tsc), "-p", "."], at(folder));
}
