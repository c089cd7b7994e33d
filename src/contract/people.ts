import * as z from 'zod';
import { idSchema } from './values.ts';

/** The spec's spelling of the field; the vendor's contract has `isAuthenticated` (v0.9, GET /auth/isauth). */
const field = 'isauthenticated';

const isField = (name: string): boolean => name.toLowerCase() === field;

/**
 * Answer of GET /api/auth/isauth: whether the caller is signed in, under `isauthenticated` however the server spells
 * it (spec, "Session check"; contract v0.9). Being signed out is a success (200) with `false`, which then may carry
 * `ssoEnabled` and `loginUrl`. Anything but a boolean, or two spellings that differ, is refused.
 */
export const sessionCheckSchema = z.preprocess(
  (value) => {
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const statusFields = Object.entries(value).filter(([name]) => isField(name));
    const [first, ...others] = statusFields.map(([, each]) => each as unknown);
    return others.every((other) => other === first)
      ? { ...value, [field]: first }
      : { ...value, [field]: null };
  },
  z.looseObject({ isauthenticated: z.boolean() }),
);
export type SessionCheck = z.infer<typeof sessionCheckSchema>;

/** Where people sign in on an instance with single sign-on, as far as a session check says so. */
export function getSignInPage(session: SessionCheck): string | undefined {
  const { ssoEnabled, loginUrl } = session;
  return ssoEnabled === true && typeof loginUrl === 'string' && loginUrl !== '' ? loginUrl : undefined;
}

/** True for a body of the session check, whatever it answers: what the platform says and nobody else. */
export const isSessionCheckText = (text: string): boolean => /"isauthenticated"\s*:/i.test(text);

/** A name that is no text is as good as none: what a record calls itself decides nothing. */
const text = z.string().nullish().catch(null);

/**
 * A user as the vendor's contract lists them (v1.0, GET /users). Not in the spec: not every instance offers it, and
 * with fewer rights fields may be missing. `groups` are identifiers, or whole groups where they were expanded.
 */
export const userSchema = z.looseObject({
  _id: idSchema,
  userName: text,
  email: text,
  firstName: text,
  lastName: text,
  groups: z
    .array(z.union([idSchema, z.looseObject({ _id: idSchema }).transform(({ _id }) => _id)]))
    .nullish()
    .catch(null),
  /** Groups of a directory service, by other identifiers than those of rules. */
  adgroups: z.array(z.unknown()).nullish().catch(null),
});
export type UserRecord = z.infer<typeof userSchema>;

/** A group as the vendor's contract lists them (v1.0, GET /groups). */
export const groupRecordSchema = z.looseObject({ _id: idSchema, name: text });
export type GroupRecord = z.infer<typeof groupRecordSchema>;

/** A group as the look-up answers it; other fields are not shown. */
export const groupSchema = z.looseObject({ _id: idSchema });
export type Group = z.infer<typeof groupSchema>;
