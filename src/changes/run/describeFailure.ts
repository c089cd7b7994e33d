import { ApiError } from '../../client/errors.ts';
import { getServerMessage } from '../../client/httpError.ts';

/** Describes for the history why a write failed, with the server's message. */
export function describeWriteFailure(error: unknown): string {
  // The message of any other error might contain a document or a token.
  const failure = error instanceof ApiError ? error.message : error instanceof Error ? error.name : 'unknown';
  const serverMessage = getServerMessage(error);
  return serverMessage === undefined ? failure : `${failure}: ${serverMessage}`;
}
