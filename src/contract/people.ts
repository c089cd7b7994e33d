import * as z from 'zod';
import { id } from './values.ts';

/** A name that is no text is as good as none: what a record calls itself decides nothing. */
const text = z.string().nullish().catch(null);

/**
 * A user as the vendor's contract lists them (v1.0, GET /users). Not in the spec: not every instance offers it, and
 * with fewer rights fields may be missing. `groups` are identifiers, or whole groups where they were expanded.
 */
export const userSchema = z.looseObject({
  _id: id,
  userName: text,
  email: text,
  firstName: text,
  lastName: text,
  groups: z
    .array(z.union([id, z.looseObject({ _id: id }).transform(({ _id }) => _id)]))
    .nullish()
    .catch(null),
  /** Groups of a directory service, by other identifiers than those of rules. */
  adgroups: z.array(z.unknown()).nullish().catch(null),
});
export type UserRecord = z.infer<typeof userSchema>;

/** A group as the vendor's contract lists them (v1.0, GET /groups). */
export const groupRecordSchema = z.looseObject({ _id: id, name: text });
export type GroupRecord = z.infer<typeof groupRecordSchema>;
