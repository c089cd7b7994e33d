import { joinNames } from '../../base/joinNames.ts';
import type { Localize } from '../../base/localize.ts';
import type { Operation, VisibleUntilBuild } from '../model/operation.ts';
import { findVisibleAfterStop, mergeVisible } from '../run/visibleUntilBuild.ts';
import type { OperationReport } from '../run/writeErrors.ts';

/** Merges what different writes may show. */
const mergeByDatamodel = (visible: readonly VisibleUntilBuild[]): readonly VisibleUntilBuild[] =>
  [...Map.groupBy(visible, ({ datamodel }) => datamodel).values()].flatMap((group) => mergeVisible(group));

/** The maximum number of columns, tables, and viewpoints to name. */
const maxNames = 5;

/** Says in a sentence for each datamodel what an operation may show until the next build; empty if nothing. */
export const describeVisibleUntilBuild = (
  t: Localize,
  { visibleUntilBuild = [] }: Pick<Operation, 'visibleUntilBuild'>,
): readonly string[] =>
  mergeByDatamodel(visibleUntilBuild).map(({ datamodel, isLive, isNeverBuilt, data, viewpoints }) => {
    const names = joinNames([...data, ...viewpoints.map((name) => t('viewpoint {0}', name))], t, maxNames);
    if (isNeverBuilt === true) {
      return isLive
        ? t(
            'If the first publication of {0} was already running, more data might be visible until {0} is published again: {1}.',
            datamodel,
            names,
          )
        : t(
            'If the first build of {0} was already running, more data might be visible until {0} is built again: {1}.',
            datamodel,
            names,
          );
    }
    return isLive
      ? t('Until {0} is published, more data might be visible: {1}.', datamodel, names)
      : t('Until {0} is built, more data might be visible: {1}.', datamodel, names);
  });

/**
 * Says in a sentence for each datamodel what an operation that isn't done may show until the next build; empty if
 * nothing.
 */
export const describeVisibleAfterStop = (
  t: Localize,
  progress: Pick<OperationReport, 'operation' | 'writeStates'>,
): readonly string[] => describeVisibleUntilBuild(t, { visibleUntilBuild: findVisibleAfterStop(progress) });
