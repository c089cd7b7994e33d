import { type StoppedDocuments, readStoppedDocuments } from '../../changes/journal/stoppedDocuments.ts';
import { listContentNames } from '../../changes/journal/writtenDocuments.ts';
import type { ProjectPlan } from '../../project/apply/loadProjectPlan.ts';

/**
 * Reads how far a stopped apply got. Names that its journal doesn't contain are those that the instance had when the
 * apply was planned.
 */
export const readStoppedApplyDocuments = (
  history: Parameters<typeof readStoppedDocuments>[0],
  stopped: Parameters<typeof readStoppedDocuments>[1],
  { reading }: Pick<ProjectPlan, 'reading'>,
): Promise<StoppedDocuments> =>
  readStoppedDocuments(
    history,
    stopped,
    new Map(reading.documents.datamodels.flatMap(({ document }) => listContentNames(document))),
  );
