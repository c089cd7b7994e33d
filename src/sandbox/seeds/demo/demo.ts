import { insertPeople } from '../people.ts';
import type { Seed } from '../seed.ts';
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
export const demoSeed: Seed = {
  name: 'demo',
  apply(target, folder) {
    insertPeople(target);
    writeRetailFiles(folder);
    writeMarketingFiles(folder);
    for (const model of [createRetailModel(), createMarketingModel(), createSupportModel()]) {
      target.insertDatamodel(model);
    }
    insertDemoRules(target);
    insertDemoViewpoints(target);
    insertDemoCustomData(target);
  },
};
