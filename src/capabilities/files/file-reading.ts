import { classifyContent, readFileHead } from "../../shared/content/classify-content.ts";
import { bytesAsSource } from "../../shared/files/byte-source.ts";
import { readWhole } from "../../shared/files/read-whole.ts";
import type { FileReading, ImageFile } from "../../tool/services/files.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { FileLocator } from "./file-locator.ts";
import type { OpenedScope } from "./open-scope.ts";
import { listDirectory } from "./read/list-directory.ts";
import { readLineWindow } from "./read/read-line-window.ts";
import { readText } from "./read/read-text.ts";
import type { OpenFile } from "./tree/tree.ts";

// Up to this size a file is read whole: it takes a few milliseconds and gives the line count and the hash.
const maxSmallBytes = 4 * 2 ** 20;

/** The methods of a call's files that only read. */
export function createFileReading(
  locator: FileLocator,
  { tree, roots, freshness, signal, nameOf }: OpenedScope,
): FileReading {
  const withFile = async <Result>(
    path: string,
    work: (file: OpenFile, canonical: string) => Promise<Result>,
  ): Promise<Result> => {
    const { canonical } = await locator.toRead(path, "file");
    const file = await tree.openFile(canonical, path);
    return work(file, canonical).finally(file.close);
  };

  return {
    readLines: (path, range) =>
      withFile(path, async ({ source, sizeBytes, stamp }, canonical) => {
        // The stored output of a call: a command may print anything, and the result said that it can be read here.
        const isLenient = roots.inReadableRoot(canonical);
        const options = { ...range, path: nameOf(canonical), signal, isLenient };
        if (sizeBytes > maxSmallBytes) {
          const lines = await readLineWindow(source, { ...options, sizeBytes });
          freshness.record(canonical, { stamp });
          return lines;
        }
        const { bytes, hash } = await readWhole(source, { sizeBytes, signal });
        const lines = await readLineWindow(bytesAsSource(bytes), { ...options, sizeBytes: bytes.length });
        freshness.record(canonical, { hash, stamp, bytes });
        return lines;
      }),
    describe: (path) =>
      withFile(path, async ({ source, sizeBytes }, canonical) => {
        const { mediaType } = classifyContent(await readFileHead(source));
        return { path: nameOf(canonical), sizeBytes, mediaType };
      }),
    readImage: (path) =>
      withFile(path, async ({ source, sizeBytes, stamp }, canonical) => {
        if (sizeBytes > maxImageBytes) throw imageTooLarge(path, sizeBytes);
        const { bytes, hash } = await readWhole(source, { sizeBytes, signal });
        const image = await prepare(bytes);
        freshness.record(canonical, { hash, stamp });
        return { path: nameOf(canonical), ...image };
      }),
    prepareImage: (bytes) => prepare(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    async list(path, { recursive = false, maxEntries = 1000 } = {}) {
      const { canonical } = await locator.toRead(path, "directory");
      const isListed = locator.listed();
      const options = { recursive, maxEntries, signal, nameOf, tree, isListed };
      const listing = await listDirectory(canonical, options);
      return { path: nameOf(canonical), ...listing };
    },
    async readText(path, { encoding, maxBytes } = {}) {
      const { canonical } = await locator.toRead(path, "file");
      const options = { tree, signal, nameOf, encoding, maxBytes };
      const { file, hash, stamp, bytes } = await readText(canonical, options);
      freshness.record(canonical, { hash, stamp, bytes });
      return file;
    },
  };
}

/** Loads what it needs only now: most sessions never read an image. */
async function prepare(bytes: Buffer): Promise<Omit<ImageFile, "path">> {
  const { prepareImage } = await import("../../machine/images/prepare-image.ts");
  const { original: _original, ...image } = await prepareImage(bytes);
  return image;
}

const maxImageBytes = 100 * 2 ** 20;

function imageTooLarge(path: string, sizeBytes: number): ToolError {
  return new ToolError(
    "too-large",
    `${path} is an image of ${sizeBytes} bytes; the limit is ${maxImageBytes}`,
    { hint: "Make the image smaller first." },
  );
}
