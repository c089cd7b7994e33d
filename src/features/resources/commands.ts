import { changeMatching, newCustomDataObject, removeMatching } from './customData.ts';
import { chooseBuildBehaviour, hide } from './changeTables.ts';
import { newDatamodel, newDataset } from './createModel.ts';
import { newRelation } from './createRelation.ts';
import { newRule } from './createRule.ts';
import { newCustomColumn, newCustomTable, newTable } from './createTable.ts';
import { newViewpoint } from './createViewpoint.ts';
import { duplicate } from './duplicate.ts';
import { remove } from './removeResources.ts';

/** What the commands of this feature do, loaded when the first of them is used. */
export {
  changeMatching,
  chooseBuildBehaviour,
  duplicate,
  hide,
  newCustomColumn,
  newCustomDataObject,
  newCustomTable,
  newDatamodel,
  newDataset,
  newRelation,
  newRule,
  newTable,
  newViewpoint,
  remove,
  removeMatching,
};
