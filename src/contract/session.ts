import * as z from 'zod';
import { id } from './values.ts';

/** Answer of GET /api/auth/isauth (spec, "Session check"). */
export const sessionSchema = z.looseObject({ isauthenticated: z.boolean() });
export type Session = z.infer<typeof sessionSchema>;

/** A group as the look-up answers it; other fields are not shown. */
export const groupSchema = z.looseObject({ _id: id });
export type Group = z.infer<typeof groupSchema>;
