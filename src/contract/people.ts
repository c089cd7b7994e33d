import * as z from 'zod';
import { idSchema } from './values.ts';

/**
 * The name of the field in the guide; the vendor's contract has `isAuthenticated` (platform-facts.md, 6.1, GET
 * /auth/isauth).
 */
const authenticatedField = 'isauthenticated';

const isAuthenticatedField = (name: string): boolean => name.toLowerCase() === authenticatedField;

/**
 * Response of GET /api/auth/isauth: whether the caller is signed in, under `isauthenticated` in any letter case
 * (rest-api.md, "Session check and lookup"; platform-facts.md, 6.1). Being signed out is a success (200) with `false`,
 * which may then have `ssoEnabled` and `loginUrl`. Anything but a boolean is rejected, and so are two spellings with
 * different values.
 */
export const sessionCheckSchema = z.preprocess(
  (value) => {
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const statusFields = Object.entries(value).filter(([name]) => isAuthenticatedField(name));
    const [first, ...others] = statusFields.map(([, fieldValue]) => fieldValue as unknown);
    return others.every((other) => other === first)
      ? { ...value, [authenticatedField]: first }
      : { ...value, [authenticatedField]: null };
  },
  z.looseObject({ isauthenticated: z.boolean() }),
);
export type SessionCheck = z.infer<typeof sessionCheckSchema>;

/** The sign-in page of an instance with single sign-on, if a session check contains it. */
export function getSignInPage(session: SessionCheck): string | undefined {
  const { ssoEnabled, loginUrl } = session;
  return ssoEnabled === true && typeof loginUrl === 'string' && loginUrl !== '' ? loginUrl : undefined;
}

/** True for a body of the session check, whatever its result: only the platform returns this. */
export const isSessionCheckText = (text: string): boolean => /"isauthenticated"\s*:/i.test(text);

/** A text that may be missing. Any other value counts as missing too, since these fields are only displayed. */
const optionalText = z.string().nullish().catch(null);

/**
 * A user as listed by the vendor's contract (platform-facts.md, 6.2, GET /users). Not in the guide: not every instance
 * offers it, and with fewer rights fields may be missing. `groups` are IDs, or whole groups if they were expanded.
 */
export const userSchema = z.looseObject({
  _id: idSchema,
  userName: optionalText,
  email: optionalText,
  firstName: optionalText,
  lastName: optionalText,
  groups: z
    .array(z.union([idSchema, z.looseObject({ _id: idSchema }).transform(({ _id }) => _id)]))
    .nullish()
    .catch(null),
  /** Groups of a directory service, with other IDs than those of rules. */
  adgroups: z.array(z.unknown()).nullish().catch(null),
});
export type UserRecord = z.infer<typeof userSchema>;

/** A group as listed by the vendor's contract (platform-facts.md, 6.2, GET /groups). */
export const groupRecordSchema = z.looseObject({ _id: idSchema, name: optionalText });
export type GroupRecord = z.infer<typeof groupRecordSchema>;

/** A group as returned by the look-up; its other fields are not documented. */
export const groupLookupSchema = z.looseObject({ _id: idSchema });
export type GroupLookupRecord = z.infer<typeof groupLookupSchema>;
