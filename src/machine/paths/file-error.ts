import { errorCodeOf } from "../../shared/files/error-code.ts";
import { defined } from "../../shared/options/defined.ts";
import { type ErrorCode, ToolError } from "../../tool/tool-error.ts";

/** Translates a file system error into a ToolError; returns unknown errors unchanged. */
export function fileError(cause: unknown, path: string): unknown {
  const code = errorCodeOf(cause);
  const known = code === undefined ? undefined : knownErrors.get(code);
  if (known === undefined) return cause;
  return new ToolError(known.code, `${path} ${known.says}`, {
    cause,
    ...defined({ hint: known.hint }),
    retryable: known.code === "conflict",
  });
}

interface KnownError {
  readonly code: ErrorCode;
  readonly says: string;
  readonly hint?: string;
}

const changed: KnownError = {
  code: "conflict",
  says: "changed while it was being opened",
  hint: "Try again.",
};

const denied: KnownError = {
  code: "access-denied",
  says: "cannot be accessed by this user",
  hint: "Check its permissions and those of the folders above it.",
};

const diskFull: KnownError = {
  code: "unavailable",
  says: "could not be written: the disk is full",
  hint: "Free some disk space, then try again. The previous content is unchanged.",
};

const knownErrors = new Map<string, KnownError>([
  ["ENOENT", { code: "not-found", says: "does not exist" }],
  ["EACCES", denied],
  ["EPERM", denied],
  ["EISDIR", { code: "is-directory", says: "is a directory" }],
  ["ENAMETOOLONG", { code: "invalid-input", says: "is longer than the system allows" }],
  // Paths are resolved before they are opened, so these mean that the path has changed since.
  ["ELOOP", changed],
  ["ENOTDIR", changed],
  ["EINVAL", changed],
  ["EEXIST", { code: "already-exists", says: "already exists" }],
  [
    "ENOTEMPTY",
    { code: "conflict", says: "is not empty", hint: "Something was added to it in the meantime. Try again." },
  ],
  ["EBUSY", { code: "conflict", says: "is in use by the system" }],
  ["EROFS", { code: "access-denied", says: "is on a read-only disk" }],
  ["EFBIG", { code: "too-large", says: "would be larger than the file system allows" }],
  ["ENOSPC", diskFull],
  ["EDQUOT", diskFull],
  // A socket, or a device without a driver.
  ["ENXIO", { code: "not-a-file", says: "is not a regular file" }],
]);
