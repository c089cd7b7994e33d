import { insertPeople } from '../people.ts';
import type { Seed } from '../port.ts';
import { insertDemoCustomData } from './customData.ts';
import { createMarketingModel, writeMarketingFiles } from './marketingModel.ts';
import { writeRetailFiles } from './retailData.ts';
import { createRetailModel } from './retailModel.ts';
import { insertDemoRules } from './rules.ts';
import { createSupportModel } from './supportModel.ts';
import { insertDemoViewpoints } from './viewpoints.ts';

/**
 * The demo seed, a retail business: two extract datamodels with their CSV files, a live datamodel, rules, viewpoints,
 * custom data, users and groups (decisions.md, "Sandbox").
 */
export const demo: Seed = {
  name: 'demo',
  apply(store, folder) {
    insertPeople(store);
    writeRetailFiles(folder);
    writeMarketingFiles(folder);
    for (const model of [createRetailModel(), createMarketingModel(), createSupportModel()]) {
      store.insertDatamodel(model);
    }
    insertDemoRules(store);
    insertDemoViewpoints(store);
    insertDemoCustomData(store);
  },
};
