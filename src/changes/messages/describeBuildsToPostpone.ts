import { joinNames } from '../../base/joinNames.ts';
import type { Localize } from '../../base/localize.ts';
import { listPartlyWrittenDatamodels } from '../run/heldBuilds.ts';
import type { OperationReport } from '../run/writeErrors.ts';

/** The maximum number of datamodels to name. */
const maxNames = 5;

/** Says which datamodels not to build or publish before an operation that has stopped is done; empty if none. */
export function describeBuildsToPostpone(
  t: Localize,
  progress: Pick<OperationReport, 'operation' | 'writeStates'>,
): readonly string[] {
  const held = listPartlyWrittenDatamodels(progress).filter(({ title }) => title !== '');
  const formatTitles = (type: (typeof held)[number]['type']): string =>
    joinNames(
      held.flatMap((datamodel) => (datamodel.type === type ? [datamodel.title] : [])),
      t,
      maxNames,
    );
  const [built, published] = [formatTitles('schema_changes'), formatTitles('publish')];
  return [
    ...(built === ''
      ? []
      : [
          t(
            "Don't build {0} before the change is finished or rolled back: relations might be missing, so rules might not restrict all tables.",
            built,
          ),
        ]),
    ...(published === ''
      ? []
      : [
          t(
            "Don't publish {0} before the change is finished or rolled back: relations might be missing, so rules might not restrict all tables.",
            published,
          ),
        ]),
  ];
}
