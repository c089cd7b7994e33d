import {
  changeMatchingCustomData,
  addCustomDataObject,
  deleteMatchingCustomData,
} from './customDataCommands.ts';
import { editBuildSettings, setHidden } from './changeTables.ts';
import { addDatamodel, addDataset } from './addDatamodel.ts';
import { addRelation } from './addRelation.ts';
import { addRule } from './addRule.ts';
import { addCustomColumn, addCustomTable, addTable } from './addTable.ts';
import { addViewpoint } from './addViewpoint.ts';
import { changeDatasetConnection } from './changeDatasetConnection.ts';
import { editConnectorOptions, editDescription } from './editTableDetails.ts';
import { duplicateResource } from './duplicate.ts';
import { deleteResources } from './deleteResources.ts';
import { addColumnToRelation } from './extendRelation.ts';

/** The implementations of this feature's commands, loaded when the first of them is used. */
export {
  changeMatchingCustomData,
  editBuildSettings,
  editConnectorOptions,
  editDescription,
  changeDatasetConnection,
  addColumnToRelation,
  duplicateResource,
  setHidden,
  addCustomColumn,
  addCustomDataObject,
  addCustomTable,
  addDatamodel,
  addDataset,
  addRelation,
  addRule,
  addTable,
  addViewpoint,
  deleteResources,
  deleteMatchingCustomData,
};
