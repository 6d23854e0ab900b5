/** Steps that are taken back, the last one first, if a later one fails. */
export interface Undoing {
  step(make: () => Promise<unknown>, takeBack: () => Promise<unknown>): Promise<void>;
}

export async function takeBackOnFailure(work: (undoing: Undoing) => Promise<void>): Promise<void> {
  const done: (() => Promise<unknown>)[] = [];
  const step: Undoing["step"] = async (make, takeBack) => {
    await make();
    done.push(takeBack);
  };
  try {
    await work({ step });
  } catch (error) {
    for (const takeBack of done.reverse()) await takeBack();
    throw error;
  }
}
