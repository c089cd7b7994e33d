import type { Operation, Write } from '../model/operation.ts';
import type { StoredWrite } from './entry.ts';

/** Returns the form in which an operation is stored. */
export const toStoredOperation = ({
  connectionId,
  cause,
  subject,
  project,
  cubeSets,
  visibleUntilBuild = [],
  writes,
}: Operation) => ({
  connectionId,
  cause,
  subject: { name: subject.name, within: [...subject.within] },
  ...(project === undefined ? {} : { project }),
  ...(cubeSets === undefined ? {} : { cubeSets: [...cubeSets] }),
  ...(visibleUntilBuild.length === 0
    ? {}
    : {
        visibleUntilBuild: visibleUntilBuild.map(({ data, viewpoints, ...build }) => ({
          ...build,
          data: [...data],
          viewpoints: [...viewpoints],
        })),
      }),
  writes: writes.map(toStoredWrite),
});

/** Returns the form in which a write is stored. */
export const toStoredWrite = ({ outputRefs, ...write }: Write): StoredWrite => ({
  ...write,
  ...(outputRefs === undefined ? {} : { made: outputRefs }),
});
