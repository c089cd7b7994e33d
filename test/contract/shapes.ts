import * as z from 'zod';

/**
 * Shapes as the vendor's contract gives them: what is named must be as it says, what is not named may be there. A
 * field that is optional may be null, as recorded answers have it, and no field may differ from a named one by its
 * letter case alone.
 */
export function objectShape(required: z.ZodRawShape, optional: z.ZodRawShape = {}): z.ZodType {
  const named = [...Object.keys(required), ...Object.keys(optional)];
  const spelt = new Map(named.map((name) => [name.toLowerCase(), name]));
  const optionals = Object.entries(optional).map(
    ([name, schema]) => [name, (schema as z.ZodType).nullish()] as const,
  );
  return z.looseObject({ ...required, ...Object.fromEntries(optionals) }).check(({ value, issues }) => {
    for (const name of Object.keys(value)) {
      const right = spelt.get(name.toLowerCase());
      if (right !== undefined && right !== name) {
        issues.push({ code: 'custom', path: [name], message: `is spelt ${right}`, input: name });
      }
    }
  });
}

export const textShape = z.string();
export const integerShape = z.int();
export const booleanShape = z.boolean();
export const listShape = (item: z.ZodType): z.ZodType => z.array(item);
export const enumShape = (...words: readonly string[]): z.ZodType => z.enum(words as [string, ...string[]]);
export const anyObjectShape: z.ZodType = z.record(z.string(), z.unknown());
/** An identity of the v2 areas. */
export const uuidShape = z.string().regex(/^[\da-f]{8}(-?[\da-f]{4}){3}-?[\da-f]{4,12}$/);
/** An identity of the v0.9 and v1 areas. */
export const hexIdShape = z.string().regex(/^[\da-f]{24}$/i);
export const nullableBooleanShape = z.boolean().nullable();

/** Where a value is not as its shape says, one line each. */
export function findShapeBreaches(
  schema: z.ZodType,
  value: unknown,
): readonly { at: string; says: string }[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => ({
    // All items of a list are alike.
    at: `/${path.map((part) => (typeof part === 'number' ? '#' : String(part))).join('/')}`,
    says: message,
  }));
}
