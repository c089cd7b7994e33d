/** Returns the start of the line that contains an offset; a line ends with a line feed or a carriage return. */
export function findLineStart(text: string, offset: number): number {
  for (let index = offset; index > 0; index -= 1) {
    const code = text.charCodeAt(index - 1);
    if (code === 0x0a || code === 0x0d) {
      return index;
    }
  }
  return 0;
}
