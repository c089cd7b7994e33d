import type * as z from 'zod';
import { english } from '../base/localize.ts';
import { describeComparedPart, describeUnmanaged } from '../project/messages/describeUnmanaged.ts';
import { type UnmanagedSummary, isEverythingManaged } from '../project/pull/unmanaged.ts';
import type { unmanagedSchema } from './planOutputSchema.ts';
import { type Limits, describeLimitedPart } from './selectionLimits.ts';

/** The member of an output that says what isn't compared because of "manage". */
interface UnmanagedOutput {
  readonly unmanaged?: z.infer<typeof unmanagedSchema>;
}

/** The same member, where it may be `undefined`. */
interface OptionalUnmanaged {
  readonly unmanaged?: UnmanagedSummary | undefined;
}

const everythingManaged: UnmanagedSummary = { excluded: [], unknownNames: [] };

/** The title of what isn't compared because of "manage" in reports. */
export const unmanagedTitle = 'Not managed';

/** Creates the member of an output; no member if "manage" leaves nothing out. */
export const toUnmanagedOutput = ({
  unmanaged,
}: {
  readonly unmanaged: UnmanagedSummary;
}): UnmanagedOutput =>
  isEverythingManaged(unmanaged)
    ? {}
    : { unmanaged: { excluded: [...unmanaged.excluded], unknownNames: [...unmanaged.unknownNames] } };

/** Returns lines that say what isn't compared because of "manage". */
export const formatUnmanaged = ({ unmanaged = everythingManaged }: OptionalUnmanaged): readonly string[] =>
  describeUnmanaged(english, unmanaged);

/** Names the part of the project that an output is about; `undefined` for the whole project. */
export const describeOutputPart = ({
  limits = {},
  unmanaged = everythingManaged,
}: OptionalUnmanaged & { readonly limits?: Limits | undefined }): string | undefined =>
  describeComparedPart(english, describeLimitedPart(limits), unmanaged);
