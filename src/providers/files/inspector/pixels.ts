// The limit on a picture's decoded size.
import { damaged, RejectedFile } from './rejected-file.ts';

const PIXELS_MAX = 50_000_000;
const SIDE_MAX = 20_000;

/** Refuses a picture without pixels, or with more than a viewer's memory should hold. */
export function checkPixels(width: number, height: number): void {
  if (width === 0 || height === 0) throw damaged();
  if (width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX) {
    throw new RejectedFile('FILE_TOO_MANY_PIXELS');
  }
}
