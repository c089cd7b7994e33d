import type { JsonValue } from '../../base/json.ts';
import { getRefKey, type ResourceRef } from '../../catalog/resourceRef.ts';
import type { ReadDocument } from './readDocument.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import type { Rule } from '../../contract/rule.ts';
import type { Viewpoint } from '../../contract/viewpoint.ts';

/** Rules of one datamodel or cube set. */
export interface RulesOfSubject {
  readonly subject: RuleSubject;
  readonly rules: readonly Rule[];
  /** The subject is a cube set. Its datamodels are unknown, so its rules may name the tables of any datamodel. */
  readonly isCubeSet?: boolean;
}

/**
 * The known state of an instance when a plan is created. It may be incomplete: missing parts are reported as unchecked
 * and never treated as empty.
 */
export interface Snapshot {
  /** Complete datamodels: with datasets, tables, columns and relations. */
  readonly datamodels: readonly Datamodel[];
  readonly rules: readonly RulesOfSubject[] | undefined;
  /** All viewpoints with their details. */
  readonly viewpoints: readonly Viewpoint[] | undefined;
}

/** The documents read from the server right before an operation; newer than any snapshot. */
export class Documents {
  readonly all: readonly ReadDocument[];
  /** Documents by {@link getRefKey}: an operation may affect ten thousand of them, so they are not searched. */
  readonly #byKey: ReadonlyMap<string, JsonValue | undefined>;

  constructor(all: readonly ReadDocument[]) {
    this.all = all;
    // If a document was read twice, the first version counts.
    this.#byKey = new Map(all.toReversed().map(({ ref, document }) => [getRefKey(ref), document]));
  }

  /** Returns a document; `undefined` if it did not exist or was not read. */
  get(ref: ResourceRef): JsonValue | undefined {
    return this.#byKey.get(getRefKey(ref));
  }
}
