import { expect, test, vi } from "vitest";
import { listenWithSignIn } from "../sign-in-server.ts";
import { askedOf, browse, createHome, listenWithoutToken, waiting } from "./sign-in-home.ts";

test("a sign-in that no person completes does not hold up closing", async () => {
  const { open } = await createHome();
  const { url } = await listenWithSignIn();
  const runtime = await open({ url, signIn: true }, "at-once");
  await askedOf(runtime);
  const startedAt = performance.now();
  await runtime.close();
  expect(performance.now() - startedAt).toBeLessThan(5000);
}, 20_000);

test("a token that does not come does not hold up closing", async () => {
  const { open } = await createHome();
  const { url, askedForToken } = await listenWithoutToken();
  const runtime = await open({ url, signIn: { open: browse } });
  await vi.waitFor(() => expect(askedForToken).toHaveLength(1), waiting);
  const startedAt = performance.now();
  await runtime.close();
  expect(performance.now() - startedAt).toBeLessThan(10_000);
}, 40_000);
