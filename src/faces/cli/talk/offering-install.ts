import type { TalkView } from "./talk-view.ts";

export interface InstallOffer {
  readonly view: Pick<TalkView, "choose" | "tell">;
  readonly workspace: string;
  onInstalled(): void;
}

/** Runs it; once more with the package that its model needs, if the person lets that be installed. */
export async function offeringInstall<Result>(
  run: () => Promise<Result>,
  { view, workspace, onInstalled }: InstallOffer,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const { offerInstall } = await import("../open/offer-install.ts");
    const prompter = { confirm: (command: string) => confirmInstall(view, command), tell: view.tell };
    if (!(await offerInstall(error, prompter, { workspace }))) throw error;
    onInstalled();
    return run();
  }
}

async function confirmInstall(view: InstallOffer["view"], command: string): Promise<boolean> {
  const answer = await view.choose("The model needs a package that is not installed.", [
    { value: "install", label: "Install it", about: command },
    { value: "no", label: "No" },
  ]);
  return answer === "install";
}
