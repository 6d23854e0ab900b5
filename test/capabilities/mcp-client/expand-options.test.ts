import { expect, test } from "vitest";
import { expandOptions } from "../../../src/capabilities/mcp-client/expand-options.ts";

const written = (text: string) => text.replaceAll("@", "$");
const expand = (url: string) => expandOptions({ url: written(url) }, { A: "one", B_2: "two" });

test.each([
  ["@{A}/@{B_2}", "one/two"],
  ["@{NO:-three}@{A:-four}", "threeone"],
  ["@{NO:-}|@{NO:-a b}", "|a b"],
  ["@A @{} @{1} @{-} @{A @{A:x} @@{A}}", "@A @{} @{1} @{-} @{A @{A:x} @one}"],
  ["@{NO:-@{A}}", "@{A}"],
  ["@{A:-", "@{A:-"],
])("the option %s is expanded to %s", (text, expanded) => {
  expect(expand(text)).toEqual({ url: written(expanded) });
});

test("a variable that is not set, and has no default, is named", () => {
  expect(() => expand("https://@{NO}/")).toThrow("the environment variable NO is not set");
});
