import * as z from 'zod';

/** A membership list that the user imported, as stored. */
export const membershipListSchema = z.array(
  z.object({ user: z.string().min(1), groupIds: z.array(z.string().min(1)) }),
);
