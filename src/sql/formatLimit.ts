const MAX_LENGTH = 400_000;

/** Returns whether a text is so long that it is not formatted at all. */
export const isTooLongToFormat = ({ length }: string): boolean => length > MAX_LENGTH;
