import * as z from 'zod';

/**
 * Shapes as the vendor's contract defines them: named fields must match, other fields are allowed. An optional field
 * may be null, as in recorded responses, and no field may differ from a named one by letter case alone.
 */
export function objectShape(required: z.ZodRawShape, optional: z.ZodRawShape = {}): z.ZodType {
  const fieldNames = [...Object.keys(required), ...Object.keys(optional)];
  const fieldNamesByLowerCase = new Map(fieldNames.map((name) => [name.toLowerCase(), name]));
  const optionalFields = Object.entries(optional).map(
    ([name, schema]) => [name, (schema as z.ZodType).nullish()] as const,
  );
  return z.looseObject({ ...required, ...Object.fromEntries(optionalFields) }).check(({ value, issues }) => {
    for (const name of Object.keys(value)) {
      const expectedName = fieldNamesByLowerCase.get(name.toLowerCase());
      if (expectedName !== undefined && expectedName !== name) {
        issues.push({ code: 'custom', path: [name], message: `is spelled ${expectedName}`, input: name });
      }
    }
  });
}

export const textShape = z.string();
export const integerShape = z.int();
export const booleanShape = z.boolean();
export const listShape = (item: z.ZodType): z.ZodType => z.array(item);
export const enumShape = (...values: readonly string[]): z.ZodType => z.enum(values as [string, ...string[]]);
export const anyObjectShape: z.ZodType = z.record(z.string(), z.unknown());
/** An ID of the v2 areas. */
export const uuidShape = z.string().regex(/^[\da-f]{8}(-?[\da-f]{4}){3}-?[\da-f]{4,12}$/);
/** An ID of the v0.9 and v1 areas. */
export const hexIdShape = z.string().regex(/^[\da-f]{24}$/i);
export const nullableBooleanShape = z.boolean().nullable();

/** Lists the positions where a value doesn't match its shape, with the problem at each. */
export function findShapeBreaches(
  schema: z.ZodType,
  value: unknown,
): readonly { path: string; message: string }[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => ({
    // List items share one shape, so they share one path.
    path: `/${path.map((part) => (typeof part === 'number' ? '#' : String(part))).join('/')}`,
    message,
  }));
}
