/** Properties of the stored image, read without decoding pixels. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  /** As in EXIF: 1 is upright, 2 to 8 are rotated or mirrored. */
  readonly orientation: number;
  /** Whether the file has its end marker; a cheap sign that it is complete. */
  readonly isComplete: boolean;
}
