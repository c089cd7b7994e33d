import type { JsonValue } from '../base/json.ts';
import { maskConnectorSettings, maskConnectorDocument } from '../base/secrets/maskSecrets.ts';
import { getPart } from '../project/compare/parts.ts';
import type { PullConflict } from '../project/pull/decideUnit.ts';

/** The versions of a part that is in conflict. */
export interface ConflictVersions {
  /** A JSON pointer; empty for the whole item. */
  readonly pointer: string;
  /** The value in the project; absent if it has none. */
  readonly ours?: JsonValue;
  /** The value on the instance; absent if it has none. */
  readonly theirs?: JsonValue;
}

/** Returns both versions of the parts in conflict, with secrets masked: a file may contain some in plain text. */
export function getConflictVersions({
  key: { kind },
  pointers,
  ours,
  theirs,
}: Pick<PullConflict, 'key' | 'pointers' | 'ours' | 'theirs'>): readonly ConflictVersions[] {
  // Custom data may use any property names, so every value that could be a secret is masked.
  const mask = kind === 'customData' ? maskConnectorSettings : maskConnectorDocument;
  const [maskedOurs, maskedTheirs] = [ours, theirs].map((content) =>
    content === undefined ? undefined : mask(content),
  );
  return pointers.flatMap((pointer) => {
    const [ourPart, theirPart] = [maskedOurs, maskedTheirs].map((content) => getPart(content, pointer));
    return ourPart === undefined && theirPart === undefined
      ? []
      : [
          {
            pointer,
            ...(ourPart === undefined ? {} : { ours: ourPart }),
            ...(theirPart === undefined ? {} : { theirs: theirPart }),
          },
        ];
  });
}
