const MAX_LENGTH = 400_000;

/** Longer texts are not formatted at all. */
export const isTooLongToFormat = ({ length }: string): boolean => length > MAX_LENGTH;
