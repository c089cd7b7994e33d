import type { JsonObject } from '../../base/json.ts';
import { defaultViewpointPage } from '../../contract/viewpoint.ts';
import { wholeNumber } from '../check.ts';
import { created, type HandlersOf, objectBody, ok, okText } from '../call.ts';
import { arrayText, textIn, withMembers } from '../documents.ts';
import { changedViewpoint, newViewpoint } from '../models/viewpointDocument.ts';
import { invalid, notFound } from '../problem.ts';
import { timestamp } from '../context.ts';
import type { Services } from '../services.ts';
import {
  type ViewpointPart,
  viewpointParts,
  type ViewpointRow,
  viewpointText,
} from '../store/viewpointStore.ts';
import { holds, readSearch, type ViewpointSearchPlan } from '../viewpointSearch.ts';

/** The release from which the viewpoint API is there (spec, "Versioning"). */
const release = 'L2023.11';

/** Viewpoints (spec, "Viewpoint API"). The tenant header narrows every call to the viewpoints of that tenant. */
export function viewpointRoutes({ store, clock, ids }: Services): HandlersOf<'viewpoints'> {
  const { viewpoints } = store;
  const requireViewpoint = (id: string, tenant: string | undefined): JsonObject => {
    const viewpoint = viewpoints.document(id, tenant);
    if (viewpoint === undefined) {
      throw notFound('The viewpoint', id);
    }
    return viewpoint;
  };
  /** Names are unique (spec, "Viewpoint"). */
  const requireFreeName = (name: string, id: string | undefined): void => {
    const owner = viewpoints.idOfName(name);
    if (owner !== undefined && owner !== id) {
      throw invalid(`name: a viewpoint named "${name}" already exists`);
    }
  };
  /** Rows of one page, and how many match in all. */
  const find = (
    { query, parts }: ViewpointSearchPlan,
    offset: number,
    limit: number,
  ): [ViewpointRow[], number] => {
    if (parts === undefined) {
      return [viewpoints.select(query, { offset, limit }), viewpoints.count(query)];
    }
    const rows = viewpoints
      .select(query, { offset: 0 })
      .filter(
        ({ visibility, details }) =>
          holds(JSON.parse(visibility), parts.visibility) && holds(JSON.parse(details), parts.details),
      );
    return [rows.slice(offset, offset + limit), rows.length];
  };
  return {
    'viewpoints.status': () => ok({ status: 'ok', enabled: true, release }),

    /** Ordered by id, 100 rows unless `limit` says otherwise, with the total count (spec). */
    'viewpoints.list'({ query, tenant }) {
      const offset = wholeNumber('offset', query('offset')) ?? 0;
      const limit = wholeNumber('limit', query('limit')) ?? defaultViewpointPage;
      const parts = partsOf(query('with'));
      const [rows, total] = find(readSearch(query('search'), tenant), offset, limit);
      const list = arrayText(rows.map((row) => viewpointText(row, parts)));
      return okText(
        withMembers(`{"total":${total},"offset":${offset},"limit":${limit}}`, { viewpoints: list }),
      );
    },

    'viewpoints.get': ({ params, tenant }) => ok(requireViewpoint(params.viewpointId, tenant)),

    'viewpoints.create'(call) {
      const making = {
        id: ids.objectId(),
        tenant: call.tenant,
        userId: call.caller.userId,
        now: timestamp(clock),
      };
      const viewpoint = newViewpoint(objectBody(call), making);
      requireFreeName(textIn(viewpoint, 'name'), undefined);
      viewpoints.write(viewpoint);
      return created(viewpoint);
    },

    'viewpoints.update'(call) {
      const { viewpointId } = call.params;
      const stored = requireViewpoint(viewpointId, call.tenant);
      const making = { userId: call.caller.userId, now: timestamp(clock) };
      const viewpoint = changedViewpoint(stored, objectBody(call), making);
      requireFreeName(textIn(viewpoint, 'name'), viewpointId);
      viewpoints.write(viewpoint);
      return ok(viewpoint);
    },

    'viewpoints.delete'({ params: { viewpointId }, tenant }) {
      requireViewpoint(viewpointId, tenant);
      viewpoints.delete(viewpointId);
      return ok({ id: viewpointId });
    },
  };
}

/** The structures that `with` asks for: visibility, details, or both separated by a comma (spec). */
function partsOf(text: string | undefined): readonly ViewpointPart[] {
  const words = (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const unknown = words.find((word) => !viewpointParts.some((part) => part === word));
  if (unknown !== undefined) {
    throw invalid(`with: expected visibility, details, or both, received "${unknown}"`);
  }
  return viewpointParts.filter((part) => words.includes(part));
}
