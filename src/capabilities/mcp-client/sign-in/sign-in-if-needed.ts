import type { Transport } from "@modelcontextprotocol/client";
import { Deadline } from "../../../shared/deadline.ts";
import type { ClientSdk } from "../connection/load-client-sdk.ts";
import type { SignIn } from "./sign-in.ts";

interface SignInUse {
  readonly signIn?: SignIn | undefined;
  readonly signal: AbortSignal;
  readonly sdk: ClientSdk;
  readonly timeoutMs: number;
}

/** If the request failed because a person has to sign in, waits for that. True if the request should be tried again. */
export async function signInIfNeeded(
  error: unknown,
  transport: Transport,
  { signIn, signal, sdk, timeoutMs }: SignInUse,
): Promise<boolean> {
  if (signIn === undefined || signal.aborted || !(error instanceof sdk.UnauthorizedError)) return false;
  if (
    !(transport instanceof sdk.StreamableHTTPClientTransport || transport instanceof sdk.SSEClientTransport)
  ) {
    return false;
  }
  const params = await signIn.returned(signal);
  const deadline = new Deadline(signal);
  deadline.start(timeoutMs);
  try {
    await deadline.race(transport.finishAuth(params));
  } finally {
    deadline.close();
  }
  return true;
}
