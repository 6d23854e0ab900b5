/** What an image says of itself, as it is stored, before a pixel of it is decoded. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  /** As in EXIF: 1 is upright, 2 to 8 are turned or mirrored. */
  readonly orientation: number;
  /** Whether the file has its end; a cheap sign that nothing was cut off. */
  readonly isComplete: boolean;
}
