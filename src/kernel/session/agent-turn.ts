/** A session is one conversation, so only one agent works in it at a time; other processes cannot open it meanwhile. */
export type AgentTurn = ReturnType<typeof createAgentTurn>;

export function createAgentTurn() {
  let isTaken = false;
  return {
    /** Throws if another agent has the turn. Returns how to give it back. */
    take() {
      if (isTaken) throw new Error("another agent is already working in this session");
      isTaken = true;
      return () => {
        isTaken = false;
      };
    },
  };
}
