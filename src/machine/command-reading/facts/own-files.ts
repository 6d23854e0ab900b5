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
const packageFiles = ["package.json"];
const makeFiles = ["GNUmakefile", "makefile", "Makefile"];
const pythonProject = ["pyproject.toml", "setup.py", "setup.cfg"];
const pythonTests = [...pythonProject, "conftest.py", "pytest.ini", "tox.ini", "noxfile.py"];
const gradleFiles = ["build", "settings"].flatMap((name) => [`${name}.gradle`, `${name}.gradle.kts`]);
const composeFiles = ["compose", "docker-compose"].flatMap((name) => [`${name}.yaml`, `${name}.yml`]);
const containerFiles = ["Dockerfile", "Containerfile", ...composeFiles];
const taskFiles = ["Taskfile", "taskfile"].flatMap((name) => [`${name}.yml`, `${name}.yaml`]);
const hookNames = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-push", "pre-rebase"];
const laterHooks = ["post-checkout", "post-merge", "post-rewrite", "pre-merge-commit"];
const gitFiles = [".git/config", ...[...hookNames, ...laterHooks].map((name) => `.git/hooks/${name}`)];

const ownFiles: ReadonlyMap<string, readonly string[]> = new Map([
  ["npm", packageFiles],
  ["pnpm", packageFiles],
  ["yarn", packageFiles],
  ["bun", packageFiles],
  ["node", [...packageFiles, "index.js"]],
  ["deno", ["deno.json", "deno.jsonc"]],
  ["make", makeFiles],
  ["gmake", makeFiles],
  ["just", ["justfile", "Justfile", ".justfile"]],
  ["task", taskFiles],
  ["rake", ["Rakefile", "rakefile"]],
  ["bundle", ["Gemfile"]],
  ["cargo", ["Cargo.toml", "build.rs", ".cargo/config.toml"]],
  ["go", ["go.mod", "main.go"]],
  ["mix", ["mix.exs"]],
  ["composer", ["composer.json"]],
  ["pytest", pythonTests],
  ["tox", pythonTests],
  ["nox", pythonTests],
  ["pip", pythonProject],
  ["pip3", pythonProject],
  ["uv", pythonProject],
  ["poetry", pythonProject],
  ["pdm", pythonProject],
  ["hatch", pythonProject],
  ["invoke", ["tasks.py"]],
  ["inv", ["tasks.py"]],
  ["gradle", gradleFiles],
  ["gradlew", gradleFiles],
  ["mvn", ["pom.xml"]],
  ["mvnw", ["pom.xml"]],
  ["ant", ["build.xml"]],
  ["cmake", ["CMakeLists.txt"]],
  ["ninja", ["build.ninja"]],
  ["meson", ["meson.build"]],
  ["docker", containerFiles],
  ["docker-compose", composeFiles],
  ["podman", containerFiles],
  ["vite", configured("vite")],
  ["vitest", [...configured("vitest"), ...configured("vite")]],
  ["jest", configured("jest")],
  ["webpack", configured("webpack")],
  ["rollup", configured("rollup")],
  ["eslint", configured("eslint")],
  ["playwright", configured("playwright")],
  ["grunt", ["Gruntfile.js"]],
  ["gulp", ["gulpfile.js"]],
  ["git", gitFiles],
]);
