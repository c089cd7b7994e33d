/**
 * Binary search in a list of the given length, in which all items that satisfy `isBefore` come first. Returns the index
 * of the first item that does not satisfy it.
 */
export function lowerBound(length: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
