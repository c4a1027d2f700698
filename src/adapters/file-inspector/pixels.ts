// The bound on how large a picture is once somebody decodes it.
import { damaged, Unfit } from './unfit.ts';

const PIXELS_MAX = 50_000_000;
const SIDE_MAX = 20_000;

/** Refuses a picture of no pixels, or of more than a reader's memory should be asked for. */
export function checkPixels(width: number, height: number): void {
  if (width === 0 || height === 0) throw damaged();
  if (width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX) {
    throw new Unfit('FILE_TOO_MANY_PIXELS');
  }
}
