import type { JsonValue } from '../../base/json.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { HttpError } from '../../client/errors.ts';
import type { WriteResult } from '../journal/entry.ts';
import { maskBody } from '../model/maskWrite.ts';
import type { Write } from '../model/operation.ts';
import { getWritePath } from '../model/writePath.ts';
import { describeWriteFailure } from './describeFailure.ts';

/** The details of a write that is done. */
export interface DoneDetails extends Pick<WriteResult, 'status' | 'ms'> {
  readonly response: JsonValue | undefined;
  /** Another user has meanwhile changed other rules of the same columns. */
  readonly hasConcurrentChanges?: boolean | undefined;
}

/** Creates the result of a write that is done, for the journal: secrets are masked. */
export const createDoneResult = (
  write: Write,
  { dialect }: Pick<PlatformClient, 'dialect'>,
  { status, ms, response, hasConcurrentChanges }: DoneDetails,
): WriteResult => ({
  state: 'done',
  path: getWritePath(write, dialect),
  ms,
  ...(status === undefined ? {} : { status }),
  ...(response === undefined ? {} : { answer: maskBody(write, response) }),
  ...(hasConcurrentChanges === true ? { metOthers: true as const } : {}),
});

/** Creates the result of a write that failed, or whose outcome is unknown. */
export const createUnsuccessfulResult = (
  write: Write,
  { dialect }: Pick<PlatformClient, 'dialect'>,
  {
    state,
    ms,
    error,
  }: { readonly state: 'failed' | 'unknown'; readonly ms: number; readonly error: unknown },
): WriteResult => ({
  state,
  path: getWritePath(write, dialect),
  ms,
  ...(error instanceof HttpError ? { status: error.status } : {}),
  ...(error === undefined ? {} : { problem: describeWriteFailure(error) }),
});
