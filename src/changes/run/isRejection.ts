import { HttpError } from '../../client/errors.ts';

/** The statuses with which a server rejects what a request contains: it would reject the same request again. */
const rejectionStatuses: ReadonlySet<number> = new Set([400, 404, 405, 409, 413, 415, 422]);

/** Returns whether a server has rejected what a request contains, so that sending it again can't succeed. */
export const isRejection = (cause: unknown): boolean =>
  cause instanceof HttpError && rejectionStatuses.has(cause.status);
