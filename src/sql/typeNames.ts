/** The names of the types of columns, as everywhere in the product (platform-facts.md, 2.3). */
const typeNames: ReadonlyMap<number, string> = new Map([
  [0, 'BigInt'],
  [1, 'Binary'],
  [2, 'Boolean'],
  [3, 'Char'],
  [4, 'Timestamp'],
  [5, 'Decimal'],
  [6, 'Float'],
  [7, 'Image'],
  [8, 'Integer'],
  [9, 'Money'],
  [10, 'NChar'],
  [11, 'NText'],
  [12, 'NVarChar'],
  [13, 'Real'],
  [14, 'UniqueIdentifier'],
  [15, 'SmallDateTime'],
  [16, 'SmallInt'],
  [17, 'SmallMoney'],
  [18, 'Text'],
  [19, 'Timestamp (legacy)'],
  [20, 'TinyInt'],
  [21, 'VarBinary'],
  [22, 'VarChar'],
  [23, 'Variant'],
  [25, 'Xml'],
  [29, 'Udt'],
  [30, 'Structured'],
  [31, 'Date'],
  [32, 'Time'],
  [33, 'DateTime2'],
  [34, 'DateTimeOffset'],
  [40, 'Double'],
  [41, 'Numeric'],
  [43, 'TimestampWithTimezone'],
  [44, 'TimeWithTimezone'],
]);

/** Returns the name of a column type code of the platform; `undefined` for an unknown code. */
export function getTypeName(code: number | undefined): string | undefined {
  return code === undefined ? undefined : typeNames.get(code);
}
