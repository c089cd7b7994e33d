import * as z from 'zod';
import { id } from './values.ts';

/** The spec's spelling of the field; the vendor's contract has `isAuthenticated` (v0.9, GET /auth/isauth). */
const field = 'isauthenticated';

const isField = (name: string): boolean => name.toLowerCase() === field;

/**
 * Answer of GET /api/auth/isauth: whether the caller is signed in, under `isauthenticated` however the server spells
 * it (spec, "Session check"; contract v0.9). Being signed out is a success (200) with `false`, which then may carry
 * `ssoEnabled` and `loginUrl`. Anything but a boolean, or two spellings that differ, is refused.
 */
export const sessionSchema = z.preprocess(
  (value) => {
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const said = Object.entries(value).filter(([name]) => isField(name));
    const [first, ...others] = said.map(([, each]) => each as unknown);
    return others.every((other) => other === first)
      ? { ...value, [field]: first }
      : { ...value, [field]: null };
  },
  z.looseObject({ isauthenticated: z.boolean() }),
);
export type Session = z.infer<typeof sessionSchema>;

/** Where people sign in on an instance with single sign-on, as far as a session check says so. */
export function signInPage(session: Session): string | undefined {
  const { ssoEnabled, loginUrl } = session;
  return ssoEnabled === true && typeof loginUrl === 'string' && loginUrl !== '' ? loginUrl : undefined;
}

/** True for a body of the session check, whatever it answers: what the platform says and nobody else. */
export const isSessionText = (text: string): boolean => /"isauthenticated"\s*:/i.test(text);

/** A group as the look-up answers it; other fields are not shown. */
export const groupSchema = z.looseObject({ _id: id });
export type Group = z.infer<typeof groupSchema>;
