import { oneLine } from "../../../shared/text/one-line.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { statementName } from "../read-statement.ts";

/** Whether the server sent the error, so that the connection still works. */
export function isServerError(error: unknown): error is Error & { readonly code: string } {
  return (
    error instanceof Error &&
    "severity" in error &&
    /^[0-9A-Z]{5}$/.test(String((error as { code?: string }).code))
  );
}

/**
 * Describes a failure without its place: messages about connecting name hosts, users and files, so they are replaced.
 * Messages of the server about a statement concern only the caller's own text and data.
 */
export function postgresError(
  error: unknown,
  { name, at }: { name: string; at?: number | undefined },
): unknown {
  if (error instanceof ToolError || !(error instanceof Error)) return error;
  if (!isServerError(error)) return unreachable(name, (error as { code?: string }).code);
  const { code, message } = error;
  if (code === "57014")
    return new ToolError("timed-out", `${statementName(at)}the statement took too long and was stopped`, {
      hint: "Ask for less, or raise the timeout.",
    });
  if (code.startsWith("28") || code === "3D000") return refused(name, code);
  if (code.startsWith("53") || code.startsWith("57"))
    return new ToolError("unavailable", `${name} cannot be used right now: ${inLine(message)}`, {
      retryable: true,
    });
  return serverSaid(error, at);
}

function serverSaid(error: Error & { detail?: string; hint?: string }, at: number | undefined): ToolError {
  const { message, detail, hint } = error;
  // A trigger may say anything, and a detail quotes values of the rows.
  const said = [message, detail, hint].flatMap((part) => (part === undefined ? [] : inLine(part)));
  return new ToolError("tool-failed", `${statementName(at)}${said.join("; ")}`);
}

function inLine(text: string): string {
  return oneLine(text, maxPartCharacters);
}

const maxPartCharacters = 2000;

function refused(name: string, code: string): ToolError {
  const why =
    code === "3D000" ? "the server has no such database" : "the server refused the user or password";
  return new ToolError("unavailable", `${name} cannot be used: ${why}`, {
    hint: "The user has to correct the connection in the option databases.",
  });
}

function unreachable(name: string, code: string | undefined): ToolError {
  const why = reasons.get(code ?? "") ?? "the connection failed";
  return new ToolError("unavailable", `${name} cannot be reached: ${why}`, {
    hint: "Check that the server is running, and the connection in the option databases.",
    retryable: true,
  });
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "nothing answers at its address"],
  ["ENOENT", "there is no socket at its address"],
  ["ENOTFOUND", "its host name is not known"],
  ["EAI_AGAIN", "its host name cannot be looked up right now"],
  ["ETIMEDOUT", "its server does not answer"],
  ["ECONNRESET", "its server closed the connection"],
  ["EPIPE", "its server closed the connection"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate is not trusted"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "its certificate is not trusted"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its certificate is not trusted"],
]);
