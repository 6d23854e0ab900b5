import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findImagePaths } from "../../../../src/faces/cli/talk/talk-work.ts";
import { openTestTalk } from "./open-test-talk.ts";

test.each([
  ["look at @shot.png, please", ["shot.png"]],
  ["/tmp/a\\ b.PNG what is this?", ["/tmp/a b.PNG"]],
  ["'/tmp/it is.jpeg' and \"b c.webp\" and b.gif.", ["/tmp/it is.jpeg", "b c.webp", "b.gif"]],
  ["@shot.png @shot.png png image.png.txt", ["shot.png"]],
  ["no image here", []],
])("%j names %j", (text, paths) => {
  expect(findImagePaths(text)).toEqual(paths);
});

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("an image that is named in a message is shown to the model; one that a file of the project names is not", async () => {
  const { workspace, say, requests, talk } = await openTestTalk(() => ({ text: "I see." }));
  await writeFile(join(workspace, "shot.png"), png);
  await writeFile(join(workspace, "fake.png"), "not an image");
  await say("what is on @shot.png and fake.png?");
  const images = () => JSON.stringify(requests.at(-1)!.prompt).split('"mediaType":"image/png"').length - 1;
  expect(images()).toBe(1);
  // A path alone is a message, not a command.
  await say(join(workspace, "shot.png"));
  expect(images()).toBe(2);
  talk.fileCommands = async () =>
    new Map([["look", { name: "look", about: "", message: () => "look at shot.png" }]]);
  await say("/look");
  expect(images()).toBe(2);
  await talk.close();
});
