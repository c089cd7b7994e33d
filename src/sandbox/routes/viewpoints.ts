import type { JsonObject } from '../../base/json.ts';
import { defaultViewpointPage } from '../../contract/viewpoint.ts';
import { parseWholeNumberParameter } from '../validation.ts';
import {
  createdResponse,
  type AreaHandlers,
  requireObjectBody,
  okResponse,
  okTextResponse,
} from '../endpointCall.ts';
import { joinAsArray, getTextMember, appendMembers } from '../documents.ts';
import { applyViewpointChange, createViewpointDocument } from '../models/viewpointDocument.ts';
import { createInvalidProblem, createNotFoundProblem } from '../problem.ts';
import { getTimestamp } from '../context.ts';
import type { RouteServices } from '../routeServices.ts';
import {
  type ViewpointPart,
  viewpointParts,
  type ViewpointRow,
  formatViewpoint,
} from '../store/viewpointStore.ts';
import { containsStructure, parseSearch, type ViewpointSearchPlan } from '../viewpointSearch.ts';

/** The first release with the viewpoint API (rest-api.md, "Versioning"). */
const release = 'L2023.11';

/**
 * Creates the handlers of viewpoints (rest-api.md, "Viewpoint API"). With a tenant header, only viewpoints of that
 * tenant are found.
 */
export function createViewpointHandlers({ store, clock, ids }: RouteServices): AreaHandlers<'viewpoints'> {
  const { viewpoints } = store;
  const requireViewpoint = (id: string, tenant: string | undefined): JsonObject => {
    const viewpoint = viewpoints.getDocument(id, tenant);
    if (viewpoint === undefined) {
      throw createNotFoundProblem('The viewpoint', id);
    }
    return viewpoint;
  };
  /** Requires that no other viewpoint has the name (rest-api.md, "Viewpoint"). */
  const requireFreeName = (name: string, id: string | undefined): void => {
    const owner = viewpoints.findIdByName(name);
    if (owner !== undefined && owner !== id) {
      throw createInvalidProblem(`name: a viewpoint named "${name}" already exists`);
    }
  };
  /** Returns one page of the matching viewpoints, and the total number of matches. */
  const find = (
    { query, parts }: ViewpointSearchPlan,
    offset: number,
    limit: number,
  ): [ViewpointRow[], number] => {
    if (parts === undefined) {
      return [viewpoints.findPage(query, { offset, limit }), viewpoints.count(query)];
    }
    const rows = viewpoints
      .findPage(query, { offset: 0 })
      .filter(
        ({ visibility, details }) =>
          containsStructure(JSON.parse(visibility), parts.visibility) &&
          containsStructure(JSON.parse(details), parts.details),
      );
    return [rows.slice(offset, offset + limit), rows.length];
  };
  return {
    'viewpoints.status': () => okResponse({ status: 'ok', enabled: true, release }),

    /**
     * Returns a page of viewpoints ordered by id, 100 by default, and the total count
     * (rest-api.md, "GET /infusion/viewpoints").
     */
    'viewpoints.list'({ query, tenant }) {
      const offset = parseWholeNumberParameter('offset', query('offset')) ?? 0;
      const limit = parseWholeNumberParameter('limit', query('limit')) ?? defaultViewpointPage;
      const parts = readParts(query('with'));
      const [rows, total] = find(parseSearch(query('search'), tenant), offset, limit);
      const list = joinAsArray(rows.map((row) => formatViewpoint(row, parts)));
      return okTextResponse(
        appendMembers(`{"total":${total},"offset":${offset},"limit":${limit}}`, { viewpoints: list }),
      );
    },

    'viewpoints.get': ({ params, tenant }) => okResponse(requireViewpoint(params.viewpointId, tenant)),

    'viewpoints.create'(call) {
      const making = {
        id: ids.createObjectId(),
        tenant: call.tenant,
        userId: call.caller.userId,
        now: getTimestamp(clock),
      };
      const viewpoint = createViewpointDocument(requireObjectBody(call), making);
      requireFreeName(getTextMember(viewpoint, 'name'), undefined);
      viewpoints.write(viewpoint);
      return createdResponse(viewpoint);
    },

    'viewpoints.update'(call) {
      const { viewpointId } = call.params;
      const stored = requireViewpoint(viewpointId, call.tenant);
      const making = { userId: call.caller.userId, now: getTimestamp(clock) };
      const viewpoint = applyViewpointChange(stored, requireObjectBody(call), making);
      requireFreeName(getTextMember(viewpoint, 'name'), viewpointId);
      viewpoints.write(viewpoint);
      return okResponse(viewpoint);
    },

    'viewpoints.delete'({ params: { viewpointId }, tenant }) {
      requireViewpoint(viewpointId, tenant);
      viewpoints.delete(viewpointId);
      return okResponse({ id: viewpointId });
    },
  };
}

/**
 * Parses the query parameter `with`: visibility, details, or both separated by a comma
 * (rest-api.md, "GET /infusion/viewpoints").
 */
function readParts(text: string | undefined): readonly ViewpointPart[] {
  const words = (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const unknown = words.find((word) => !viewpointParts.some((part) => part === word));
  if (unknown !== undefined) {
    throw createInvalidProblem(`with: expected visibility, details, or both, received "${unknown}"`);
  }
  return viewpointParts.filter((part) => words.includes(part));
}
