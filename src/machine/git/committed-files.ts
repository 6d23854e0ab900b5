import { lstat, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { createHash } from "../../shared/crypto.ts";
import { fileStamp } from "../../shared/files/file-stamp.ts";
import { once } from "../../shared/once.ts";
import { openGit } from "./open-git.ts";

/** Files whose content is exactly what their repository had committed when this was first asked. */
interface CommittedFiles {
  /** Absolute paths of those that are unchanged now. */
  list(): Promise<ReadonlySet<string>>;
  /** Follows the same files in a copy of the folder. */
  in(copy: string): CommittedFiles;
}

/**
 * Follows the committed files around a folder that are `meant`, by their path in the repository. Neither the index nor
 * later commits count, because commands write those.
 */
export function createCommittedFiles(folder: string, isMeant: (path: string) => boolean): CommittedFiles {
  const files = once(() => list(folder, isMeant).catch(() => []));
  return followFiles(folder, files);
}

function followFiles(folder: string, files: () => Promise<readonly CommittedFile[]>): CommittedFiles {
  const known = new Map<string, { stamp: string; isSame: boolean }>();
  const isUnchanged = async ({ path, id }: CommittedFile): Promise<boolean> => {
    const found = await lstat(path, { bigint: true }).catch(() => undefined);
    if (!found?.isFile() || found.size > maxBytes) return false;
    const stamp = fileStamp(found);
    const last = known.get(path);
    if (last?.stamp === stamp) return last.isSame;
    const content = await readFile(path).catch(() => undefined);
    const isSame = content !== undefined && blobId(content, id) === id;
    known.set(path, { stamp, isSame });
    return isSame;
  };
  return {
    async list() {
      const all = await files();
      const same = await Promise.all(all.map(isUnchanged));
      return new Set(all.filter((_, index) => same[index]).map(({ path }) => path));
    },
    in: (copy) =>
      followFiles(copy, async () =>
        (await files()).map(({ path, id }) => ({ path: join(copy, relative(folder, path)), id })),
      ),
  };
}

// Secrets are small.
const maxBytes = 1024n * 1024n;

interface CommittedFile {
  readonly path: string;
  readonly id: string;
}

async function list(folder: string, isMeant: (path: string) => boolean): Promise<readonly CommittedFile[]> {
  if (!(await isInRepository(folder))) return [];
  const git = openGit({ cwd: folder, untrusted: [folder] });
  const [top, tree] = await Promise.all([
    git.line(["rev-parse", "--show-toplevel"]),
    git.read(["ls-tree", "-r", "-z", "--full-tree", "HEAD"]),
  ]);
  return tree
    .toString("utf8")
    .split("\0")
    .flatMap((line): CommittedFile[] => {
      const [, id, path] = /^100\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      return id !== undefined && path !== undefined && isMeant(path) ? [{ path: join(top, path), id }] : [];
    });
}

/** Spares starting git where there is none. */
async function isInRepository(folder: string): Promise<boolean> {
  for (let place = folder; ; place = dirname(place)) {
    if ((await lstat(join(place, ".git")).catch(() => undefined)) !== undefined) return true;
    if (place === dirname(place)) return false;
  }
}

function blobId(content: Buffer, like: string): string {
  const hash = createHash(like.length > 40 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}
