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
  const { built, published } = formatTitles(t, [progress]);
  return [
    ...(built === ''
      ? []
      : [
          t(
            "Don't build {0} before the change is finished or rolled back: relations or rules might be missing, so rules might not restrict all tables.",
            built,
          ),
        ]),
    ...(published === ''
      ? []
      : [
          t(
            "Don't publish {0} before the change is finished or rolled back: relations or rules might be missing, so rules might not restrict all tables.",
            published,
          ),
        ]),
  ];
}

/**
 * Says which datamodels might lack relations once an operation that has stopped is abandoned; empty if none.
 * @param parts the operation, and its undos that aren't done: they are abandoned together
 */
export function describeBuildsAfterAbandoning(
  t: Localize,
  parts: readonly Pick<OperationReport, 'operation' | 'writeStates'>[],
): readonly string[] {
  const { built, published } = formatTitles(t, parts);
  return [
    ...(built === ''
      ? []
      : [
          t(
            'Before you build {0}, check the relations and rules: some might be missing, so rules might not restrict all tables afterward.',
            built,
          ),
        ]),
    ...(published === ''
      ? []
      : [
          t(
            'Before you publish {0}, check the relations and rules: some might be missing, so rules might not restrict all tables afterward.',
            published,
          ),
        ]),
  ];
}

/** Formats the titles of the datamodels to build, and of those to publish, that operations have written in part. */
function formatTitles(
  t: Localize,
  parts: readonly Pick<OperationReport, 'operation' | 'writeStates'>[],
): { readonly built: string; readonly published: string } {
  const partlyWrittenDatamodels = parts
    .flatMap(listPartlyWrittenDatamodels)
    .filter(({ title }) => title !== '');
  const format = (type: (typeof partlyWrittenDatamodels)[number]['type']): string =>
    joinNames(
      [
        ...new Set(
          partlyWrittenDatamodels.flatMap((datamodel) => (datamodel.type === type ? [datamodel.title] : [])),
        ),
      ],
      t,
      maxNames,
    );
  return { built: format('schema_changes'), published: format('publish') };
}
