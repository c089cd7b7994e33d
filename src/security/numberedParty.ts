/**
 * Users and groups that have no unique name: the files of a project refer to them by their number in the lock file, as
 * `{"bound": 3}`. Where text identifies a party, such as in the ID of a form's party, it is the JSON of this object
 * without spaces.
 */

/** Returns the number of a reference such as `{"bound": 3}`; `undefined` for anything else. */
export function readPartyNumber(reference: unknown): number | undefined {
  const number: unknown =
    typeof reference === 'object' && reference !== null && 'bound' in reference ? reference.bound : undefined;
  return typeof number === 'number' ? number : undefined;
}

export const formatPartyNumber = (number: number): string => JSON.stringify({ bound: number });

/**
 * Returns the number in a text from {@link formatPartyNumber}; `undefined` for any other text, such as a name or ID.
 */
export function parsePartyNumber(text: string): number | undefined {
  const [, digits] = /^\{"bound":(-?\d+)\}$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
