import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import { getRuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import type { Write } from '../model/operation.ts';
import type { PlannedAccess, ViewpointAccess } from '../model/plan.ts';
import { toPendingBuild } from '../model/formerNames.ts';
import { asObject, getDocumentName, getText } from '../model/jsonMembers.ts';
import type { Documents, RulesOfSubject } from '../model/snapshot.ts';
import { mayShowMoreDetails } from '../model/viewpointSteps.ts';

/**
 * Finds the viewpoints that show more, or to more people, while an operation writes relations of their datamodel: until
 * the next build, queries may not know these relations, so rules don't restrict the tables behind them
 * (docs/platform-facts.md, 1.3).
 * @param state the datamodels whose tables or relations are written, and the rules after the operation
 */
export function findViewpointsUntilBuild(
  writes: readonly Write[],
  documents: Documents,
  state: {
    readonly datamodels: readonly Datamodel[];
    readonly rules: readonly RulesOfSubject[];
    readonly viewpoints: readonly ViewpointAccess[];
  },
): NonNullable<PlannedAccess['viewpointsUntilBuild']> {
  const ids = new Set(
    writes.flatMap(({ endpoint, params: { datamodelId } }) =>
      (endpoint === 'relations.create' || endpoint === 'relations.update') && datamodelId !== undefined
        ? [datamodelId]
        : [],
    ),
  );
  const datamodels = new Map(
    state.datamodels
      .filter((model) => ids.has(model.oid) && hasRules(model, state.rules))
      .map((model) => [model.title, model]),
  );
  const gained = new Set(
    state.viewpoints
      .filter(({ differences }) => differences.some(({ effect }) => effect !== 'loses'))
      .map(({ name }) => name),
  );
  return findWrittenViewpoints(writes, documents).flatMap(({ before, after }) => {
    const name = getDocumentName(after);
    const datamodel = datamodels.get(getDatamodelTitle(after['details']));
    const showsMore =
      gained.has(name) || (before !== undefined && mayShowMoreDetails(before['details'], after['details']));
    return datamodel === undefined || !showsMore ? [] : [{ viewpoint: name, ...toPendingBuild(datamodel) }];
  });
}

/** A viewpoint that an operation creates or updates, before and after the operation. */
interface WrittenViewpoint {
  /** `undefined` for a new one. */
  readonly before: JsonObject | undefined;
  readonly after: JsonObject;
}

/** Returns the viewpoints that exist after an operation which has written them, each once. */
function findWrittenViewpoints(writes: readonly Write[], documents: Documents): readonly WrittenViewpoint[] {
  const viewpoints = new Map<string, WrittenViewpoint>();
  for (const [index, { endpoint, params, body, target }] of writes.entries()) {
    const id = params['viewpointId'] ?? `new:${index}`;
    const members = asObject(body);
    if (endpoint === 'viewpoints.create') {
      viewpoints.set(id, { before: undefined, after: members });
    } else if (endpoint === 'viewpoints.update') {
      const document = asObject(target && documents.get(target));
      const { before, after } = viewpoints.get(id) ?? { before: document, after: document };
      viewpoints.set(id, { before, after: { ...after, ...members } });
    } else if (endpoint === 'viewpoints.delete') {
      viewpoints.delete(id);
    }
  }
  return [...viewpoints.values()];
}

/** Returns whether rules may restrict a datamodel: its own, or those of a cube set that may contain it. */
const hasRules = (model: Datamodel, rules: readonly RulesOfSubject[]): boolean => {
  const subject = getRuleSubject(model);
  return rules.some(
    (candidate) =>
      candidate.rules.length > 0 && (candidate.isCubeSet || isSameSubject(candidate.subject, subject)),
  );
};

const getDatamodelTitle = (details: JsonValue | undefined): string =>
  getText(asObject(asObject(details)['datasource'])['title']);
