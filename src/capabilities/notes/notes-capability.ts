import { capability } from "../../kernel/runtime/capability.ts";
import { notesService } from "./notes-service.ts";
import reflect from "./tools/project/reflect.ts";

/** Notes for later sessions of the project. */
export const notesCapability = capability({
  name: "notes",
  services: { notes: notesService },
  tools: [reflect],
  open: () => ({
    session: async (session) => ({ services: { notes: await notesService.open(session) } }),
  }),
});
