import { expect, onTestFinished, test, vi } from "vitest";
import { openTestSession } from "../../../../support/open-test-session.ts";

test("listed variables are shown, others are named as not listed, and a secret is never shown", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("TZ", "Europe/Vienna");
  vi.stubEnv("MY_SETTING", "blue");
  vi.stubEnv("MY_TOKEN", "abcdefgh12345678");
  // Under a harmless name, but it has the secret in it.
  vi.stubEnv("MY_URL", "https://x:abcdefgh12345678@example.com");
  vi.stubEnv("HIDDEN", "nobody's business");
  const variables = ["MY_SETTING", "MY_TOKEN", "MY_URL", "MY_ABSENT"];
  const { session } = await openTestSession({ permissions: { mode: "readonly" }, system: { variables } });
  const names = ["TZ", ...variables, "HIDDEN", "NOT_EVEN_SET", "__proto__"];
  const { data, text } = await session.call("system_env", { names });
  expect(data).toEqual({
    values: { TZ: "Europe/Vienna", MY_SETTING: "blue" },
    unset: ["MY_ABSENT"],
    withheld: ["MY_TOKEN", "MY_URL"],
    notListed: ["HIDDEN", "NOT_EVEN_SET", "__proto__"],
  });
  expect(text).toContain("The user can add them with the option system.variables.");
  expect(text).not.toMatch(/abcdefgh|nobody/);
  const all = (await session.call("system_env")).text;
  expect(all).toContain("PATH=");
  expect(all).not.toMatch(/HIDDEN|HOME|abcdefgh/);
});

test("a name that no variable can have, and an option that does not exist, are refused when the runtime opens", async () => {
  await expect(openTestSession({ system: { variables: ["A B"] } })).rejects.toThrow(
    'system.variables: "A B" is not the name of a variable',
  );
  await expect(openTestSession({ system: { variable: ["A"] } as never })).rejects.toThrow("variable");
});
