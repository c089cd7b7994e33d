import type { JsonObject } from '../../src/base/json.ts';
import type { SeedGroup, SeedTarget, SeedUser } from '../../src/sandbox/seeds/seed.ts';

/** Collects the resources that a seed inserts, in memory. */
export class SeedCollector implements SeedTarget {
  readonly datamodels: JsonObject[] = [];
  readonly extractRules: JsonObject[] = [];
  readonly liveRules: JsonObject[] = [];
  readonly viewpoints: JsonObject[] = [];
  readonly customData: JsonObject[] = [];
  readonly users: SeedUser[] = [];
  readonly groups: SeedGroup[] = [];

  insertDatamodel(datamodel: JsonObject): void {
    this.datamodels.push(datamodel);
  }
  insertExtractRule(rule: JsonObject): void {
    this.extractRules.push(rule);
  }
  insertLiveRule(rule: JsonObject): void {
    this.liveRules.push(rule);
  }
  insertViewpoint(viewpoint: JsonObject): void {
    this.viewpoints.push(viewpoint);
  }
  insertCustomData(object: JsonObject): void {
    this.customData.push(object);
  }
  insertUser(user: SeedUser): void {
    this.users.push(user);
  }
  insertGroup(group: SeedGroup): void {
    this.groups.push(group);
  }
}
