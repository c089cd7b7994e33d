import { getMember } from '../../base/json.ts';
import { createMessage } from '../../base/localize.ts';
import { datasetTypes } from '../../contract/datamodel.ts';
import type { FileItem } from '../files/project.ts';
import { FileLocator } from './fileLocator.ts';
import { type Finding, toDescription } from './finding.ts';
import type { ItemNames } from './projectNames.ts';

/**
 * Finds a dataset whose type its datamodel can't have: an extract datamodel has extract and custom datasets, a live one
 * has live and custom datasets (rest-api.md, "Dataset"). An unknown type is a finding of its own.
 */
export function checkDatasetType(
  { key, content, path, text }: FileItem,
  names: ItemNames,
): readonly Finding[] {
  const model = key.kind === 'dataset' ? names.getDatamodel(key.datamodel) : undefined;
  const type = getMember(content, 'type');
  if (model === undefined || typeof type !== 'string') {
    return [];
  }
  const unfitType = model.isLive ? 'extract' : 'live';
  if (type.toLowerCase() !== unfitType) {
    return [];
  }
  const fitting = datasetTypes.filter((known) => known !== unfitType).join(', ');
  return [
    {
      path,
      ...new FileLocator(text).locatePath(['type']),
      severity: 'error',
      code: 'project/schema',
      ...toDescription(
        model.isLive
          ? createMessage(
              'A live datamodel can\'t have a dataset of type "{0}". Expected: {1}.',
              type,
              fitting,
            )
          : createMessage(
              'An extract datamodel can\'t have a dataset of type "{0}". Expected: {1}.',
              type,
              fitting,
            ),
      ),
    },
  ];
}
