import { capability } from "../../kernel/runtime/index.ts";
import { acting, methodKeys, type OpenService, type Service } from "../../kernel/services/index.ts";
import { value } from "../../shared/options/known-keys.ts";
import type { CodeParser } from "./open-code-parser.ts";
import analyze from "./tools/code/analyze.ts";
import format from "./tools/code/format.ts";

/** Parses source code in a separate process: the parser is native code, which deep nesting can crash. */
const codeService: Service<"sourceCode", { workspace: { root: string } }, OpenService<"sourceCode">> = {
  offers: "reading and formatting code",
  keys: methodKeys<"sourceCode">(
    { parse: [0, { path: value, text: value }], format: [1, { check: value }] },
    {},
  ),
  inPreview: "a preview runs no formatter",
  open({ workspace: { root } }) {
    let parser: Promise<CodeParser> | undefined;
    return {
      forCall: (gate, { deadline, services }) => ({
        endings: async () => codeEndings,
        async parse(source) {
          parser ??= import("./open-code-parser.ts").then(({ openCodeParser }) => openCodeParser());
          return (await parser).parse(source, deadline.signal);
        },
        ...acting({
          async format(path: string, options: { check?: boolean } = {}) {
            const { formatFile } = await import("./format/format-file.ts");
            return formatFile(path, options, { gate, services, root });
          },
        }),
      }),
      close: async () => (await parser)?.close(),
    };
  },
};

const codeEndings = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];

/** Parsing and formatting source code. */
export const codeCapability = capability({
  name: "code",
  services: { sourceCode: codeService },
  tools: [analyze, format],
  open: () => ({
    session: async (session) => ({ services: { sourceCode: await codeService.open(session) } }),
  }),
});
