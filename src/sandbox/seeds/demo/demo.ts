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
 * A retail business: two extract models with their files, a live model, and everything around them
 * (decisions.md, "Sandbox").
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
