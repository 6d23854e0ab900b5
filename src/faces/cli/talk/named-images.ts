import { homedir } from "node:os";
import { resolve } from "node:path";
import type { MessagePart } from "../../../capabilities/agents/user-message.ts";
import { readImageFile } from "../open/read-prompt-images.ts";

/**
 * A typed message with the images that it names: `@shot.png`, or a path as terminals write one that is dropped on them.
 * A path that does not exist, or is not an image, stays text only.
 */
export async function withNamedImages(
  text: string,
  workspace: string,
): Promise<string | readonly MessagePart[]> {
  const images: MessagePart[] = [];
  for (const path of findImagePaths(text).slice(0, maxImages)) {
    const file = resolve(
      workspace,
      path.replace(/^~(?=\/)/, () => homedir()),
    );
    const image = await readImageFile(file).catch(() => undefined);
    if (image !== undefined) images.push(image);
  }
  return images.length === 0 ? text : [{ type: "text", text }, ...images];
}

const maxImages = 20;

/** Words that end like the name of an image, each once: plain, in quotes, or with blanks behind backslashes. */
export function findImagePaths(text: string): readonly string[] {
  const words = text
    .slice(0, maxRead)
    .matchAll(/@?(?:"([^"\n]{1,4096})"|'([^'\n]{1,4096})'|((?:\\.|[^\s"'\\])+))/g);
  const paths = [...words].map(
    ([, double, single, plain = ""]) =>
      double ?? single ?? plain.replace(/[.,;:!?)]{1,8}$/, "").replace(/\\(.)/g, "$1"),
  );
  return [...new Set(paths.map((path) => path.replace(/^@/, "")).filter((path) => imageName.test(path)))];
}

// A person does not type more; a paste may be long.
const maxRead = 100_000;
const imageName = /\.(?:png|jpe?g|gif|webp)$/i;
