import type { ImageFormat } from "../../shared/content/image-format.ts";

export interface ImageSource {
  readonly bytes: Buffer;
  readonly format: ImageFormat;
}
