import { expect, test } from "vitest";
import { builtinTools } from "../../../src/capabilities.ts";
import { type FormatName, formats } from "../../../src/formats/formats.ts";
import { dialects } from "../../../src/kernel/dialects/dialects.ts";
import { casesOf } from "../../support/fuzz.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const formatNames = Object.keys(formats) as FormatName[];

/** Names stand in different places, but always as the value of `name` or as a key of the set. */
function namesIn(rendered: unknown): Set<string> {
  const names = new Set<string>();
  JSON.stringify(rendered, (key, value) => {
    if (key === "name" && typeof value === "string") names.add(value);
    return value;
  });
  if (!Array.isArray(rendered)) for (const name of Object.keys(rendered as object)) names.add(name);
  return names;
}

test("every dialect's catalogue is offered in every format, each tool under the dialect's name", async () => {
  const { runtime } = await openTestSession();
  for (const [index, { name: dialect, tools }] of dialects.entries()) {
    const session = await runtime.openSession({ dialect });
    const offered = builtinTools.map(({ name }) => tools[name]?.name ?? name);
    const presented = session.tools();
    expect(presented.map(({ name }) => name)).toEqual(offered);
    // A vendor's format leaves out what no call of this session could use.
    const callable = presented.filter(({ denied }) => denied === undefined).map(({ name }) => name);
    expect(callable.length).toBeGreaterThan(30);
    for (const format of casesOf({ sample: [formatNames[index % formatNames.length]!], full: formatNames })) {
      const rendered: unknown = session.tools({ format });
      const json: unknown = JSON.parse(JSON.stringify(rendered));
      const names = namesIn(json);
      expect(
        callable.filter((name) => !names.has(name)),
        `${dialect} as ${format}`,
      ).toEqual([]);
      const hidden = builtinTools.filter(
        ({ name }) => tools[name] && tools[name].name !== name && names.has(name),
      );
      expect(
        hidden.map(({ name }) => name),
        `${dialect} as ${format}`,
      ).toEqual([]);
    }
  }
});
