/** Why a model cannot be used, and what to do about it. */
export class ModelError extends Error {
  override readonly name = "ModelError";
}
