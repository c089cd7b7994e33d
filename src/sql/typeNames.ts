const TYPE_NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'BigInt'],
  [2, 'Boolean'],
  [3, 'Char'],
  [4, 'DateTime'],
  [5, 'Decimal'],
  [6, 'Float'],
  [8, 'Integer'],
  [13, 'Real'],
  [16, 'SmallInt'],
  [18, 'Text'],
  [19, 'DateTime'],
  [20, 'TinyInt'],
  [22, 'Text'],
  [31, 'Date'],
  [32, 'Time'],
  [40, 'Double'],
  [41, 'Numeric'],
  [43, 'DateTime with time zone'],
  [44, 'Time with time zone'],
]);

/** Returns the name of a column type code of the platform; `undefined` for an unknown code. */
export function getTypeName(code: number | undefined): string | undefined {
  return code === undefined ? undefined : TYPE_NAMES.get(code);
}
