/** A formatter that projects use, and how to tell. It gets the file on its input and prints the result. */
export interface Formatter {
  readonly name: string;
  readonly endings: readonly string[];
  /** A file of one of these names says that the project uses it; with a pattern, if its text has that. */
  readonly configs: readonly (string | { readonly file: string; readonly has: RegExp })[];
  /** The formatter is a package of the project and never taken from elsewhere, so that all people format with one version. */
  readonly isPackage?: true;
  words(path: string): readonly string[];
}

const script = ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"];

/** The first that fits is used. */
export const formatters: readonly Formatter[] = [
  {
    name: "biome",
    endings: [...script, "json", "jsonc", "css", "graphql", "html"],
    configs: ["biome.json", "biome.jsonc"],
    isPackage: true,
    words: (path) => ["format", `--stdin-file-path=${path}`],
  },
  {
    name: "dprint",
    endings: [...script, "json", "jsonc", "md", "toml"],
    configs: ["dprint.json", "dprint.jsonc", ".dprint.json"],
    isPackage: true,
    words: (path) => ["fmt", "--stdin", path],
  },
  {
    name: "prettier",
    endings: [...script, ..."json jsonc json5 css scss less html vue md mdx yaml yml graphql".split(" ")],
    configs: [
      ".prettierrc",
      ...["json", "json5", "yaml", "yml", "toml", "js", "cjs", "mjs", "ts", "cts", "mts"].map(
        (ending) => `.prettierrc.${ending}`,
      ),
      ...["js", "cjs", "mjs", "ts", "cts", "mts"].map((ending) => `prettier.config.${ending}`),
      { file: "package.json", has: /"prettier"\s*:/ },
    ],
    isPackage: true,
    words: (path) => ["--stdin-filepath", path],
  },
  {
    name: "deno",
    endings: [...script, "json", "jsonc", "md"],
    configs: ["deno.json", "deno.jsonc"],
    words: (path) => ["fmt", "--ext", path.slice(path.lastIndexOf(".") + 1), "-"],
  },
  {
    name: "ruff",
    endings: ["py", "pyi"],
    configs: ["ruff.toml", ".ruff.toml", { file: "pyproject.toml", has: /^[ \t]*\[tool\.ruff\b/m }],
    words: (path) => ["format", "--stdin-filename", path, "-"],
  },
  {
    name: "black",
    endings: ["py", "pyi"],
    configs: [{ file: "pyproject.toml", has: /^[ \t]*\[tool\.black\b/m }],
    words: (path) => ["--quiet", "--stdin-filename", path, "-"],
  },
  { name: "gofmt", endings: ["go"], configs: ["go.mod"], words: () => [] },
  {
    name: "rustfmt",
    endings: ["rs"],
    configs: ["rustfmt.toml", ".rustfmt.toml", "Cargo.toml"],
    words: () => ["--emit", "stdout"],
  },
  {
    name: "clang-format",
    endings: ["c", "h", "cc", "cpp", "cxx", "hpp", "m", "mm", "proto"],
    configs: [".clang-format", "_clang-format"],
    words: (path) => [`--assume-filename=${path}`],
  },
];
