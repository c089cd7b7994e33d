import type { ItemKey } from '../item.ts';
import type { InstancePart } from './readInstance.ts';

/** Returns whether an item is unknown if a part of an instance could not be read. */
export function isInPart(key: ItemKey, part: InstancePart): boolean {
  switch (part.kind) {
    case 'people':
      // Without the names of users and groups, all of them would become numbers.
      return ['viewpoint', 'cubeSetRules', 'customData', 'rules'].includes(key.kind);
    case 'datamodels':
      return 'datamodel' in key;
    case 'datamodel':
      return 'datamodel' in key && key.datamodel === part.datamodel;
    case 'rules':
      return key.kind === 'rules' && key.datamodel === part.datamodel;
    case 'viewpoints':
      return key.kind === 'viewpoint';
    case 'cubeSetRules':
      return key.kind === 'cubeSetRules' && key.cubeSet === part.cubeSet;
    case 'customData':
      return key.kind === 'customData' && key.name === part.name;
  }
}
