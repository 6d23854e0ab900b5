import type { ImageFormat } from "./image-format.ts";

export interface ImageSource {
  readonly bytes: Buffer;
  readonly format: ImageFormat;
}
