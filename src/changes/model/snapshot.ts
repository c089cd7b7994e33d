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
  /** The subject is a cube set. Its datamodels are unknown, so its rules may name those of any. */
  readonly isSet?: boolean;
}

/**
 * The known state of an instance when a plan is created. Everything may be partial: missing parts are reported as
 * unchecked if they matter, and never treated as empty.
 */
export interface Snapshot {
  /** Complete datamodels: with datasets, tables, columns and relations. */
  readonly datamodels: readonly Datamodel[];
  readonly rules: readonly RulesOfSubject[] | undefined;
  /** All viewpoints with their details. */
  readonly viewpoints: readonly Viewpoint[] | undefined;
}

/** Documents as the server has them right before the write, which are newer than any snapshot. */
export class Documents {
  readonly all: readonly ReadDocument[];
  /** By {@link getRefKey}: an operation may affect ten thousand of them. */
  readonly #byKey: ReadonlyMap<string, JsonValue | undefined>;

  constructor(all: readonly ReadDocument[]) {
    this.all = all;
    // If a document was read twice, the first version counts.
    this.#byKey = new Map(all.toReversed().map(({ ref, document }) => [getRefKey(ref), document]));
  }

  /** The document as it was read before the write. */
  get(ref: ResourceRef): JsonValue | undefined {
    return this.#byKey.get(getRefKey(ref));
  }
}
