import { posix } from "node:path";

/** Files with commands or settings that a program obeys without being told their names, relative to where it works. */
export function ownFilesOf(word: string, next = ""): readonly string[] {
  if (word === "-m") return modulesOf(next);
  return ownFiles.get(posix.basename(word)) ?? [];
}

/** The files of a module for Python, whose `-m` takes the module's name. */
function modulesOf(name: string): readonly string[] {
  if (!/^[\w.]+$/.test(name)) return [];
  const path = name.replaceAll(".", "/");
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`];
}

const configured = (name: string) => ["js", "cjs", "mjs", "ts"].map((ending) => `${name}.config.${ending}`);
const pythonProject = ["pyproject.toml", "setup.py", "setup.cfg"];
const pythonTests = [...pythonProject, "conftest.py", "pytest.ini", "tox.ini", "noxfile.py"];
const gradleFiles = ["build", "settings"].flatMap((name) => [`${name}.gradle`, `${name}.gradle.kts`]);
const composeFiles = ["compose", "docker-compose"].flatMap((name) => [`${name}.yaml`, `${name}.yml`]);
const containerFiles = ["Dockerfile", "Containerfile", ...composeFiles];
const taskFiles = ["Taskfile", "taskfile"].flatMap((name) => [`${name}.yml`, `${name}.yaml`]);
const hookNames = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-push", "pre-rebase"];
const laterHooks = ["post-checkout", "post-merge", "post-rewrite", "pre-merge-commit"];
const gitFiles = [".git/config", ...[...hookNames, ...laterHooks].map((name) => `.git/hooks/${name}`)];

const ownFiles: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    "npm pnpm yarn bun": ["package.json"],
    node: ["package.json", "index.js"],
    deno: ["deno.json", "deno.jsonc"],
    "make gmake": ["GNUmakefile", "makefile", "Makefile"],
    just: ["justfile", "Justfile", ".justfile"],
    task: taskFiles,
    rake: ["Rakefile", "rakefile"],
    bundle: ["Gemfile"],
    cargo: ["Cargo.toml", "build.rs", ".cargo/config.toml"],
    go: ["go.mod", "main.go"],
    mix: ["mix.exs"],
    composer: ["composer.json"],
    "pytest tox nox": pythonTests,
    "pip pip3 uv poetry pdm hatch": pythonProject,
    "invoke inv": ["tasks.py"],
    "gradle gradlew": gradleFiles,
    "mvn mvnw": ["pom.xml"],
    ant: ["build.xml"],
    cmake: ["CMakeLists.txt"],
    ninja: ["build.ninja"],
    meson: ["meson.build"],
    "docker podman": containerFiles,
    "docker-compose": composeFiles,
    vite: configured("vite"),
    vitest: [...configured("vitest"), ...configured("vite")],
    jest: configured("jest"),
    webpack: configured("webpack"),
    rollup: configured("rollup"),
    eslint: configured("eslint"),
    playwright: configured("playwright"),
    grunt: ["Gruntfile.js"],
    gulp: ["gulpfile.js"],
    git: gitFiles,
  }).flatMap(([names, files]) => names.split(" ").map((name) => [name, files])),
);
