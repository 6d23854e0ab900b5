import { expect, test } from "vitest";
import { shareFlyto } from "./share-flyto.ts";

const flyto = shareFlyto();

test("F8a: of Flyto's tools, Bash alone is marked as one that may destroy", () => {
  const marked = Object.fromEntries(
    flyto.session.tools().map(({ name, metadata }) => [name, metadata.destructive]),
  );
  expect(marked).toMatchObject({
    Bash: true,
    Read: false,
    Edit: false,
    Write: false,
    Glob: false,
    Grep: false,
    WebFetch: false,
    WebSearch: false,
    Agent: false,
    Gitignore: false,
    ToolSearch: false,
  });
});
