import { expect, test } from "vitest";
import { allDialectNames, dialects, findDialect } from "../../../src/kernel/dialects/dialects.ts";

test("a dialect is found by its name", () => {
  expect(findDialect("flyto").name).toBe("flyto");
  expect(findDialect("internal").name).toBe("internal");
});

test.each(["flytoo", "", "constructor"])("the unknown dialect %j is refused with the known ones", (name) => {
  expect(() => findDialect(name)).toThrow(
    `dialect must be one of ${dialects.map((each) => each.name).join(", ")}; received ${JSON.stringify(name)}`,
  );
});

test("every name and alias of every dialect leads to the canonical name", () => {
  const names = allDialectNames();
  expect(names.get("Read")).toBe("file_read");
  expect(names.get("FileRead")).toBe("file_read");
  expect(names.get("internal_file_read")).toBe("file_read");
  expect(names.get("internal_file_list")).toBe("file_list");
});
