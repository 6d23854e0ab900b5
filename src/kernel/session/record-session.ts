import { describeSessionIdRule, isSessionId } from "../store/session-id.ts";
import type { OpenedRecord, SessionParent, SessionRecord, Store } from "../store/store.ts";

export interface RecordOptions
  extends Required<Pick<OpenedRecord, "id" | "workspace" | "chooseDialect" | "takeLease">> {
  readonly taskId?: string | undefined;
  /** For a sub-agent: the session that it was spawned from. */
  readonly parent?: SessionParent | undefined;
}

/** Creates the session in the store, or opens it again. */
export async function recordSession(
  store: Pick<Store, "openSession">,
  { id, workspace, chooseDialect, takeLease, taskId: given, parent }: RecordOptions,
): Promise<{ readonly taskId: string; readonly resumed: boolean; readonly dialect: string }> {
  checkSessionId(id);
  const { taskId, resumed, dialect } = await store.openSession({
    id,
    workspace,
    chooseDialect,
    takeLease,
    check: (known) => {
      refuseOtherWorkspace(known, workspace);
      refuseOtherTask(known, given);
    },
    ...(given !== undefined && { taskId: given }),
    ...(parent && { parent }),
  });
  return { taskId, resumed, dialect: dialect! };
}

/** Its paths, approvals and budget were about another folder. A sub-agent's may have been a worktree that is gone. */
function refuseOtherWorkspace(known: SessionRecord, workspace: string): void {
  if (known.parent !== undefined || known.workspace === "" || known.workspace === workspace) return;
  throw new TypeError(
    `session ${known.id} belongs to the workspace ${known.workspace}; open it there, or use another id`,
  );
}

function refuseOtherTask({ id, taskId }: SessionRecord, given: string | undefined): void {
  if (given === undefined || given === taskId) return;
  throw new TypeError(`session ${id} belongs to task ${taskId} and cannot change to ${given}`);
}

function checkSessionId(id: string): void {
  if (!isSessionId(id)) throw new TypeError(describeSessionIdRule(id));
}
