import { createUndoCommand } from "./create-undo-command.ts";

export default createUndoCommand("undo");
